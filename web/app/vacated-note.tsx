/**
 * Says that the block in which one was writing is gone, and who deleted it, as soon as the service
 * says so; with the way back. Nothing is written before one asks for it.
 */
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { authorship } from '../authors/authorship.ts'
import { letGo, restoreVacated } from '../editor/vacant-block.ts'
import type { DocumentSession } from '../live/session.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import type { PageEditor } from './page-editor.ts'

export interface VacatedNoteProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
}

export function VacatedNote({ session, editor }: VacatedNoteProps) {
  const vacated = useStore(editor.vacated)
  const who = useDeleter(session, vacated)
  if (vacated === undefined) return null
  const { view } = editor
  const restore = () => {
    restoreVacated(view.state, view.dispatch)
    view.focus()
  }
  const copy = async () => {
    try {
      await copyText(vacated.textBetween(0, vacated.content.size, '\n', '\n'))
      notify('Copied')
    } catch {
      notify('Could not copy.', 'problem')
    }
  }
  return (
    <div className="notice vacated-note float">
      <span>{who ?? 'Someone'} deleted the block you were editing.</span>
      <button type="button" className="button" onMouseDown={keepWritersPlace} onClick={restore}>
        Restore
      </button>
      <button type="button" className="button" onMouseDown={keepWritersPlace} onClick={copy}>
        Copy
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Dismiss"
        onMouseDown={keepWritersPlace}
        onClick={() => letGo(view.state, view.dispatch)}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}

/** The name of whose revision came next; undefined: not known, or of several. */
function useDeleter(session: DocumentSession, vacated: object | undefined): string | undefined {
  const [actor, setActor] = useState<string>()
  const { book } = authorship(session)
  useStore(book.changes)
  useEffect(() => {
    setActor(undefined)
    if (vacated === undefined) return
    const own = session.account.get()?.actor_id
    const stop = session.onEvent((event) => {
      if (event.type !== 'doc_changed') return
      const others = event.actors.filter((one) => one !== own)
      if (others.length === 0) return
      stop()
      if (others.length === 1) setActor(others[0])
    })
    return stop
  }, [session, vacated])
  return actor === undefined ? undefined : book.author(actor).name
}
