/**
 * The port for requests to addresses that users name, and what can be said of such an address
 * without a look-up. The implementation is in `server/outbound/`; nothing here opens a connection.
 */
import { limits } from '../../schema/limits.ts'

export interface OutboundRequest {
  readonly url: string
  /**
   * For whom it is sent: a connection may be used again for the next request of the same target.
   * Absent: it is used once.
   */
  readonly target?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** For all of it: look-up, connection, answer. */
  readonly timeoutMs: number
}

export type OutboundOutcome = { readonly ms: number } & (
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The header, as it came. */
      readonly retryAfter: string | undefined
    }
  /** No answer; `error` may be shown to whoever chose the address. */
  | { readonly kind: 'failed'; readonly error: string }
  /** The service is stopping: the request may or may not have arrived. */
  | { readonly kind: 'aborted' }
)

export interface Outbound {
  /**
   * Why requests to this address are refused; `undefined`: they are not. A name that does not
   * resolve is not refused, since it is judged again by each request.
   */
  problem(url: string): Promise<string | undefined>
  /** One POST without redirects. Rejects only for a bug. */
  post(request: OutboundRequest): Promise<OutboundOutcome>
  /** Aborts what is under way. */
  abort(): void
}

/** What is wrong with the text of an http or https address; `undefined`: nothing. */
export function urlProblem(text: string): string | undefined {
  if (text.length > limits.addressMaxChars) {
    return `must have at most ${limits.addressMaxChars} characters`
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return 'must be an http or https address'
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  return undefined
}

/** The refusal of an address; it does not say where a name leads. */
export const notPublic =
  'must resolve to public addresses (an operator can allow others with OUTBOUND_ALLOW)'
