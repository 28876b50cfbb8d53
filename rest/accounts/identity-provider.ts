/**
 * Who vouches for people elsewhere (extensions §3), as the routes see it: somewhere to send a
 * browser, and what to make of it when it comes back. The protocol is the composition's.
 */
import type { Identity } from '../../core/accounts/identities.ts'

export interface Detour {
  /** Where the browser goes. */
  readonly address: string
  /** What has to be there again when it comes back; for this browser alone. */
  readonly memory: string
}

export interface IdentityProvider {
  /** Refuses UNAVAILABLE when the provider does not answer. */
  begin(returnAddress: string): Promise<Detour>
  /**
   * `address` is the one it came back by. Refuses LOGIN_FAILED what proves nobody, UNAVAILABLE when
   * the provider does not answer.
   */
  finish(address: string, memory: string): Promise<Identity>
}
