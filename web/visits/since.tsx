/** Since the last visit: nothing on the page until there is something to tell. */
import { useCallback, useEffect, useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { useStore } from '../platform/store.ts'
import { visitOf } from './visit.ts'

const { Dialog: SinceLine } = lazyDialog(async () => (await import('./since-line.tsx')).SinceLine)

/** Keeps the visit for as long as the document is open. */
export function useVisit(session: DocumentSession): void {
  useEffect(() => {
    const visit = visitOf(session)
    return () => visit.close()
  }, [session])
}

export interface SinceProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function Since({ session, editor, actions }: SinceProps) {
  const unread = useStore(visitOf(session).unread)
  const [isTold, setTold] = useState(false)
  const done = useCallback(() => setTold(false), [])
  useEffect(() => {
    if (unread !== undefined) setTold(true)
  }, [unread])
  if (!isTold) return null
  return <SinceLine session={session} editor={editor} actions={actions} onClose={done} />
}
