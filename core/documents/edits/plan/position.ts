/**
 * Where an edit works: a splice of the markdown, a command on blocks, or why there is no such
 * position; and what has to be known to find it beside the edit.
 */
import type { ErrorCode } from '../../../../schema/errors.ts'
import type { BlockRange, DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { Reading } from '../../../../schema/markdown/matching.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import type { TombstoneFields } from '../../model/block-address.ts'
import type { Tombstones } from '../../model/tombstones.ts'
import type { ReplaceDocumentEdit } from '../request/edit.ts'

export interface PositionContext {
  readonly text: DocumentText
  /** The base was stale: targets are sought anew. */
  readonly isStale: boolean
  /** Where an insert at this offset goes, behind what others inserted there since the base. */
  behindOthers(offset: number): number
  readonly tombstones: Pick<Tombstones, 'resolve'>
  /** Shared by the edits of a request. */
  readonly reading: Reading
  /** Where an offset of the base text is in `text`. */
  shifted(offset: number): number
}

/** A gap between blocks: on one side of a block, or at an end of the document. */
export type Destination =
  | { readonly side: 'after' | 'before'; readonly block: BlockRange }
  | { readonly side: 'start' | 'end' }

export type Command =
  | { readonly kind: 'delete'; readonly block: BlockRange }
  | { readonly kind: 'move'; readonly block: BlockRange; readonly to: Destination }
  | { readonly kind: 'insert'; readonly to: Destination; readonly markdown: string }

export interface Failed {
  readonly kind: 'failed'
  readonly code: ErrorCode
  readonly reason?: string
  /** Text whose occurrences are to be shown. */
  readonly shown?: string
  readonly tombstone?: TombstoneFields
}

export type Position =
  | { readonly kind: 'splice'; readonly splice: TextSplice }
  /** `at`: where it works in the text, for the order among several. */
  | { readonly kind: 'command'; readonly command: Command; readonly at: number }
  | { readonly kind: 'document'; readonly edit: ReplaceDocumentEdit }
  | Failed

export const noPosition = (code: ErrorCode, more: Omit<Failed, 'kind' | 'code'> = {}): Failed => ({
  kind: 'failed',
  code,
  ...more,
})
