/**
 * One splice of the markdown as a change of blocks: re-parsed in its window, judged, and
 * read back before anyone applies it. Pure; an edit that cannot be made is an outcome, not an
 * error.
 */

import type { Node } from 'prosemirror-model'
import { byWords, type Comparing } from '../../../../schema/diff/comparing.ts'
import { match } from '../../../../schema/diff/correspondence.ts'
import type { UnitRange } from '../../../../schema/diff/inline-row.ts'
import { type ErrorCode, Refusal } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { reparse } from '../../../../schema/markdown/window.ts'
import { diffTexts } from '../../../text/text-diff.ts'
import { judgeContent } from './content-checks.ts'
import {
  changeOf,
  draftOf,
  nameParts,
  nodesIn,
  type OperationResult,
  operationOf,
  refused,
  unchanged,
} from './operation.ts'
import { readsBack } from './read-back.ts'
import { judgeStructure } from './structure-checks.ts'
import { keepUnprinted } from './unprinted.ts'
import { withLineEnds } from './whole-lines.ts'
import { losesWords } from './words-kept.ts'

/**
 * What the splice makes of the document. Refuses INVALID_MARKDOWN, AMBIGUOUS_STRUCTURE,
 * EDIT_FAILED, UNSUPPORTED_ATTR_CHANGE, POST_APPLY_MISMATCH and EDIT_VERIFICATION_FAILED.
 */
export const spliceOperation = (
  text: DocumentText,
  splice: TextSplice,
  comparing: Comparing = byWords,
): OperationResult => orInvalid(() => parsedOperation(text, splice, comparing))

const refusals: ReadonlySet<ErrorCode> = new Set(['INVALID_MARKDOWN', 'BROAD_REWRITE'])

/** Turns what the parser refuses, and what moves too many blocks, into an outcome. */
export function orInvalid(make: () => OperationResult): OperationResult {
  try {
    return make()
  } catch (error) {
    if (error instanceof Refusal && refusals.has(error.code)) {
      return refused(error.code, String(error.details['reason']))
    }
    throw error
  }
}

function parsedOperation(
  text: DocumentText,
  asked: TextSplice,
  comparing: Comparing,
): OperationResult {
  const splice = withLineEnds(text, asked)
  const blocks = reparse(text, splice)
  const fault = judgeContent({ text, ...splice, blocks })
  if (fault) return refused('INVALID_MARKDOWN', fault)
  const { from, to, nodes } = blocks
  const [part] = match([{ from, old: nodesIn(text, from, to), next: nodes }])
  if (part === undefined) throw new TypeError('one part was matched')
  const broken = judgeStructure({ text, splice, blocks, row: part.row })
  if (broken) return refused(broken.code, broken.reason)
  if (from === to && nodes.length === 0) return unchanged
  const parts = nameParts([keepUnprinted(text, part)])
  const changes = parts.map(changeOf)
  const draft = draftOf(text, changes)
  // What does not print (a break at the end of a cell) is no change.
  if (diffTexts(text, draft.text) === undefined) return unchanged
  if (losesWords(text, splice, draft)) return refused('POST_APPLY_MISMATCH', 'words_differ')
  if (!readsBack(text, draft)) return refused('EDIT_VERIFICATION_FAILED', 'does_not_read_back')
  return operationOf(draft, parts, { ...comparing, unnamed: unnamedBy(text, splice) })
}

/**
 * The text that a splice does not name although it changes its blocks: what stands before it in its
 * first textblock and behind it in its last. No letter there is anybody's but its author's. By
 * textblocks of the text before the splice, in units of their content.
 */
function unnamedBy(
  text: DocumentText,
  { from, to }: TextSplice,
): (block: Node) => readonly UnitRange[] {
  if (text.blockCount === 0) return () => []
  const isInsert = from === to
  const first = spotAt(text, from, 'start')
  const last = isInsert ? first : spotAt(text, to, 'end')
  const end = Number.MAX_SAFE_INTEGER
  return (block) => {
    if (isInsert && block !== first?.block) return [{ from: 0, to: end }]
    const before = block === first?.block ? [{ from: 0, to: first.offset }] : []
    const behind = block === last?.block ? [{ from: last.offset, to: end }] : []
    return [...before, ...behind]
  }
}

function spotAt(text: DocumentText, offset: number, side: 'start' | 'end') {
  const { index, pos } = text.positionAt(offset, side)
  const top = text.node(index)
  if (pos < 1 || pos - 1 > top.content.size) return undefined
  const { parent, parentOffset } = top.resolve(pos - 1)
  return parent.inlineContent ? { block: parent, offset: parentOffset } : undefined
}
