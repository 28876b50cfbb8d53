/** Deleting an archived document for good: whoever types its title means it. */
import { Dialog } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { deleteForever, isGone } from '../api/life.ts'
import { troubleWords } from '../api/trouble.ts'
import { Modal } from '../platform/modal.tsx'
import { notify } from '../platform/notices.ts'
import { focusFirst } from '../platform/writers-place.ts'

export interface DeleteDialogProps {
  readonly slug: string
  readonly title: string
  /** It is gone, or going. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Of a document that has none. */
const untitled = 'Untitled'

export function DeleteDialog({ slug, title, onDone, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const asked = title.trim() === '' ? untitled : title.trim()
  const isMeant = typed.trim() === asked
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (!isMeant) return setProblem('This does not match the title.')
    setBusy(true)
    try {
      await deleteForever(slug)
    } catch (error) {
      if (!isGone(error)) {
        setBusy(false)
        return setProblem(troubleWords(error))
      }
    }
    onClose()
    notify(`“${asked}” was deleted forever.`)
    onDone()
  }
  return (
    <Modal title={`Delete “${asked}” forever?`} onClose={onClose}>
      <Dialog.Description className="dialog-words">
        This deletes its text, version history, comments and links for everyone. This cannot be
        undone.
      </Dialog.Description>
      <form className="name-form" onSubmit={submit}>
        <label className="dialog-label" htmlFor="title-typed">
          To confirm, type the title: <strong>{asked}</strong>
        </label>
        <input
          id="title-typed"
          className="field"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby="title-problem"
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
          ref={focusFirst}
        />
        <p className="problem" role="alert" id="title-problem">
          {problem}
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-danger" aria-disabled={!isMeant || isBusy}>
            Delete forever
          </button>
        </div>
      </form>
    </Modal>
  )
}
