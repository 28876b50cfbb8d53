/**
 * A whole new text (`replace_document`, interface §4.5) as the smallest change of blocks: blocks
 * that stay are found by content and not touched, the others are aligned when they are written.
 * HTML may come back as it was, not be added.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { keepOld } from '../../../schema/markdown/node-sameness.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { alignSiblings } from './align.ts'
import { sameContent } from './content.ts'
import { htmlSources } from './content-checks.ts'
import { withIdsOf } from './keep-ids.ts'
import { readsBack } from './read-back.ts'
import { orInvalid } from './splice-step.ts'
import { type BlockChange, type Made, nodesIn, refusedStep, stepOf, unchanged } from './step.ts'

export function documentStep(text: DocumentText, markdown: string): Made {
  return orInvalid(() => replaced(text, parseMarkdown(markdown).children))
}

function replaced(text: DocumentText, parsed: readonly Node[]): Made {
  const old = nodesIn(text, 0, text.blockCount)
  const next = keepOld(old, parsed)
  const parts = partsOf(old, next)
  if (parts.length === 0) return unchanged
  if (addsHtml(old, parts)) return refusedStep('INVALID_MARKDOWN', 'raw_html')
  const step = stepOf(text, parts)
  if (!readsBack(text, step)) return refusedStep('EDIT_VERIFICATION_FAILED', 'does_not_read_back')
  return { kind: 'step', step }
}

/** One change for each stretch in which no block stays. */
function partsOf(old: readonly Node[], next: readonly Node[]): BlockChange[] {
  const partners = alignSiblings(old, next)
  const parts: BlockChange[] = []
  let [from, start] = [0, 0]
  const close = (to: number, end: number): void => {
    if (to > from || end > start) {
      const nodes = withIdsOf(old.slice(from, to), next.slice(start, end))
      parts.push({ from, to, nodes })
    }
  }
  for (const [index, partner] of partners.entries()) {
    if (partner === undefined || !isKept(old[partner], next[index])) continue
    close(partner, index)
    from = partner + 1
    start = index + 1
  }
  close(old.length, next.length)
  return parts
}

const isKept = (old: Node | undefined, next: Node | undefined): boolean =>
  old !== undefined && next !== undefined && sameContent(old, next)

function addsHtml(old: readonly Node[], parts: readonly BlockChange[]): boolean {
  const allowed = new Map<string, number>()
  for (const { from, to, nodes } of parts) {
    for (const source of old.slice(from, to).flatMap(htmlSources)) {
      allowed.set(source, (allowed.get(source) ?? 0) + 1)
    }
    for (const source of nodes.flatMap(htmlSources)) {
      allowed.set(source, (allowed.get(source) ?? 0) - 1)
    }
  }
  return [...allowed.values()].some((left) => left < 0)
}
