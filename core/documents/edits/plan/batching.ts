/**
 * Edits on the current base, in request order: later ones see what earlier ones made (interface
 * §4.5, batch rules 1 and 5). An offset of the base is carried along.
 */

import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { findText, readingOf } from '../../../../schema/markdown/matching.ts'
import { diffTexts } from '../../../text/text-diff.ts'
import type { Edit } from '../request/edit.ts'
import type { Draft } from './draft.ts'
import { type Failed, noPosition, type PositionContext } from './position.ts'
import { findPosition } from './positioning.ts'

export function applyInTurn(
  draft: Draft,
  edits: readonly Edit[],
  tombstones: PositionContext['tombstones'],
): void {
  const base = draft.text
  const shifts: Shift[] = []
  const reading = readingOf()
  const countsOffsets = edits.some((edit) => edit.form === 'replace' && edit.at !== undefined)
  for (const [index, edit] of edits.entries()) {
    const { text } = draft
    const position = findPosition(
      {
        text,
        isStale: false,
        behindOthers: (offset) => offset,
        tombstones,
        reading,
        shifted: (offset) =>
          shifts.reduce((at, { from, by }) => (at >= from ? at + by : at), offset),
      },
      edit,
    )
    if (position.kind === 'failed') {
      draft.fail(index, ownDoing(position, edit, { base, text }))
    } else draft.make(index, position)
    const change = countsOffsets ? diffTexts(text, draft.text) : undefined
    if (change === undefined) continue
    const from = position.kind === 'splice' ? position.splice.to : change.at + change.remove
    shifts.push({ from, by: draft.text.length - text.length })
  }
}

/** What stood at or behind `from` now stands `by` further. */
interface Shift {
  readonly from: number
  readonly by: number
}

/** The text stood once when the request was written: earlier edits of it made it several. */
function ownDoing(
  failed: Failed,
  edit: Edit,
  { base, text }: { readonly base: DocumentText; readonly text: DocumentText },
): Failed {
  if (failed.code !== 'EDIT_AMBIGUOUS' || edit.form !== 'replace' || base === text) return failed
  if (findText(base, edit.oldString, {}).total !== 1) return failed
  return noPosition('EDIT_INTENT_AMBIGUOUS', { shown: edit.oldString })
}
