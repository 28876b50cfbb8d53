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
  const reason = reasonOf({ code, isCancelled, isLinking })
  return { title, text: isLinking ? `${reason} Your account has not changed.` : reason }
}

function reasonOf({ code, isCancelled, isLinking }: Omit<FailedSignIn, 'back'>): string {
  if (isCancelled) return 'Signing in was cancelled.'
  switch (code) {
    case 'FORBIDDEN':
      return isLinking
        ? 'Start linking from your account page.'
        : 'You have no account here. Ask your administrator for one.'
    case 'IDENTITY_TAKEN':
      return 'This identity is already linked to another account.'
    case 'AUTH_REQUIRED':
      return 'Sign in to the account first, then link it.'
    case 'RATE_LIMITED':
      return 'Too many attempts from your network. Wait a minute and try again.'
    case 'UNAVAILABLE':
      return 'Single sign-on is not responding. Try again in a few minutes.'
    default:
      return 'Single sign-on failed or took too long. Try again.'
  }
}
