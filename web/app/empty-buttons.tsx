/** The buttons that an empty document may be begun with. */

import { Bot, FileUp } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { bringIn, markdownFiles } from '../editor/clipboard/markdown-files.ts'
import type { DocumentSession } from '../live/session.ts'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import type { PageEditor } from './page-editor.ts'

export interface EmptyChipsProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
}

const { Dialog: InviteAgent, preload } = lazyDialog(
  async () => (await import('../share/invite-agent.tsx')).InviteAgentDialog,
)

export function EmptyButtons({ session, editor }: EmptyChipsProps) {
  const role = useStore(session.role)
  const input = useRef<HTMLInputElement>(null)
  const [isInviting, setInviting] = useState(false)
  const close = useCallback(() => setInviting(false), [])
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
          onPointerEnter={preload}
          onClick={() => setInviting(true)}
        >
          <Bot aria-hidden />
          Invite an agent
        </button>
      ) : null}
      {isInviting ? <InviteAgent session={session} title="" onClose={close} /> : null}
    </div>
  )
}
