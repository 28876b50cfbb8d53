/**
 * Finds where one edit means to work: a splice of the markdown or a command on blocks, or why there
 * is no such position. What it needs to know beside the text is handed in; nothing is changed here.
 */
import { assertNever } from '../../../../schema/errors.ts'
import type { Edit } from '../request/edit.ts'
import { positionOfDelete, positionOfInsert, positionOfMove } from './block-positions.ts'
import type { Position, PositionContext } from './position.ts'
import { positionAtAnchors, positionOfReplacement } from './text-positions.ts'

export function findPosition(context: PositionContext, edit: Edit): Position {
  switch (edit.form) {
    case 'replace':
      return positionOfReplacement(context, edit)
    case 'anchor_insert':
      return positionAtAnchors(context, edit)
    case 'block_insert':
      return positionOfInsert(context, edit)
    case 'delete_block':
      return positionOfDelete(context, edit)
    case 'move_block':
      return positionOfMove(context, edit)
    case 'replace_document':
      return { kind: 'document', edit }
    default:
      return assertNever(edit)
  }
}
