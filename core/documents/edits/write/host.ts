/**
 * What the writers of this folder are handed while they write: whose edit it is, fresh block ids,
 * and where to report text that had to be cloned. They run inside the caller's transaction.
 */
import type * as Y from 'yjs'
import type { ActorId, BlockId } from '../../../../schema/ids.ts'
import type { StructRange } from '../../../../schema/yjs/struct-id.ts'

export interface WriteHost {
  readonly doc: Y.Doc
  readonly actor: ActorId
  newId(): BlockId
  /**
   * The structs `copy` stand for `original` (equal lengths in all): whoever wrote those wrote
   * these.
   */
  credit(original: readonly StructRange[], copy: readonly StructRange[]): void
}
