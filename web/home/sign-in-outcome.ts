/**
 * How a detour to the provider of identities ended, where it did not end in a session (extensions
 * §9): the service says it at the page's root, and the address still has what the provider said.
 */
import { under } from '../api/base.ts'
export interface FailedSignIn {
  /** The service's. */
  readonly code: string
  /** The person did not go on there. */
  readonly isCancelled: boolean
  /** An account was to be linked. */
  readonly isLinking: boolean
  /** Where one came from. */
  readonly back: string
}

/** `undefined`: this page is no such end. What was in the address is gone from it. */
export function takeFailedSignIn(): FailedSignIn | undefined {
  const {
    signIn: code,
    signInBack: back = '/',
    signInLink: link,
  } = document.documentElement.dataset
  if (code === undefined) return undefined
  const isCancelled = new URLSearchParams(location.search).get('error') === 'access_denied'
  // A reload asks for home, not for an end that is good once.
  history.replaceState(history.state, '', under(back))
  return { code, isCancelled, isLinking: link !== undefined, back }
}

/** A heading, what happened, and what is true now. */
export function failedWords({ code, isCancelled, isLinking }: Omit<FailedSignIn, 'back'>): {
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
