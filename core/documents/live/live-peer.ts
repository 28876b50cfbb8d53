/**
 * A live editor or a follower of changes as a document sees it, and a document as those see it.
 * What they are told is durable.
 */
import type { ErrorCode } from '../../../schema/errors.ts'
import type { ActorId, ThreadId } from '../../../schema/ids.ts'
import type { Role } from '../../commit/facts.ts'
import type { Writer } from '../../commit/permission.ts'
import type { Fates } from '../threads/threads.ts'
import type { AuthorRun } from '../views/document-view.ts'

export interface Change {
  readonly revision: number
  readonly event: string
  /** Everyone who had a part in it, first writer first. */
  readonly actors: readonly ActorId[]
  /** Threads in which something was said or decided. */
  readonly threads?: readonly ThreadId[] | undefined
  /** What became of anchors. */
  readonly fates?: Fates | undefined
}

export interface Follower {
  onChange(change: Change): void
  /** Nothing more will be told; to go on, follow anew. */
  onClose(code: number, reason: string): void
}

export interface Following {
  /** The revision that was current and durable when following began. */
  readonly revision: number
  current(): number
  stop(): void
}

/**
 * What many identities of one attacker have in common. What identities can be made of at will is
 * bounded by these, for which it takes another network or another link.
 */
export interface Sources {
  /** The caller's network. */
  readonly address: string
  /** What let it in: the link or token that others may have come through too, else its account. */
  readonly link: string
}

/** What a live peer's credential is worth at the moment. */
export interface PeerAccess {
  readonly role: Role
  /** Known before its holder has a name; undefined: a credential that stands for nobody yet. */
  readonly actor: ActorId | undefined
  /** Who is credited with its writes; undefined: it has to identify first. */
  readonly writer: Writer | undefined
  /** Names the credential, not the account that it may take later. */
  readonly holder: string
  readonly sources: Sources
}

/** One live socket as the document sees it. Called back only with what is durable. */
export interface LivePeer {
  /** Whether this socket asked for JSON events. */
  readonly events: boolean
  /** Its copy is known to be of the present life of the store (no restore in between). */
  readonly knowsEpoch: boolean
  /** Asked at each update, since roles and identities change while a socket is open. */
  access(): PeerAccess
  /** A merged Yjs update (V1). */
  onUpdate(update: Uint8Array): void
  onChange(change: Change): void
  /** Authorship after an edit, throttled (§6.2). */
  onProvenance(ranges: readonly AuthorRun[]): void
  /** `count` of this peer's update messages are durable, or were dropped, at `revision`. */
  onSaved(saved: { readonly revision: number; readonly updates: number }): void
  /** An update of this peer that changes something was taken. */
  onWrite(): void
  /** Whether more messages may come: while false, nothing more is to be read from it. */
  onReading(isReading: boolean): void
  /** The document ends this session. */
  onClose(code: number, reason: ErrorCode | string): void
}

/** Of a document, as everyone may know it. */
export interface Current {
  readonly revision: number
  readonly readOnly: boolean
  readonly commentsDisabled: boolean
}

export interface LiveSession {
  /** The document is not in memory, so that no clientID can be reserved. */
  readonly isAway: boolean
  /** Opens it. Refuses what opening a document refuses. */
  open(): Promise<void>
  /**
   * The state this peer lacks (sync step 2); `vector` is its own state vector. Durable content
   * only.
   */
  answerStep1(vector: Uint8Array): Promise<Uint8Array>
  /** What is durable at the moment. */
  current(): Current
  /** The server's own state vector when the session began, for its sync step 1. */
  readonly stateVector: Uint8Array
  /**
   * An update message or the peer's sync step 2 (`answersStep1`). Judged, applied, stored, then
   * shown.
   */
  receive(update: Uint8Array, answersStep1: boolean): void
  /** Reserves a clientID that the peer announced by awareness; false: it is somebody else's. */
  reserveClient(client: number): boolean
  leave(): void
}
