/** The way to the provider of identities, where the service has one. */
import { KeyRound } from 'lucide-react'
import { providerAddress, type SignInWays } from '../api/account.ts'

export interface ProviderProps {
  readonly ways: SignInWays | undefined
  /** No form follows. */
  readonly isAlone?: boolean
}

export function Provider({ ways, isAlone = false }: ProviderProps) {
  if (ways?.provider !== true) return null
  return (
    <>
      <a className="button button-line provider" href={providerAddress(hereOrHome())}>
        <KeyRound aria-hidden />
        Continue with single sign-on
      </a>
      {isAlone ? null : (
        <p className="form-or" aria-hidden>
          or
        </p>
      )}
    </>
  )
}

/** One comes back to the document that one is at. */
const hereOrHome = (): string => /^\/d\/[0-9a-z]{20}$/.exec(location.pathname)?.[0] ?? '/'
