/**
 * A whole new text (`replace_document`, interface §4.5) as the smallest change of blocks: blocks
 * that stay are found by content and not touched, the others are aligned when they are written.
 * HTML may come back as it was, not be added.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { keepingOld } from '../../../schema/markdown/node-sameness.ts'
import { parsingMarkdown } from '../../../schema/markdown/parser.ts'
import type { Steps } from '../../../schema/steps.ts'
import { aligning } from './align.ts'
import { sameContent } from './content.ts'
import { htmlSources } from './content-checks.ts'
import { Homes } from './homes.ts'
import { givingIds, type Replaced } from './keep-ids.ts'
import { readingBack } from './read-back.ts'
import { orInvalid } from './splice-step.ts'
import {
  type BlockChange,
  type Made,
  nodesIn,
  printingAhead,
  refusedStep,
  stepOf,
  unchanged,
} from './step.ts'

export const replacing = (text: DocumentText, markdown: string): Steps<Made> =>
  orInvalid(replaced(text, markdown))

function* replaced(text: DocumentText, markdown: string): Steps<Made> {
  const { children: parsed } = yield* parsingMarkdown(markdown)
  const old = nodesIn(text, 0, text.blockCount)
  const next = yield* keepingOld(old, parsed)
  const parts = yield* partsOf(old, next)
  if (parts.length === 0) return unchanged
  if (addsHtml(old, parts)) return refusedStep('INVALID_MARKDOWN', 'raw_html')
  yield
  yield* printingAhead(parts.flatMap(({ nodes }) => nodes))
  const step = stepOf(text, parts)
  yield
  if (!(yield* readingBack(text, step)))
    return refusedStep('EDIT_VERIFICATION_FAILED', 'does_not_read_back')
  return { kind: 'step', step }
}

/** One change for each stretch in which no block stays. */
function* partsOf(old: readonly Node[], next: readonly Node[]): Steps<BlockChange[]> {
  const homes = new Homes(old, next)
  yield
  const partners = yield* aligning(old, next, homes)
  const stretches: Replaced[] = []
  let [from, start] = [0, 0]
  const close = (to: number, end: number): void => {
    if (to === from && end === start) return
    const own = partners
      .slice(start, end)
      .map((partner) => (partner === undefined ? undefined : partner - from))
    const [was, now] = [old.slice(from, to), next.slice(start, end)]
    stretches.push({ from, old: was, next: now, partners: own })
  }
  for (const [index, partner] of partners.entries()) {
    if (partner === undefined || !isKept(old[partner], next[index])) continue
    close(partner, index)
    from = partner + 1
    start = index + 1
  }
  close(old.length, next.length)
  return yield* givingIds(stretches, homes)
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
