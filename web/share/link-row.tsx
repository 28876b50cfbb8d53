/** A link or a token in its list: copied, and ended when one has heard what ends with it. */
import { Copy, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Confirm, useChange } from './parts.tsx'
import type { Sharing } from './sharing.ts'

export interface LinkRowProps {
  readonly sharing: Sharing
  readonly title: string
  readonly more: string
  readonly action: string
  readonly onEnd: () => Promise<unknown>
  readonly onCopy?: (() => void) | undefined
}

export function LinkRow({ sharing, title, more, action, onEnd, onCopy }: LinkRowProps) {
  const change = useChange(sharing)
  const [ends, setEnds] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const cancel = () => {
    setEnds(false)
    change.forget()
    button.current?.focus()
  }
  return (
    <li>
      <span className="share-who">
        <span className="share-name share-address" title={title}>
          {title}
        </span>
        <span className="share-soft">{more}</span>
      </span>
      {onCopy === undefined ? null : (
        <button
          type="button"
          className="button button-icon"
          aria-label={`Copy ${title}`}
          title="Copy"
          onClick={onCopy}
        >
          <Copy aria-hidden />
        </button>
      )}
      <button
        ref={button}
        type="button"
        className="button button-icon"
        aria-label={`${action}: ${title}`}
        title={action}
        onClick={() => setEnds(true)}
      >
        <Trash2 aria-hidden />
      </button>
      {ends ? (
        <Confirm
          action={action}
          change={change}
          onCancel={cancel}
          onConfirm={() => change.run(onEnd)}
        >
          <p>
            Everyone who uses it loses access immediately, including open pages and programs. What
            they wrote stays. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </li>
  )
}
