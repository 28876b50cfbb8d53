/**
 * One splice of the canonical markdown as a change of blocks: re-parsed in its window, judged, and
 * read back before anyone applies it. Pure; an edit that cannot be made is an outcome, not an
 * error.
 */

import { byWords, type Comparing } from '../../../../schema/diff/comparing.ts'
import { matching } from '../../../../schema/diff/correspondence.ts'
import { type ErrorCode, Refusal } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { reparsing } from '../../../../schema/markdown/window.ts'
import { diffTexts } from '../../../text/text-diff.ts'
import { judgingContent } from './content-checks.ts'
import { namingParts } from './named-parts.ts'
import {
  changeOf,
  draftOf,
  finishing,
  type Made,
  nodesIn,
  printingAhead,
  refused,
  unchanged,
} from './operation.ts'
import { readingBack } from './read-back.ts'
import { judgingStructure } from './structure-checks.ts'
import { unnamedBy } from './unnamed-text.ts'
import { keepingUnprinted } from './unprinted.ts'
import { losingWords } from './words-kept.ts'

/**
 * What the splice makes of the document. Refuses INVALID_MARKDOWN, AMBIGUOUS_STRUCTURE,
 * EDIT_FAILED, UNSUPPORTED_ATTR_CHANGE, POST_APPLY_MISMATCH and EDIT_VERIFICATION_FAILED.
 */
export const splicing = (
  text: DocumentText,
  splice: TextSplice,
  comparing: Comparing = byWords,
): Made => orInvalid(() => parsedOperation(text, splice, comparing))

const refusals: ReadonlySet<ErrorCode> = new Set(['INVALID_MARKDOWN', 'BROAD_REWRITE'])

/** Turns what the parser refuses, and what moves too many blocks, into an outcome. */
export function orInvalid(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof Refusal && refusals.has(error.code)) {
      return refused(error.code, String(error.details['reason']))
    }
    throw error
  }
}

function parsedOperation(text: DocumentText, splice: TextSplice, comparing: Comparing): Made {
  const blocks = reparsing(text, splice)
  if ('refused' in blocks) return refused('INVALID_MARKDOWN', 'link_definition')
  const fault = judgingContent({ text, ...splice, blocks })
  if (fault) return refused('INVALID_MARKDOWN', fault)
  const { from, to, nodes } = blocks
  const [part] = matching([{ from, old: nodesIn(text, from, to), next: nodes }])
  if (part === undefined) throw new TypeError('one part was matched')
  const broken = judgingStructure({ text, splice, blocks, row: part.row })
  if (broken) return refused(broken.code, broken.reason)
  if (from === to && nodes.length === 0) return unchanged
  const parts = namingParts([keepingUnprinted(text, part)])
  const changes = parts.map(changeOf)
  printingAhead(changes.flatMap((change) => change.nodes))
  const draft = draftOf(text, changes)
  // What does not print (a break at the end of a cell) is no change.
  if (diffTexts(text, draft.text) === undefined) return unchanged
  if (losingWords(text, splice, draft)) return refused('POST_APPLY_MISMATCH', 'words_differ')
  if (!readingBack(text, draft)) return refused('EDIT_VERIFICATION_FAILED', 'does_not_read_back')
  return finishing(draft, parts, { ...comparing, unnamed: unnamedBy(text, splice) })
}
