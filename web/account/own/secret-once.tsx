/** A secret that is told this once: with what it is for, and a button that copies it. */
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { copyText } from '../../platform/clipboard.ts'
import { notify } from '../../platform/notices.ts'
import { focusFirst } from '../../platform/writers-place.ts'

export interface SecretOnceProps {
  readonly secret: string
  readonly label: string
  /** What it is for. */
  readonly children: ReactNode
  readonly onDone: () => void
}

export function SecretOnce({ secret, label, children, onDone }: SecretOnceProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    copyText(secret).then(
      () => setCopied(true),
      () => notify('Your browser blocked copying. Select the text and copy it.', 'problem'),
    )
  return (
    <section className="secret-once" aria-label={label}>
      <p>
        <strong>Copy it now. It will not be shown again.</strong> {children}
      </p>
      <div className="secret-line">
        <input
          className="field"
          aria-label={label}
          readOnly
          autoComplete="off"
          spellCheck={false}
          value={secret}
          onFocus={(event) => event.target.select()}
        />
        <button type="button" className="button button-primary" onClick={copy} ref={focusFirst}>
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <button type="button" className="button" onClick={onDone}>
        Done
      </button>
    </section>
  )
}
