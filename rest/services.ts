/**
 * What the routes are given: the core, the doors to the outside, and the settings of this process.
 */
import type { Assets } from '../core/assets/assets.ts'
import type { Documents } from '../core/documents/contract.ts'
import type { FairWork } from '../core/documents/live/fair-work.ts'
import type { Feedback } from '../core/feedback/feedback.ts'
import type { People } from '../core/people.ts'
import type { Purges } from '../core/purge/purges.ts'
import type { Runtime } from '../schema/runtime.ts'
import type { IdentityProvider } from './accounts/identity-provider.ts'
import type { Hints } from './addresses/setting-hints.ts'
import type { ByteShares } from './quotas/byte-shares.ts'
import type { ProcessorTime } from './quotas/processor-time.ts'
import type { Quotas, Rates } from './quotas/quotas.ts'
import type { WorkQueue } from './quotas/work-queue.ts'

/** The part of a structured logger that is used here. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface RestConfig {
  /** Origin and path that all addresses begin with; no slash at the end. */
  readonly baseUrl: string
  /** What short links begin with; no slash at the end. */
  readonly shortLinkBase: string
  /** Nobody said what the addresses are: they are those by which each request came. */
  readonly followsHost: boolean
  /** Where the built browser page lies. */
  readonly webDirectory: string
  /** How many proxies in front of the service are believed about the caller's address. */
  readonly trustProxy: number
  readonly rates: Rates
  /** Whether anybody may register an agent. */
  readonly registrationOpen: boolean
  /** Whether anybody may make an account: by a password, by the identity provider alone, not. */
  readonly signup: 'open' | 'oidc' | 'closed'
  /** Whether a name is enough for an account. */
  readonly guestsAllowed: boolean
  /** What a document's text may measure, in UTF-8 bytes; at most 4 MiB. */
  readonly maxMarkdownBytes: number
}

export interface RestOptions {
  readonly documents: Documents
  readonly people: Omit<People, 'close'>
  readonly purges: Pick<Purges, 'delete'>
  readonly assets: Assets
  readonly feedback: Feedback
  readonly runtime: Runtime
  readonly logger: Logger
  /** Names the present life of the store; a restore begins another. */
  readonly epoch: () => string
  readonly config: RestConfig
  /** Who vouches for people; absent: nobody does. */
  readonly identityProvider?: IdentityProvider | undefined
  /** Told of what an operator wants counted. */
  readonly count?: (event: CountedEvent) => void
  /** Whether the store answers and the service is not stopping. */
  readonly ready: () => Promise<boolean>
  /** The metrics as Prometheus text; `undefined`: this caller may not have them. */
  readonly metrics?: (caller: MetricsCaller) => Promise<string | undefined>
  /** Called once for every answered request. */
  readonly observe?: (seen: ObservedRequest) => void
}

export type CountedEvent = 'failed_sign_in' | 'wrong_secret'

export interface MetricsCaller {
  /** The address of the socket, whatever a proxy says. */
  readonly socketAddress: string
  /** The `Host` header, which tells a proxy on this machine from somebody at its keyboard. */
  readonly host: string | undefined
  /** A proxy header came with the request. */
  readonly proxied: boolean
  readonly authorization: string | undefined
}

export interface ObservedRequest {
  readonly method: string
  /** The declared path, so that labels stay few; `none` when no route matched. */
  readonly route: string
  readonly status: number
  readonly ms: number
}

export interface Services extends RestOptions {
  readonly workQueue: WorkQueue
  /** What this thread does of requests, in fair order. */
  readonly fair: FairWork
  readonly quotas: Quotas
  /** Memory for bodies of requests. */
  readonly bodies: ByteShares
  readonly processorTime: ProcessorTime
  /** Memory for answers that are not sent. */
  readonly answers: ByteShares
  readonly hints: Hints
  /** Texts that are the same for everybody, each written when it is first asked for. */
  readonly writtenOnce: Map<string, string>
}
