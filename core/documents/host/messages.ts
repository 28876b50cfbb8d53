/**
 * The messages by which a document host in another thread is reached. Each direction carries lists
 * of them, posted once in a turn of the event loop, in the order in which they were made.
 */
import type {
  Commit,
  CommitResult,
  KeyedValue,
  Range,
  StoredValue,
} from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import type {
  ConnectRequest,
  Current,
  Follower,
  LivePeer,
  PeerAccess,
  Sources,
} from '../live/live-peer.ts'
import type { PlainError } from './plain-errors.ts'
import type { Ask, HostCall } from './protocol.ts'

/** A session or a follower, by a number that the front gives it. */
export type SessionId = number

/** What a session was told when it began. */
export interface Connected {
  readonly stateVector: Uint8Array
  readonly current: Current
}

/** A call, of which there is one type for each name. */
type Called = {
  [K in HostCall]: { readonly name: K; readonly ask: Ask<K> }
}[HostCall]

/** Answered under the same `id`, once. */
export type Question =
  | ({ readonly kind: 'call'; readonly id: number } & Called)
  | {
      readonly kind: 'connect'
      readonly id: number
      readonly session: SessionId
      readonly slug: Slug
      readonly request: ConnectRequest
    }
  | {
      readonly kind: 'follow'
      readonly id: number
      readonly session: SessionId
      readonly slug: Slug
      readonly sources: Sources
    }
  | {
      readonly kind: 'step1'
      readonly id: number
      readonly session: SessionId
      readonly vector: Uint8Array
    }
  | {
      readonly kind: 'reserve'
      readonly id: number
      readonly session: SessionId
      readonly clients: readonly number[]
    }
  | { readonly kind: 'close'; readonly id: number }

export type ToHost =
  | Question
  | { readonly kind: 'access'; readonly session: SessionId; readonly access: PeerAccess }
  | {
      readonly kind: 'receive'
      readonly session: SessionId
      readonly update: Uint8Array
      readonly answersStep1: boolean
    }
  | { readonly kind: 'leave'; readonly session: SessionId }
  | { readonly kind: 'ping' }
  /** Answered by `gone` where nothing of the document is in the host. */
  | { readonly kind: 'look'; readonly slug: Slug }
  /** The store's answer to what the host asked under this number. */
  | { readonly kind: 'stored'; readonly id: number; readonly answer: StoreAnswer }
  | { readonly kind: 'store-failed'; readonly id: number; readonly error: PlainError }

/** The events of sessions and followers, by the name of the method that takes them. */
export type SessionEvents = Required<{
  [Name in keyof (LivePeer & Follower)]: Parameters<(LivePeer & Follower)[Name]>
}>
export type SessionEvent = {
  [Name in keyof SessionEvents]: { readonly name: Name; readonly data: SessionEvents[Name] }
}[keyof SessionEvents]

/** One event of all these sessions. */
export interface SessionBroadcast {
  readonly kind: 'event'
  readonly sessions: readonly SessionId[]
  readonly event: SessionEvent
}

export type FromHost =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: PlainError }
  /** The time that a call has taken since this was told last, in milliseconds. */
  | { readonly kind: 'work'; readonly id: number; readonly ms: number }
  | SessionBroadcast
  /** So many bytes of these sessions' updates were taken since this was told last. */
  | { readonly kind: 'taken'; readonly of: readonly (readonly [SessionId, number])[] }
  | { readonly kind: 'usage'; readonly openCount: number; readonly memoryBytes: number }
  /** Nothing of the document is in the host any more, nor anybody. */
  | { readonly kind: 'gone'; readonly slug: Slug }
  /** The document has become a large one. */
  | { readonly kind: 'grown'; readonly slug: Slug }
  | { readonly kind: 'trouble'; readonly slug: Slug; readonly error: PlainError }
  | { readonly kind: 'pong' }
  | ({ readonly kind: 'store'; readonly id: number } & StoreQuestion)

/** What a host asks of the store; records are read in pages over one snapshot. */
export type StoreQuestion =
  | { readonly op: 'get'; readonly key: string }
  | { readonly op: 'getMany'; readonly keys: readonly string[] }
  /** Answered with the first page; `scan` names it for those that follow. */
  | { readonly op: 'scan'; readonly scan: number; readonly range: Range }
  | { readonly op: 'next' | 'end'; readonly scan: number }
  | {
      readonly op: 'commit'
      readonly commit: Commit
      /** What the front tells once it is durable, before it answers. */
      readonly shown: readonly SessionBroadcast[]
    }

export interface Page {
  readonly records: readonly KeyedValue[]
  readonly isLast: boolean
}

export type StoreAnswer =
  | StoredValue
  | undefined
  | readonly (StoredValue | undefined)[]
  | Page
  | CommitResult
