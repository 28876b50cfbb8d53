/** The menu of who one is on home. Loaded on first use. */
import { LogIn, LogOut, UserRound, UserRoundPlus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { askForAccount } from '../account/ask.ts'
import type { Account } from '../api/account.ts'
import { under } from '../api/base.ts'
import { Entry, LazyMenu, Rule } from './lazy-menu.tsx'
import type { MenuButton } from './on-first-use.tsx'

export interface PersonMenuProps extends MenuButton {
  readonly account: Account
  readonly onLeave: () => void
}

export function PersonMenu({ account, onLeave, ...button }: PersonMenuProps) {
  const { guest, handle, name } = account
  return (
    <LazyMenu {...button}>
      <DropdownMenu.Label className="person-said">
        <strong>{name}</strong>
        <span>{guest ? 'Guest' : `@${handle}`}</span>
      </DropdownMenu.Label>
      <Rule />
      {guest ? (
        <>
          <Entry
            icon={<UserRoundPlus aria-hidden />}
            label="Keep my documents"
            onChoose={() => askForAccount('sign-up')}
          />
          <Entry
            icon={<LogIn aria-hidden />}
            label="Sign in"
            onChoose={() => askForAccount('sign-in')}
          />
        </>
      ) : null}
      <Entry
        icon={<UserRound aria-hidden />}
        label="Account"
        onChoose={() => location.assign(under('/account'))}
      />
      <Entry icon={<LogOut aria-hidden />} label="Sign out" onChoose={onLeave} />
    </LazyMenu>
  )
}
