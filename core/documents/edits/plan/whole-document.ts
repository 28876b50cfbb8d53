/**
 * A whole new text (`replace_document`, interface §4.5) as the smallest change of blocks: those that
 * stay as they are are not touched. HTML may come back as it was, not be added.
 */

import type { Node } from 'prosemirror-model'
import { staysOf } from '../../../../schema/diff/blocks.ts'
import { byWords, type Comparing } from '../../../../schema/diff/comparing.ts'
import { match, type Part } from '../../../../schema/diff/correspondence.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { keepOld } from '../../../../schema/markdown/node-sameness.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { BlockSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { reparse } from '../../../../schema/markdown/window.ts'
import { diffStrings } from '../../../text/text-diff.ts'
import type { ReplaceDocumentEdit } from '../request/edit.ts'
import { htmlTags, surplus } from './content-checks.ts'
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
import { orInvalid } from './splice-operation.ts'

export const documentOperation = (
  text: DocumentText,
  edit: WholeText,
  comparing: Comparing = byWords,
): OperationResult => orInvalid(() => replaced(text, edit, comparing))

type WholeText = Pick<ReplaceDocumentEdit, 'markdown' | 'asItWas'>

function replaced(
  text: DocumentText,
  { markdown, asItWas }: WholeText,
  comparing: Comparing,
): OperationResult {
  const old = nodesIn(text, 0, text.blockCount)
  const next =
    asItWas || text.length === 0 ? readWhole(old, markdown, !asItWas) : read(text, markdown)
  const parts = partsOf(old, next)
  if (parts.length === 0) return unchanged
  const changes = parts.map(changeOf)
  if (!asItWas && addsHtml(old, changes)) return refused('INVALID_MARKDOWN', 'raw_html')
  const draft = draftOf(text, changes)
  if (!readsBack(text, draft)) return refused('EDIT_VERIFICATION_FAILED', 'does_not_read_back')
  return operationOf(draft, parts, comparing)
}

const readWhole = (old: readonly Node[], markdown: string, isEdit: boolean): readonly Node[] =>
  keepOld(old, parseMarkdown(markdown, { isEdit }).children)

/** Reads what differs, so that a word costs no more than as an edit of that word. */
function read(text: DocumentText, markdown: string): readonly Node[] {
  const old = nodesIn(text, 0, text.blockCount)
  const lines = markdown.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const change = diffStrings(text.toString(), lines.endsWith('\n') ? lines : `${lines}\n`)
  if (change === undefined) return old
  const { at, remove, insert } = change
  const { from, to, nodes } = reparse(text, { from: at, to: at + remove, insert })
  return [...old.slice(0, from), ...nodes, ...old.slice(to)]
}

/** One part for each stretch in which no block stays as it is. */
function partsOf(old: readonly Node[], next: readonly Node[]): Part[] {
  const [whole] = match([{ from: 0, old, next }])
  if (whole === undefined) return []
  const { row } = whole
  const stretches: Part[] = []
  let [from, start] = [0, 0]
  const close = (to: number, end: number): void => {
    if (to === from && end === start) return
    stretches.push({
      from,
      row: { old: row.old.slice(from, to), next: row.next.slice(start, end) },
    })
  }
  for (const [block, at, index] of staysOf(row)) {
    if (!block.isKept) continue
    close(at, index)
    from = at + 1
    start = index + 1
  }
  close(old.length, next.length)
  return nameParts(stretches)
}

function addsHtml(old: readonly Node[], parts: readonly BlockSplice[]): boolean {
  const before = parts.flatMap(({ from, to }) => old.slice(from, to).flatMap(htmlTags))
  return (
    surplus(
      before,
      parts.flatMap(({ nodes }) => nodes.flatMap(htmlTags)),
    ).length > 0
  )
}
