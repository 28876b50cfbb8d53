/** A live update on its way into a commit. */
import type { ActorId } from '../../schema/ids.ts'
import type { Writer } from './permission.ts'

/** A live session that counts how many of its update messages are settled (stored or dropped). */
export interface SavedCount {
  saved(count: number): void
}

/** A live update that the guard admitted. */
export interface AdmittedUpdate {
  readonly update: Uint8Array
  /** Before the guard trimmed it: with the deletions of what is deleted already. */
  readonly asSent: Uint8Array
  readonly actor: ActorId
  /** Free clientIDs that become this actor's now. */
  readonly claims: readonly number[]
  /** The clientIDs it brings structs of. */
  readonly clients: readonly { readonly client: number }[]
  /** What it takes to merge beyond its length, in looks at structs (`UpdateFacts`). */
  readonly effort: number
}

/** A live update that waits to be applied. */
export interface QueuedUpdate extends AdmittedUpdate {
  readonly writer: Writer
  readonly session: SavedCount
  /** About what it adds to the markdown, in UTF-8 bytes and in nodes. */
  readonly insertedBytes: number
  readonly blocks: number
}
