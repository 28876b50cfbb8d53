/** What was written here and did not come into the document: to be copied, then dismissed. */
import { plainText } from '../live/lost-text.ts'
import type { DocumentSession, LostText } from '../live/session.ts'
import { copyText } from '../platform/clipboard.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'

const why: Readonly<Record<LostText['because'], string>> = {
  refused:
    'Your last changes were not saved because you do not have permission to edit this document.',
  locked: 'Your last changes were not saved because the owner locked this document.',
  'too-large': 'Your last changes were not saved because the document would become too large.',
  restored:
    'The server was restored from a backup, and your last changes are not in it. Copy them to keep them.',
  ended: 'The document was closed before your last changes were saved.',
  'signed-out': 'You were signed out before your last changes were saved.',
}

export function LostTextPanel({ session }: { readonly session: DocumentSession }) {
  const lost = useStore(session.lostText)
  if (lost === undefined) return null
  const copy = async () => {
    try {
      await copyText(plainText(lost.blocks))
      notify('Copied')
    } catch {
      notify('Could not copy. Select the text and copy it.', 'problem')
    }
  }
  return (
    <section ref={passFocusToText} className="lost-text float" aria-labelledby="lost-text-title">
      <h2 id="lost-text-title">Unsaved changes</h2>
      <p role="alert">{why[lost.because]}</p>
      <textarea
        className="lost-text-words"
        aria-label="Unsaved text"
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
