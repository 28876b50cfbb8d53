/**
 * Where one edit means to work: a splice of the markdown or a command on blocks, or why there is no
 * such place. What placing needs to know beside the text is handed in; nothing is changed here.
 */
import { assertNever, type ErrorCode } from '../../../schema/errors.ts'
import type { BlockRange, DocumentText } from '../../../schema/markdown/document-text.ts'
import type { TombstoneFields } from '../block-address.ts'
import type { Tombstones } from '../tombstones.ts'
import type { Destination } from './block-targets.ts'
import { placeBlockDelete, placeBlockInsert, placeBlockMove } from './place-blocks.ts'
import { placeAnchors, placeReplacement } from './place-text.ts'
import type { Edit } from './request.ts'
import type { Splice } from './splice-step.ts'

export interface PlacingContext {
  readonly text: DocumentText
  /** The base was stale: targets are sought anew. */
  readonly isStale: boolean
  /** Where an insert at this offset goes, behind what others inserted there since the base. */
  behindOthers(offset: number): number
  readonly tombstones: Pick<Tombstones, 'resolve'>
  /** Where an offset of the base text is in `text`. */
  shifted(offset: number): number
}

export type Command =
  | { readonly kind: 'delete'; readonly block: BlockRange }
  | { readonly kind: 'move'; readonly block: BlockRange; readonly to: Destination }
  | { readonly kind: 'insert'; readonly to: Destination; readonly markdown: string }

export interface Failed {
  readonly kind: 'failed'
  readonly code: ErrorCode
  readonly reason?: string
  /** Text whose places are to be shown. */
  readonly shown?: string
  readonly tombstone?: TombstoneFields
}

export type Placed =
  | { readonly kind: 'splice'; readonly splice: Splice }
  /** `at`: where it works in the text, for the order among several. */
  | { readonly kind: 'command'; readonly command: Command; readonly at: number }
  | { readonly kind: 'document'; readonly markdown: string }
  | Failed

export const notPlaced = (code: ErrorCode, more: Omit<Failed, 'kind' | 'code'> = {}): Failed => ({
  kind: 'failed',
  code,
  ...more,
})

export function place(context: PlacingContext, edit: Edit): Placed {
  switch (edit.form) {
    case 'replace':
      return placeReplacement(context, edit)
    case 'anchor_insert':
      return placeAnchors(context, edit)
    case 'block_insert':
      return placeBlockInsert(context, edit)
    case 'delete_block':
      return placeBlockDelete(context, edit)
    case 'move_block':
      return placeBlockMove(context, edit)
    case 'replace_document':
      return { kind: 'document', markdown: edit.markdown }
    default:
      return assertNever(edit)
  }
}
