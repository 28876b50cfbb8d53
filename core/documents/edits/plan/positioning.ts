/**
 * Where one edit means to work: a splice of the markdown or a command on blocks, or why there is no
 * such place. What placing needs to know beside the text is handed in; nothing is changed here.
 */
import { assertNever } from '../../../../schema/errors.ts'
import type { Steps } from '../../../../schema/steps.ts'
import type { Edit } from '../request/edit.ts'
import { placeBlockDelete, placeBlockInsert, placeBlockMove } from './block-positions.ts'
import type { Placed, PlacingContext } from './position.ts'
import { placeAnchors, placeReplacement } from './text-positions.ts'

export function* place(context: PlacingContext, edit: Edit): Steps<Placed> {
  switch (edit.form) {
    case 'replace':
      return yield* placeReplacement(context, edit)
    case 'anchor_insert':
      return yield* placeAnchors(context, edit)
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
