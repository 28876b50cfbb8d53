/** What one may begin an empty document with, beside writing. */
import { Bot, FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { bringIn, markdownFiles } from '../editor/clipboard/markdown-files.ts'
import { modesOf } from '../editor/mode.ts'
import { emptyParagraph } from '../editor/model/empty.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { copyPrompt } from '../share/copying.ts'
import type { PageEditor } from './page-editor.ts'

export interface EmptyChipsProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
}

export function EmptyChips({ session, editor }: EmptyChipsProps) {
  const mayWrite = useStore(modesOf(session).takesTyping)
  const role = useStore(session.role)
  const isEmpty = useEmpty(editor)
  const input = useRef<HTMLInputElement>(null)
  if (!isEmpty || !mayWrite) return null
  const mayInvite = role === 'owner' || role === 'editor'
  const take = ({ files }: HTMLInputElement) => {
    if (files !== null && files.length > 0) bringIn(editor.view, [...files])
  }
  return (
    <div className="empty-chips">
      <button
        type="button"
        className="button button-line"
        onMouseDown={keepWritersPlace}
        onClick={() => input.current?.click()}
      >
        <FileUp aria-hidden />
        Import .md
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={markdownFiles}
        aria-label="Markdown files"
        onChange={(event) => take(event.currentTarget)}
      />
      {mayInvite ? (
        <button
          type="button"
          className="button button-line"
          onMouseDown={keepWritersPlace}
          onClick={() => copyPrompt(session, '')}
        >
          <Bot aria-hidden />
          Invite an agent
        </button>
      ) : null}
    </div>
  )
}

function useEmpty({ view }: PageEditor): boolean {
  const isEmptyNow = () => !view.isDestroyed && emptyParagraph(view.state) !== undefined
  const [isEmpty, setEmpty] = useState(isEmptyNow)
  useEffect(() => {
    const look = () => setEmpty(!view.isDestroyed && emptyParagraph(view.state) !== undefined)
    look()
    return onViewUpdate(view, look)
  }, [view])
  return isEmpty
}
