/** The account's dialog where somebody asked for it, or where a question is left from signing in. */
import { lazy, Suspense, useState } from 'react'
import type { Account } from '../api/account.ts'
import { readItem, writeItem } from '../platform/device-storage.ts'
import { useStore } from '../platform/store.ts'
import { askedAccount } from './ask.ts'

const AccountDialog = lazy(async () => ({
  default: (await import('./account-dialog.tsx')).AccountDialog,
}))

export interface AccountLayerProps {
  readonly account: Account | undefined
  /** Resolves once nothing that was written here can be lost by leaving the guest's session. */
  readonly ready?: () => Promise<void>
  readonly onSignedIn: (account: Account) => void
  /** The question about a guest's documents is answered, or put off. */
  readonly onSettled?: () => void
}

const putOffKey = 'guest-documents-put-off'

export function AccountLayer({ account, ready, onSignedIn, onSettled }: AccountLayerProps) {
  const mode = useStore(askedAccount)
  const [isPutOff, setPutOff] = useState(() => readItem(putOffKey, 'sessionStorage') === 'yes')
  const isLeft = account?.guest_documents !== undefined && !isPutOff
  if (mode === undefined && !isLeft) return null
  const close = () => {
    if (account?.guest_documents !== undefined) {
      // Not again at the next document; home has a line that asks.
      writeItem(putOffKey, 'yes', 'sessionStorage')
      setPutOff(true)
      onSettled?.()
    }
    askedAccount.set(undefined)
  }
  return (
    <Suspense>
      <AccountDialog
        mode={mode}
        account={account}
        {...(ready && { ready })}
        onSignedIn={onSignedIn}
        onClose={close}
      />
    </Suspense>
  )
}
