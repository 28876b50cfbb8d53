/**
 * How a detour to the provider of identities ended, where it did not end in a session (extensions
 * §9): the service says it at the page's root, and the address still has what the provider said.
 */
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
  history.replaceState(history.state, '', back)
  return { code, isCancelled, isLinking: link !== undefined, back }
}
