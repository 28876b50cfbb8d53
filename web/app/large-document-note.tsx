/** Says that a document is so large that the page may be slow, and offers the source view. */
import { X } from 'lucide-react'
import { useState } from 'react'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { viewMode } from '../source/view-mode.ts'
import type { PageEditor } from './page-editor.ts'

export interface LargeDocumentNoteProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
}

export function LargeDocumentNote({ session, editor }: LargeDocumentNoteProps) {
  const { isLarge } = useStore(editor.slice)
  const mode = viewMode(session)
  const isPage = useStore(mode) === 'page'
  const [isDismissed, setDismissed] = useState(false)
  if (!isLarge || !isPage || isDismissed) return null
  return (
    <div className="notice large-note float">
      <span>This document is large, so the page may be slow.</span>
      <button type="button" className="button" onClick={() => mode.set('source')}>
        Open the source view
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Dismiss"
        onMouseDown={keepWritersPlace}
        onClick={() => setDismissed(true)}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}
