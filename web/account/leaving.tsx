/** Signing out, before which a guest who owns something is told what goes with it. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { notify } from '../platform/notices.ts'
import { disownDocuments, ownRecent } from '../platform/recent-documents.ts'
import { askForAccount } from './ask.ts'

const LeaveDialog = lazy(async () => ({
  default: (await import('./leave-dialog.tsx')).LeaveDialog,
}))

export interface LeavingOptions {
  readonly isGuest: boolean
  readonly signOut: () => Promise<void>
}

/** `leave` signs out, or asks first; `dialog` is what it asks by. */
export function useLeaving({ isGuest, signOut }: LeavingOptions): {
  readonly leave: () => void
  readonly dialog: ReactNode
} {
  const [asks, setAsks] = useState(false)
  const leaveNow = () => {
    disownDocuments()
    signOut().catch(() => notify('Could not sign out. Try again.', 'problem'))
  }
  const leave = () => {
    if (isGuest && ownRecent().length > 0) setAsks(true)
    else leaveNow()
  }
  const close = () => setAsks(false)
  const keep = () => {
    close()
    askForAccount('sign-up')
  }
  const dialog = asks ? (
    <Suspense>
      <LeaveDialog documents={ownRecent()} onKeep={keep} onLeave={leaveNow} onClose={close} />
    </Suspense>
  ) : null
  return { leave, dialog }
}
