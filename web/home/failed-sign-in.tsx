/**
 * What became of signing in with the provider of identities, where it did not work: said in words,
 * with the way to try again and the way back. Loaded on first use.
 */
import { linkAddress, providerAddress } from '../api/account.ts'
import { Told } from '../app/told.tsx'
import type { FailedSignIn } from './sign-in-outcome.ts'

export function FailedSignInPage(failed: FailedSignIn) {
  const { back, isLinking } = failed
  return (
    <Told {...wordsOf(failed)}>
      <a className="button button-primary" href={isLinking ? linkAddress : providerAddress(back)}>
        Try again
      </a>
      <a className="button" href={back}>
        {back === '/' ? 'All documents' : back === '/account' ? 'Account' : 'Back to the document'}
      </a>
    </Told>
  )
}

/** A heading, what happened, and what is true now. */
export function wordsOf({ code, isCancelled, isLinking }: FailedSignIn): {
  readonly title: string
  readonly text: string
} {
  const title = isLinking ? 'Your account was not linked' : 'You were not signed in'
  const asBefore = isLinking ? 'Your account is as it was.' : 'Here everything is as it was.'
  return { title, text: `${reasonOf({ code, isCancelled, isLinking })} ${asBefore}` }
}

function reasonOf({ code, isCancelled, isLinking }: Omit<FailedSignIn, 'back'>): string {
  if (isCancelled) return 'Signing in was cancelled.'
  switch (code) {
    case 'FORBIDDEN':
      return isLinking
        ? 'Linking begins on your account’s page, and this came from elsewhere.'
        : 'There is no account for you yet, and whoever runs this service hands them out.'
    case 'IDENTITY_TAKEN':
      return 'You can sign in to another account with this identity, and it leads to one only.'
    case 'AUTH_REQUIRED':
      return 'You have to be signed in to the account that is to be linked.'
    case 'RATE_LIMITED':
      return 'There were too many tries from your network. Wait a minute before the next.'
    case 'UNAVAILABLE':
      return 'Single sign-on does not answer at the moment. Try again in a little while.'
    default:
      return 'Single sign-on did not vouch for you, or it took too long.'
  }
}
