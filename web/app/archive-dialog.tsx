/** Before a document is archived: what will be true then. */
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { archiveDocument } from '../api/life.ts'
import { troubleWords } from '../api/trouble.ts'
import type { DocumentSession } from '../live/session.ts'
import { Modal } from '../platform/modal.tsx'
import { ProblemLine } from '../platform/problem-line.tsx'
import { focusFirst } from '../platform/writers-place.ts'
import { asSomebody } from '../share/as-somebody.ts'
import { dayWords } from '../share/words.ts'

/** As long as the service keeps an archived document. */
const keptMs = 30 * 24 * 3_600_000

export interface ArchiveDialogProps {
  readonly session: DocumentSession
  readonly title: string
  readonly onClose: () => void
}

export function ArchiveDialog({ session, title, onClose }: ArchiveDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const archive = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await asSomebody(session, () => archiveDocument(session.slug))
      onClose()
    } catch (error) {
      setProblem(troubleWords(error))
      setBusy(false)
    }
  }
  const until = dayWords(new Date(Date.now() + keptMs).toISOString())
  return (
    <Modal title={`Archive ${title === '' ? 'this document' : `“${title}”`}?`} onClose={onClose}>
      <Dialog.Description className="dialog-words">
        Nobody can read or edit it while it is archived, and its links stop working. Editors can
        preview and restore it until {until}. After that it is deleted forever.
      </Dialog.Description>
      <ProblemLine text={problem} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button button-primary"
          aria-disabled={isBusy}
          onClick={archive}
          ref={focusFirst}
        >
          Archive
        </button>
      </div>
    </Modal>
  )
}
