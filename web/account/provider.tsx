/** The way to the provider of identities, where the service has one. */
import { KeyRound } from 'lucide-react'
import { providerAddress, type SignInWays } from '../api/account.ts'
import { pathHere } from '../api/base.ts'
import { FormProblem, useForm } from './form.tsx'

export interface ProviderProps {
  readonly ways: SignInWays | undefined
  /** Resolves once nothing that was written here can be lost by leaving the guest's session. */
  readonly ready: () => Promise<void>
  /** No form follows. */
  readonly isAlone?: boolean
}

export function Provider({ ways, ready, isAlone = false }: ProviderProps) {
  const form = useForm({
    async send() {
      await ready()
      location.assign(providerAddress(hereOrHome()))
    },
  })
  if (ways?.provider !== true) return null
  return (
    <>
      <form className="account-form" {...form.attributes}>
        <button type="submit" className="button button-line provider" disabled={form.isBusy}>
          <KeyRound aria-hidden />
          Continue with single sign-on
        </button>
        <FormProblem problem={form.problem} />
      </form>
      {isAlone ? null : (
        <p className="form-or" aria-hidden>
          or
        </p>
      )}
    </>
  )
}

/** One comes back to the page that one is at. */
const hereOrHome = (): string => /^\/(?:account|d\/[0-9a-z]{20})$/.exec(pathHere())?.[0] ?? '/'
