/** The past of the document, when it is asked for; its code comes then. Only editors have one. */
import { useEffect } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { DocumentSession } from '../live/session.ts'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { useStore } from '../platform/store.ts'
import { historyMode } from './history-mode.ts'

const { Dialog: HistoryPage } = lazyDialog(
  async () => (await import('./history-page.tsx')).HistoryPage,
)

/** Whether this person is told of the past. */
export function useMayReadHistory(session: DocumentSession): boolean {
  const role = useStore(session.role)
  return role === 'owner' || role === 'editor'
}

export interface HistoryProps {
  readonly session: DocumentSession
  readonly actions: PageActions
}

export function History({ session, actions }: HistoryProps) {
  const mode = historyMode(session)
  const mayRead = useMayReadHistory(session)
  const isOpen = useStore(mode.shown) !== undefined
  useEffect(() => mode.close, [mode])
  useEffect(() => {
    if (!mayRead) return undefined
    return actions.handle('history', () => {
      if (mode.shown.get() === undefined) mode.enter()
    })
  }, [actions, mode, mayRead])
  if (!isOpen || !mayRead) return null
  return <HistoryPage session={session} onClose={mode.leave} />
}
