/** What was written here and did not come into the document: to be copied, then dismissed. */
import { plainText } from '../live/lost-text.ts'
import type { DocumentSession, LostText } from '../live/session.ts'
import { copyText } from '../platform/clipboard.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'

const why: Readonly<Record<LostText['because'], string>> = {
  refused: 'You may not change this document, so the service did not take your last words.',
  locked: 'The owner has locked this document, so the service did not take your last words.',
  'too-large': 'The document would have become too large, so your last words were not taken.',
  restored: 'The service went back to an older state of the document. This it no longer has.',
  ended: 'The document was closed before these words were saved.',
  'signed-out': 'You were signed out before these words were saved.',
}

export function LostTextPanel({ session }: { readonly session: DocumentSession }) {
  const lost = useStore(session.lostText)
  if (lost === undefined) return null
  const copy = async () => {
    try {
      await copyText(plainText(lost.blocks))
      notify('Copied')
    } catch {
      notify('Copying did not work. Select the text instead.', 'problem')
    }
  }
  return (
    <section ref={passFocusToText} className="lost-text float" aria-labelledby="lost-text-title">
      <h2 id="lost-text-title">Kept aside</h2>
      <p role="alert">{why[lost.because]}</p>
      <textarea
        className="lost-text-words"
        aria-label="Text kept aside"
        dir="auto"
        readOnly
        rows={4}
        value={plainText(lost.blocks)}
      />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => session.dismissLostText()}>
          Dismiss
        </button>
        <button type="button" className="button button-primary" onClick={copy}>
          Copy
        </button>
      </div>
    </section>
  )
}
