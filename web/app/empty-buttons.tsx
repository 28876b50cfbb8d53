/** The buttons that an empty document may be begun with. */
import { Bot, FileUp } from 'lucide-react'
import { useRef } from 'react'
import { bringIn, markdownFiles } from '../editor/clipboard/markdown-files.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { copyPrompt } from '../share/copying.ts'
import type { EmptyChipsProps } from './empty-chips.tsx'

export function EmptyButtons({ session, editor }: EmptyChipsProps) {
  const role = useStore(session.role)
  const input = useRef<HTMLInputElement>(null)
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
