/**
 * Changes of a draft as suggestions that the service takes (interface §4.6): exact markdown of the
 * document that stands there once or has a place, and what should stand there instead. Whole words
 * are quoted, and for what is only put in, its neighbours. Invariant: no two quotes overlap, so
 * that each can be accepted by itself, and all together make the text that is shown.
 */
import type { Node } from 'prosemirror-model'
import { textEnds } from '../../schema/diff/ends.ts'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { type Change, isWithinText, toShown } from './changes.ts'

export interface Proposal {
  /** The changes that it is made of. */
  readonly ids: readonly number[]
  /** The quote, in the markdown of the shared document. */
  readonly from: number
  readonly to: number
  readonly oldString: string
  readonly newString: string
  /** Its quote stands elsewhere too: where these words are, in the shared document. */
  readonly place?: DocRange
}

export interface Printed {
  readonly doc: Node
  readonly text: DocumentText
}

/** The markdown [from, to) gives way to `text`. */
interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A stretch that is quoted, and what is put into it. */
interface Span {
  readonly ids: readonly number[]
  readonly from: number
  readonly to: number
  /** In order, within the stretch. */
  readonly splices: readonly Splice[]
  /** It quotes what was quoted before. */
  readonly isPinned: boolean
}

/** `quoted`: what was sent for these changes, to be kept where it still holds all of them. */
export function proposalsOf(
  drafted: Drafted,
  quoted: (ids: readonly number[]) => string | undefined,
): Proposal[] {
  const base = drafted.shared.text.toString()
  const spans = spansOf(drafted).map((span) => {
    const words = grown(span, wordsAround(span, base))
    const whole = { ...words, from: Math.min(words.from, itemBefore(span, base)) }
    return pinned(whole, base, quoted(span.ids))
  })
  return distinct(apart(spans), drafted.shared).map(({ ids, from, to, splices }) => {
    const oldString = base.slice(from, to)
    const newString = replaced(base, { from, to }, splices)
    const isOnce = standsOnce(base, oldString)
    const place = isOnce ? undefined : placeIn(drafted.shared, { from, to })
    return { ids, from, to, oldString, newString, ...(place && { place }) }
  })
}

export interface Drafted {
  readonly shared: Printed
  readonly page: Printed
  readonly changes: readonly Change[]
}

/** The stretches that read otherwise, together all that does. */
function spansOf(drafted: Drafted): Span[] {
  const { shared, page, changes } = drafted
  const texts = { base: shared.text.toString(), shown: page.text.toString() }
  const spans = windowsOf(drafted).flatMap((window) => spansIn(window, drafted))
  const whole = { from: 0, to: texts.base.length }
  const splices = spans.flatMap((span) => span.splices)
  if (replaced(texts.base, whole, splices) === texts.shown) return spans
  const ranges = { ...whole, at: 0, end: texts.shown.length }
  return difference(
    texts,
    ranges,
    changes.map(({ id }) => id),
  )
}

interface Range {
  readonly from: number
  readonly to: number
}

/** The range of the markdown with the splices made. */
function replaced(base: string, { from, to }: Range, splices: readonly Splice[]): string {
  let [text, last] = ['', from]
  for (const splice of splices) {
    text += base.slice(last, splice.from) + splice.text
    last = splice.to
  }
  return text + base.slice(last, to)
}

/** Top-level blocks of the shared document, and the changes that are in them alone. */
interface Window {
  readonly first: number
  readonly last: number
  readonly changes: readonly Change[]
  /** A list beside others comes, goes or is divided: what it looks like depends on all of them. */
  readonly isOfLists: boolean
}

function windowsOf({ shared: { doc }, page, changes }: Drafted): Window[] {
  const windows: Window[] = []
  for (const change of changes) {
    const [$from, $to] = [doc.resolve(change.from), doc.resolve(change.to)]
    // What stands between two blocks belongs to the one before it.
    const isBetween = $from.depth === 0 && change.from === change.to
    const first = Math.max(0, $from.index(0) - (isBetween ? 1 : 0))
    const least = Math.min(first + 1, doc.childCount)
    const last = Math.max($to.index(0) + ($to.depth === 0 ? 0 : 1), least)
    const isOfLists = !isWithinText(change, doc, page.doc) && isByList(change, page.doc)
    const before = windows.at(-1)
    const isJoint = isOfLists || before?.isOfLists === true
    if (before !== undefined && first < before.last + (isJoint ? 1 : 0)) {
      windows[windows.length - 1] = {
        first: before.first,
        last: Math.max(before.last, last),
        changes: [...before.changes, change],
        isOfLists: isJoint,
      }
    } else windows.push({ first, last, changes: [change], isOfLists })
  }
  return windows
}

/** Whether a list is among the top-level blocks of a change, or beside them. */
function isByList({ at, end }: Change, doc: Node): boolean {
  const last = Math.min(doc.childCount, doc.resolve(end).index(0) + 2)
  const blocks = doc.children.slice(Math.max(0, doc.resolve(at).index(0) - 1), last)
  return blocks.some(({ type }) => type.name.endsWith('_list'))
}

function spansIn({ first, last, changes: own }: Window, drafted: Drafted): Span[] {
  const { shared, page, changes } = drafted
  const [from, to] = [startOf(shared.doc, first), startOf(shared.doc, last)]
  const indexAt = (pos: number) => page.doc.resolve(pos).index(0)
  const start = first === 0 ? 0 : indexAt(toShown(changes, from, 1))
  const end = indexAt(toShown(changes, to, 1))
  const [here, there] = [textRange(shared.text, first, last), textRange(page.text, start, end)]
  const texts = { base: shared.text.toString(), shown: page.text.toString() }
  if (start === end) return [goneBlocks(shared.text, { first, last, changes: own })]
  const spans = own.map((change): Span => {
    const [at, behind] = [offsetOf(shared, change.from, -1), offsetOf(shared, change.to, 1)]
    const put = [offsetOf(page, change.at, -1), offsetOf(page, change.end, 1)] as const
    const splice = { from: at, to: behind, text: texts.shown.slice(...put) }
    return spanOf([change.id], splice)
  })
  const isInOrder = spans.every(
    ({ from: at, to: behind }, index) =>
      at <= behind && behind <= here.to && at >= (spans[index - 1]?.to ?? here.from),
  )
  const splices = spans.flatMap((span) => span.splices)
  const shown = texts.shown.slice(there.from, there.to)
  if (isInOrder && replaced(texts.base, here, splices) === shown) {
    return paired(spans, own, drafted).flatMap((span) => trimmed(span, texts.base))
  }
  const ids = own.map(({ id }) => id)
  return difference(texts, { ...here, at: there.from, end: there.to }, ids)
}

/**
 * The spans of these changes. Where the text between two of them is in other blocks than before,
 * they are one: each alone would begin such a block, or end it. A span has one splice.
 */
function paired(
  spans: readonly Span[],
  changes: readonly Change[],
  { shared, page }: Drafted,
): Span[] {
  const result: Span[] = []
  let isOpen = false
  for (const [index, { to, end }] of changes.entries()) {
    const span = spans[index]
    if (span === undefined) continue
    const last = isOpen ? result.pop() : undefined
    result.push(last === undefined ? span : inOne(joined(last, span), shared.text))
    isOpen = blocksAt(shared.doc, to) !== blocksAt(page.doc, end)
  }
  return result
}

/** The types of the blocks that a position is in. */
function blocksAt(doc: Node, pos: number): string {
  const $pos = doc.resolve(pos)
  return Array.from({ length: $pos.depth + 1 }, (_, depth) => $pos.node(depth).type.name).join(' ')
}

/** With one splice for all of it. */
function inOne({ ids, from, to, splices }: Span, text: DocumentText): Span {
  return spanOf(ids, { from, to, text: replaced(text.toString(), { from, to }, splices) })
}

/** Blocks of which nothing is left, with what parts them from others. */
function goneBlocks(text: DocumentText, { first, last, changes }: Omit<Window, 'isOfLists'>): Span {
  const from = first > 0 ? text.end(first - 1) : text.start(first)
  const to = first === 0 && last < text.blockCount ? text.start(last) : text.end(last - 1)
  return spanOf(
    changes.map(({ id }) => id),
    { from, to, text: '' },
  )
}

const spanOf = (ids: readonly number[], splice: Splice): Span => ({
  ids,
  from: splice.from,
  to: splice.to,
  splices: [splice],
  isPinned: false,
})

function startOf(doc: Node, index: number): number {
  let pos = 0
  for (let before = 0; before < index; before++) pos += doc.child(before).nodeSize
  return pos
}

function textRange(text: DocumentText, first: number, last: number): Range {
  if (first < last) return { from: text.start(first), to: text.end(last - 1) }
  const at = first > 0 ? text.end(first - 1) : 0
  return { from: at, to: at }
}

/** Before (-1) the markup that begins at a position, or behind it (1). */
function offsetOf({ doc, text }: Printed, pos: number, side: -1 | 1): number {
  const $pos = doc.resolve(pos)
  const index = $pos.index(0)
  if ($pos.depth === 0) {
    if (side < 0 && $pos.nodeAfter !== null) return text.start(index)
    return index > 0 ? text.end(index - 1) : 0
  }
  const within = pos - $pos.posAtIndex(index, 0)
  const [start, end] = [text.offsetAt(index, within, 'start'), text.offsetAt(index, within, 'end')]
  return side < 0 ? Math.min(start, end) : Math.max(start, end)
}

interface Texts {
  readonly base: string
  readonly shown: string
}

interface Ranges extends Range {
  readonly at: number
  readonly end: number
}

const difference = (
  { base, shown }: Texts,
  { from, to, at, end }: Ranges,
  ids: readonly number[],
): Span[] => trimmed(spanOf(ids, { from, to, text: shown.slice(at, end) }), base)

/** Of one splice, without what both ends have in common; nothing where that is all. */
function trimmed({ ids, splices: [splice] }: Span, base: string): Span[] {
  if (splice === undefined) return []
  const { from, to, text } = splice
  const old = base.slice(from, to)
  if (old === text) return []
  const { front, back } = textEnds(old, text)
  const rest = text.slice(front, text.length - back)
  return [spanOf(ids, { from: from + front, to: to - back, text: rest })]
}

/** How much longer a span is to become on both sides. */
interface Growth {
  readonly before: number
  readonly after: number
}

const grown = (span: Span, { before, after }: Growth): Span => ({
  ...span,
  from: span.from - before,
  to: span.to + after,
})

/** A run without blanks that is longer than this is no word. */
const wordMaxChars = 40

/** To the ends of the words that a span begins and ends in, or the next one where it has none. */
function wordsAround({ from, to, splices }: Span, base: string): Growth {
  const [before, after] = [tailOf(base, from), headOf(base, to)]
  const isGone = splices.every(({ text }) => text === '')
  const isLines = isGone && isLineStart(base, from) && isLineEnd(base, to)
  if (/\S/.test(base.slice(from - before, to + after)) && !isLines) return { before, after }
  return from - before > 0
    ? { before: before + beforeBlank(base, from - before), after }
    : { before, after: after + behindBlank(base, to + after) }
}

const lineBegin = /^([ \t>]*)(?:(?:\d{1,9}(?=[.)])|(?=[-*+]))(.)(?=[ \t]|$))?/

/**
 * Where the item begins behind which a span begins another list; otherwise where the span begins.
 * New items alone would join the list before them (interface §4.5); quoted with it they do not.
 */
function itemBefore({ from, to, splices }: Span, base: string): number {
  const earliest = from > quoteMaxChars ? base.indexOf('\n', from - quoteMaxChars) + 1 : 0
  if (earliest > from) return from
  const old = base.slice(earliest, from)
  const put = splices.map(({ text }) => text).join('')
  const lineEnd = /^.*/.exec(base.slice(to, to + quoteMaxChars))?.[0] ?? ''
  /** The items that are open, by what stands before their markers. */
  let open: { readonly prefix: string; readonly marker: string; readonly start: number }[] = []
  let start = 0
  for (const line of `${old}${put}${lineEnd}`.split('\n')) {
    const [all = '', prefix = '', marker] = lineBegin.exec(line) ?? []
    const before = open.find((item) => item.prefix === prefix)
    const isPut = start + all.length > old.length && start < old.length + put.length
    const isBeside = before !== undefined && before.start < old.length && marker !== undefined
    if (isPut && isBeside && isOtherList(before.marker, marker)) return earliest + before.start
    if (all.length < line.length || marker !== undefined) {
      open = open.filter((item) => item.prefix.length < prefix.length)
      if (marker !== undefined) open.push({ prefix, marker, start })
    }
    start += line.length + 1
  }
  return from
}

/** Of one kind with another marker. */
const isOtherList = (one: string, other: string): boolean =>
  one !== other && /[.)]/.test(one) === /[.)]/.test(other)

const isLineStart = (base: string, at: number): boolean => at === 0 || base[at - 1] === '\n'
const isLineEnd = (base: string, at: number): boolean => at === base.length || base[at] === '\n'

const tailOf = (base: string, at: number): number =>
  wordLength(/(?<!\S)\S+$/u.exec(base.slice(Math.max(0, at - wordMaxChars), at))?.[0] ?? '')
const headOf = (base: string, at: number): number =>
  wordLength(/^\S*/u.exec(base.slice(at, at + wordMaxChars))?.[0] ?? '')
const wordLength = (run: string): number => (run.length < wordMaxChars ? run.length : 0)

/** The blanks before a place, and the word before them. */
function beforeBlank(base: string, at: number): number {
  const text = base.slice(Math.max(0, at - 4 * wordMaxChars), at)
  const words = text.trimEnd()
  const word = /(?<!\S)\S+$/u.exec(words)?.[0] ?? ''
  return whole(text.length - words.length + word.length, Math.min(at, wordMaxChars))
}

function behindBlank(base: string, at: number): number {
  const text = base.slice(at, at + 4 * wordMaxChars)
  return whole(/^\s*\S*/u.exec(text)?.[0].length, Math.min(base.length - at, wordMaxChars))
}

const whole = (length: number | undefined, otherwise: number): number =>
  length === undefined || length === 0 ? otherwise : length

/** Where the quote of before still stands around the span, it is quoted again. */
function pinned(span: Span, base: string, quote: string | undefined): Span {
  if (quote === undefined) return span
  const { from = 0 } = span.splices[0] ?? {}
  const { to = 0 } = span.splices.at(-1) ?? {}
  const earliest = Math.max(0, to - quote.length)
  for (let at = base.indexOf(quote, earliest); at >= 0; at = base.indexOf(quote, at + 1)) {
    if (at > from) break
    if (at + quote.length >= to) return { ...span, from: at, to: at + quote.length, isPinned: true }
  }
  return span
}

/** Those that overlap are one. */
function apart(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last === undefined || span.from >= last.to) result.push(span)
    else result[result.length - 1] = joined(last, span)
  }
  return result
}

const joined = (one: Span, other: Span): Span => ({
  ids: [...one.ids, ...other.ids],
  from: one.from,
  to: Math.max(one.to, other.to),
  splices: [...one.splices, ...other.splices].sort((a, b) => a.from - b.from),
  isPinned: one.isPinned && one.to >= other.to,
})

const quoteMaxChars = 4_000

/** Each with so many more words around it that its quote stands once, or has a place. */
function distinct(spans: readonly Span[], shared: Printed): Span[] {
  const base = shared.text.toString()
  let rest = [...spans]
  let isBefore = true
  for (let at = 0; at < rest.length; ) {
    const span = rest[at]
    if (span === undefined || isDistinct(span, base) || placeIn(shared, span)) {
      at++
      continue
    }
    isBefore = span.from > 0 && (!isBefore || span.to === base.length)
    const more = isBefore
      ? { before: beforeBlank(base, span.from), after: 0 }
      : { before: 0, after: behindBlank(base, span.to) }
    rest[at] = grown(span, more)
    const count = rest.length
    rest = apart(rest)
    // It may have been joined to the one before.
    if (rest.length < count) at = Math.max(0, at - 1)
  }
  return rest
}

function isDistinct({ from, to, isPinned }: Span, base: string): boolean {
  if (isPinned || to - from > quoteMaxChars || to - from === base.length) return true
  return standsOnce(base, base.slice(from, to))
}

/**
 * The words of one text block that a quote is, all of it and nothing else; undefined where the
 * quote is not such words.
 */
function placeIn({ doc, text }: Printed, { from, to }: Range): DocRange | undefined {
  const quote = text.slice(from, to)
  if (quote === '' || quote.trim() !== quote) return undefined
  const [first, last] = [text.positionAt(from, 'start'), text.positionAt(to, 'end')]
  if (first.index !== last.index) return undefined
  const start = text.offsetAt(first.index, first.pos, 'start')
  const end = text.offsetAt(last.index, last.pos, 'end')
  if (start !== from || end !== to) return undefined
  const top = startOf(doc, first.index)
  const [$from, $to] = [doc.resolve(top + first.pos), doc.resolve(top + last.pos)]
  const isText = $from.parent.inlineContent && $from.sameParent($to) && $from.pos < $to.pos
  return isText ? { from: $from.pos, to: $to.pos } : undefined
}

function standsOnce(base: string, quote: string): boolean {
  const first = base.indexOf(quote)
  return quote !== '' && first >= 0 && base.indexOf(quote, first + 1) < 0
}
