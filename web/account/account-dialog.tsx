/**
 * Signing in and signing up, in one small dialog; then, where a guest leaves documents behind, the
 * question whether they come along. Loaded on first use.
 */
import { useEffect, useState } from 'react'
import { type Account, type SignInWays, signInWays } from '../api/account.ts'
import { Modal } from '../platform/modal.tsx'
import type { AccountMode } from './ask.ts'
import { GuestDocumentsQuestion } from './guest-documents.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export interface AccountDialogProps {
  /** `undefined`: nothing but the question is left. */
  readonly mode: AccountMode | undefined
  /** Who this browser is now. */
  readonly account: Account | undefined
  /** Resolves once nothing that was written here can be lost by leaving the guest's session. */
  readonly ready?: () => Promise<void>
  readonly onSignedIn: (account: Account) => void
  readonly onClose: () => void
}

export function AccountDialog(props: AccountDialogProps) {
  const { account, ready = () => Promise.resolve(), onSignedIn, onClose } = props
  const [mode, setMode] = useState(props.mode)
  const [left, setLeft] = useState(mode === undefined ? account?.guest_documents : undefined)
  const ways = useSignInWays()
  const done = (found: Account) => {
    onSignedIn(found)
    if (found.guest_documents === undefined) onClose()
    else setLeft(found.guest_documents)
  }
  const guest = account?.guest === true ? account : undefined
  const form = { guest, ways, ready, onDone: done, onSwitch: setMode }
  return (
    <Modal className="account-dialog" onClose={onClose}>
      {left !== undefined ? (
        <GuestDocumentsQuestion left={left} onAnswered={onClose} />
      ) : mode === 'sign-in' ? (
        <SignInForm {...form} />
      ) : (
        <SignUpForm {...form} />
      )}
    </Modal>
  )
}

/** `undefined` until the service said; where it does not say, the forms are offered. */
function useSignInWays(): SignInWays | undefined {
  const [ways, setWays] = useState<SignInWays>()
  useEffect(() => {
    let isWanted = true
    signInWays().then(
      (found) => isWanted && setWays(found),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [])
  return ways
}
