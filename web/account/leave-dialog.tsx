/**
 * A guest has no way back: what goes with the name is said before, and how it could be kept. Loaded
 * on first use.
 */
import { Dialog } from 'radix-ui'
import { Modal } from '../platform/modal.tsx'
import { focusFirst } from '../platform/writers-place.ts'

export interface LeaveDialogProps {
  /** What the guest owns. */
  readonly documents: readonly { readonly slug: string; readonly title: string }[]
  readonly onKeep: () => void
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** So many of them are named. */
const namedMax = 5

export function LeaveDialog({ documents, onKeep, onLeave, onClose }: LeaveDialogProps) {
  const more = documents.length - namedMax
  return (
    <Modal title="Sign out and give up your documents?" className="leave-dialog" onClose={onClose}>
      <Dialog.Description className="dialog-lead">
        You are signed in as a guest. After you sign out, you cannot sign in as this guest again and
        no longer own these documents. Create an account to keep them, or copy their links first.
      </Dialog.Description>
      <ul className="dialog-list">
        {documents.slice(0, namedMax).map(({ slug, title }) => (
          <li key={slug}>{title === '' ? 'Untitled' : title}</li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
      <div className="dialog-actions">
        <button type="button" className="button button-danger" onClick={onLeave}>
          Sign out
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button button-primary" onClick={onKeep} ref={focusFirst}>
          Keep my documents
        </button>
      </div>
    </Modal>
  )
}
