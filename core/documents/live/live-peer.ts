/**
 * The contract between a document and its live editors and followers of changes. All of it can be
 * sent as messages: arguments, answers and events are plain data, and no call answers at once.
 * Events tell only of what is durable.
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

/** What is durable of a document and may be known to everyone. */
export interface Current {
  readonly revision: number
  readonly readOnly: boolean
  readonly commentsDisabled: boolean
}

export interface Follower {
  /** What is current changed. Comes before `onChange` and `onSaved` of the same commit. */
  onCurrent(current: Current): void
  onChange(change: Change): void
  /** Following has ended; to go on, follow anew. */
  onClose(code: number, reason: string): void
}

export interface Following {
  /** The revision that was current and durable when following began; `onCurrent` tells of later. */
  readonly revision: number
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

/** The value of a live peer's credential at the moment. */
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

/** What a live socket says of itself when it connects. */
export interface ConnectRequest {
  readonly access: PeerAccess
  /** It wants JSON events: `onProvenance` and `onSaved` are for these only. */
  readonly events: boolean
  /** Its copy is known to be of the present life of the store (no restore in between). */
  readonly knowsEpoch: boolean
}

/**
 * Receives the events of one live session, in order. They carry plain data, tell only of what is
 * durable, and may come before `connect` has answered. Nothing is asked of it.
 */
export interface LivePeer {
  /** What is current changed. Comes before `onChange` and `onSaved` of the same commit. */
  onCurrent(current: Current): void
  /** A merged Yjs update (V1). */
  onUpdate(update: Uint8Array): void
  onChange(change: Change): void
  /** Authorship after an edit, throttled (interface §6.2). */
  onProvenance(ranges: readonly AuthorRun[]): void
  /** `updates` of this peer's messages are durable, or were dropped, at `revision`. */
  onSaved(saved: { readonly revision: number; readonly updates: number }): void
  /** An update of this peer that changes something was taken. */
  onWrite(): void
  /**
   * The session has begun again where the document is open now, with this state vector. Its editor
   * is to be asked for what the document lacks, and to be sent what it may lack: of commits that
   * were durable when the host ended it was not told.
   */
  onBegun(stateVector: Uint8Array): void
  /** Whether more messages may come: while false, nothing more is to be read from it. */
  onReading(isReading: boolean): void
  /** The document ends this session. */
  onClose(code: number, reason: ErrorCode | string): void
}

/**
 * A live socket's side of its document. Calls are messages: they are handled in the order in which
 * they are made, and none of them answers at once.
 */
export interface LiveSession {
  /** The server's own state vector when the session began, for its sync step 1. */
  readonly stateVector: Uint8Array
  /** What was current when the session began; `onCurrent` tells of later. */
  readonly current: Current
  /** The credential's new value, which counts for every update that is received after it. */
  access(access: PeerAccess): void
  /**
   * The state that this peer lacks (sync step 2); `vector` is its own state vector. Durable content
   * only. Refuses what opening a document refuses, and UNAVAILABLE when the session has ended.
   */
  answerStep1(vector: Uint8Array): Promise<Uint8Array>
  /**
   * An update message or the peer's sync step 2 (`answersStep1`). Judged, applied, stored, then
   * shown.
   */
  receive(update: Uint8Array, answersStep1: boolean): void
  /**
   * Reserves clientIDs that the peer announced by awareness, until its credential has no session
   * any more and a while beyond. Answers those that are reserved; the others are somebody else's.
   * Refuses what opening a document refuses.
   */
  reserve(clients: readonly number[]): Promise<readonly number[]>
  leave(): void
}
