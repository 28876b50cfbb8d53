/** Where among one's folders a document is to stand: one goes there, then it is put. */
import { Folder as FolderIcon } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { moveDocument } from '../api/folders.ts'
import type { Folder } from '../api/library.ts'
import { troubleWords } from '../api/trouble.ts'
import { Modal } from '../platform/modal.tsx'
import { notify } from '../platform/notices.ts'
import { ProblemLine } from '../platform/problem-line.tsx'
import { useStore } from '../platform/store.ts'
import { currentFolder, type Lists, listIn } from './home-lists.ts'
import { type ListEntry, shownTitle } from './list-entry.ts'

export interface MoveDialogProps {
  readonly document: ListEntry
  readonly lists: Lists
  readonly onClose: () => void
}

const root: Folder = { id: '', name: 'My documents' }

export function MoveDialog({ document, lists, onClose }: MoveDialogProps) {
  const [at, setAt] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const list = useMemo(() => listIn(at), [at])
  const { path, folders, documents, isWhole, isLoading, problem: missing } = useStore(list.state)
  useEffect(() => {
    // Folders come before documents.
    if (!isWhole && !isLoading && documents.length === 0 && missing === undefined) void list.more()
  }, [list, isWhole, isLoading, documents.length, missing])
  const go = (id: string) => {
    setProblem(undefined)
    setAt(id === '' ? undefined : id)
  }
  const move = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await moveDocument(document.slug, at)
    } catch (error) {
      setBusy(false)
      return setProblem(troubleWords(error))
    }
    onClose()
    const name = path.at(-1)?.name ?? root.name
    notify(`“${shownTitle(document)}” moved to “${name}”.`)
    if (at !== currentFolder.get()) lists.mine.take(document.slug)
    else void lists.mine.refresh()
  }
  return (
    <Modal title={`Move “${shownTitle(document)}”`} onClose={onClose}>
      <nav className="folder-path" aria-label="To">
        <ol>
          {[root, ...path].map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="folder-step" onClick={() => go(id)}>
                {name}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <ul className="folder-choice" aria-label="Folders" aria-busy={isLoading}>
        {folders.map(({ id, name }) => (
          <li key={id}>
            <button type="button" className="menu-item" onClick={() => go(id)}>
              <FolderIcon aria-hidden />
              {name}
            </button>
          </li>
        ))}
      </ul>
      {folders.length > 0 || isLoading ? null : <p className="dialog-words">No subfolders.</p>}
      <ProblemLine text={problem ?? missing} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button button-primary"
          aria-disabled={isBusy}
          onClick={move}
        >
          Move here
        </button>
      </div>
    </Modal>
  )
}
