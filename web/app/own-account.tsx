/** What the menu of people offers for one's own account: signing in, keeping it, signing out. */
import { LogIn, LogOut, UserRound, UserRoundPlus } from 'lucide-react'
import { askForAccount } from '../account/ask.ts'
import { under } from '../api/base.ts'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { MenuAction } from './bar-menu.tsx'

export interface OwnAccountProps {
  readonly session: DocumentSession
  readonly onLeave: () => void
}

export function OwnAccount({ session, onLeave }: OwnAccountProps) {
  const account = useStore(session.account)
  const isGuest = account?.guest === true
  return (
    <>
      {account === undefined || isGuest ? (
        <>
          <MenuAction
            icon={<UserRoundPlus aria-hidden />}
            label={isGuest ? 'Keep my documents' : 'Create an account'}
            onChoose={() => askForAccount('sign-up')}
          />
          <MenuAction
            icon={<LogIn aria-hidden />}
            label="Sign in"
            onChoose={() => askForAccount('sign-in')}
          />
        </>
      ) : (
        <MenuAction
          icon={<UserRound aria-hidden />}
          label="Account"
          onChoose={() => location.assign(under('/account'))}
        />
      )}
      {account === undefined ? null : <SignOut session={session} onLeave={onLeave} />}
    </>
  )
}

function SignOut({ session, onLeave }: OwnAccountProps) {
  const state = useStore(session.saveState)
  const changes = 'changes' in state ? state.changes : 0
  const isSafe = (state.kind === 'saved' || changes === 0) && state.unsent === undefined
  return (
    <MenuAction
      icon={<LogOut aria-hidden />}
      label={isSafe ? 'Sign out' : 'Sign out (after everything is saved)'}
      isOff={!isSafe}
      onChoose={onLeave}
    />
  )
}
