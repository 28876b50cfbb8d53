/**
 * What a request makes of a text, told by string work alone: places are found with `indexOf` and the
 * ranges that a read gave, the text is spliced and read anew as a whole. It gives up (undefined)
 * where strings do not tell: escapes, nested blocks, lists that join. New items take the marker of
 * the list at their place (interface §4.5). Knows nothing of the service.
 */
import type { Item, Read } from '../../unit/core/documents/edits/edits-laws-world.ts'
import { canonical } from '../../unit/core/documents/edits/edits-laws-world.ts'

export interface Splice {
  readonly from: number
  readonly to: number
  readonly insert: string
}

export interface Asked {
  /** As the writer read it. */
  readonly base: Read
  /** As it is when the request comes. */
  readonly now: Read
  readonly edits: readonly Item[]
  /** Which of them were made. */
  readonly made: readonly boolean[]
}

export function expected({ base, now, edits, made }: Asked): string | undefined {
  const isStale = base.revision < now.revision
  const applied = edits.filter((_, index) => made[index])
  return isStale ? rebased(base, now, applied) : inTurn(now, applied)
}

/** Each edit sees what the ones before it made. */
function inTurn(now: Read, edits: readonly Item[]): string | undefined {
  let text = now.markdown
  for (const [index, edit] of edits.entries()) {
    if (index > 0 && edit['at'] !== undefined) return undefined
    // Where the blocks of a read stand holds for the first edit only, even if the text is the same.
    const read = index === 0 ? now : { ...now, markdown: text, blocks: [] }
    const splice = spliceOf(read, edit)
    const made = spliced(text, splice && isAnchored(edit) ? withoutSurplus(text, splice) : splice)
    if (made === undefined) return undefined
    text = made
  }
  return text
}

/** All places are of the text as it is now; what is later in the text is made first. */
function rebased(base: Read, now: Read, edits: readonly Item[]): string | undefined {
  const splices: Splice[] = []
  const [ends, others] = [edits.filter(goesToEnd), edits.filter((edit) => !goesToEnd(edit))]
  for (const edit of others) {
    const splice = behindOthers(base, now, edit, spliceOf(now, edit))
    if (splice === undefined) return undefined
    splices.push(isAnchored(edit) ? withoutSurplus(now.markdown, splice) : splice)
  }
  const order = splices.map((_, index) => index)
  const at = (index: number): Splice => splices[index] as Splice
  order.sort((a, b) => at(b).from - at(a).from || at(b).to - at(a).to || b - a)
  let text = now.markdown
  for (const [place, index] of order.entries()) {
    const next = spliced(text, at(index))
    if (next === undefined) return undefined
    const still = order[place + 1]
    const kept = still === undefined ? 0 : at(still).to + 1
    if (next.slice(0, kept) !== text.slice(0, kept)) return undefined
    text = next
  }
  return inTurn(text === now.markdown ? now : { ...now, markdown: text, blocks: [] }, ends)
}

/** It is appended to what there is then. */
const goesToEnd = ({ after, before, before_block: block }: Item): boolean =>
  block === null || (before === null && after === undefined)

const isAnchored = ({ after, before }: Item): boolean => after !== undefined || before !== undefined

/** Undefined: strings do not tell. */
export function spliced(text: string, splice: Splice | undefined): string | undefined {
  const insert = splice && ofItsPlace(text, splice)
  if (splice === undefined || insert === undefined) return undefined
  const made = canonical(text.slice(0, splice.from) + insert + text.slice(splice.to))
  // Stars stand for the dashes of a rule only where they would open front matter.
  const isHead = text.startsWith('***\n') && !made.startsWith('***\n')
  return isHead ? made.replace(/^\*\*\*$/m, '---') : made
}

/** What comes between lines leaves one blank line before it at most; none where a text begins. */
export function withoutSurplus(text: string, { from, to, insert }: Splice): Splice {
  const isLineStart = from === 0 || text[from - 1] === '\n'
  if (!isLineStart) return { from, to, insert }
  const most = from === 0 || text[from - 2] === '\n' ? 0 : 1
  const lead = /^\n*/.exec(insert)?.[0].length ?? 0
  return { from, to, insert: insert.slice(Math.max(0, lead - most)) }
}

const markedLine = /^( *)(?:([-*])|(\d{1,9})([.)]))(?= |$)/

/** What the insert says with the markers of the list that its items come to stand in. */
function ofItsPlace(text: string, splice: Splice): string | undefined {
  const { from, to, insert } = splice
  const isLineStart = from === 0 || text[from - 1] === '\n'
  const lines = insert.split('\n')
  const given = lines.map((line, index) =>
    index === 0 && !isLineStart ? null : markedLine.exec(line),
  )
  const markers = new Set(given.flatMap((match) => (match ? [match[2] ?? match[4] ?? ''] : [])))
  if (markers.size === 0) return insert
  const [marker = ''] = markers
  const isBullet = '-*'.includes(marker)
  const kindOf = (line: string): string | undefined => {
    const [, , bullet, , behind] = markedLine.exec(line) ?? []
    return isBullet ? bullet : behind
  }
  const start = text.lastIndexOf('\n', from - 1) + 1
  const old = text.slice(start, to).split('\n')
  if (!isLineStart) old.shift()
  const around = [...old, ...behind(text, splice)].map(kindOf)
  const places = new Set([kindOf(lineBefore(text, from)), ...around].filter((one) => one))
  if (places.size === 0) return isLazy(text, from) ? undefined : insert
  // What is left of a rule may be an item now: it was none that a new one could join.
  const whole = text.slice(start).split('\n', 1)[0] ?? ''
  if (markedLine.test(text.slice(start, from)) && !markedLine.test(whole)) return undefined
  const isOther = old.some((line) => markedLine.test(line) && kindOf(line) === undefined)
  // Behind a list of one kind and before one of another, and in a quote, strings do not tell.
  const isBeforeOther = behind(text, splice).some(
    (line) => markedLine.test(line) && kindOf(line) === undefined,
  )
  const isQuoted = text.slice(start, from).includes('>')
  if (markers.size > 1 || places.size > 1 || isOther || isBeforeOther || isQuoted) return undefined
  if (isLazy(text, from)) return undefined
  const [place = ''] = places
  return lines
    .map((line, index) => (given[index] ? line.replace(marker, () => place) : line))
    .join('\n')
}

/** Whether a line at the margin may go on with an item above it. */
function isLazy(text: string, offset: number): boolean {
  const lines = text.slice(text.lastIndexOf('\n\n', offset) + 1, offset).split('\n')
  const last = lines.findLastIndex((line) => /^ ?\S/.test(line))
  return (
    !markedLine.test(lines[last] ?? '') &&
    lines.slice(0, last).some((line) => markedLine.test(line))
  )
}

/** The line up to an offset or before it that begins an item, or what stands there in its place. */
function lineBefore(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return lines.findLast((line) => /^ ?\S/.test(line)) ?? ''
}

/** The first lines behind, up to one with text; the rest of a line that is divided is one. */
function behind(text: string, { to, insert }: Splice): string[] {
  const lines = text.slice(to).split('\n')
  if (!/\n *$/.test(insert)) lines.shift()
  return lines.slice(0, lines.findIndex((line) => line !== '') + 1)
}

/** An insert behind something comes after what others have put there since. */
function behindOthers(
  base: Read,
  now: Read,
  edit: Item,
  splice: Splice | undefined,
): Splice | undefined {
  const { after, after_block: block } = edit
  if (splice === undefined) return undefined
  if (typeof block === 'string') return afterNewBlocks(base, now, block, splice)
  if (typeof after !== 'string') return splice
  const was = onlyIn(base.markdown, after)
  if (was < 0) return undefined
  const rest = base.markdown.slice(was + after.length, was + after.length + 24)
  const behindNow = now.markdown.slice(splice.from)
  if (behindNow === rest) return splice
  if (rest.length < 24 || onlyIn(now.markdown, rest) < 0) return undefined
  if (behindNow.startsWith(rest)) return splice
  const behind = now.markdown.indexOf(rest, splice.from)
  const gap = now.markdown.slice(splice.from, behind)
  const slides = gap[0] === rest[0] || gap.at(-1) === rest[0] || gap.at(-1) === after.at(-1)
  if (behind < 0 || slides) return undefined
  const isNew = !base.markdown.includes(gap)
  if (!isNew) return undefined
  const line = splice.insert.startsWith('\n') ? -1 : gap.indexOf('\n')
  const at = line < 0 ? behind : splice.from + line
  return { ...splice, from: at, to: at }
}

function afterNewBlocks(base: Read, now: Read, id: string, splice: Splice): Splice | undefined {
  const [tops, was] = [topsOf(now), topsOf(base)]
  const at = tops.findIndex((top) => top.id === id)
  const known = new Set(base.blocks.map((each) => each.id))
  let last = at
  while (last + 1 < tops.length && !known.has(tops[last + 1]?.id ?? null)) last++
  const next = was[was.findIndex((top) => top.id === id) + 1]?.id
  // A block that was moved there counts as put there; which text it is strings do not tell.
  if (at < 0 || tops[last + 1]?.id !== next) return undefined
  if (last === at) return splice
  // What stands between may be a part of either neighbour that was split off, not inserted.
  const isAsItWas = (one: Block | undefined): boolean => {
    const old = was.find((top) => top.id === one?.id)
    return textOf(base, old) === textOf(now, one)
  }
  if (!isAsItWas(tops[at]) || !isAsItWas(tops[last + 1])) return undefined
  // What came there may be part of a block that was there: strings do not tell.
  const markers = tops.slice(at, last + 2).map(({ from }) => markerAt(now.markdown, from))
  if (markers.some((marker) => marker !== '')) return undefined
  const end = tops[last]?.to ?? 0
  return { ...splice, from: end, to: end }
}

type Block = Read['blocks'][number]

const textOf = ({ markdown }: Read, block: Block | undefined): string | undefined =>
  block && markdown.slice(block.from, block.to)

/** Blocks that no other block holds. */
function topsOf({ blocks, markdown }: Read): Block[] {
  let end = -1
  return blocks.filter(({ from, to }) => {
    // An empty paragraph stands behind the marker of its item.
    const isInLine = from > 0 && markdown[from - 1] !== '\n'
    if (from < end || isInLine) return false
    end = Math.max(to, from + 1)
    return true
  })
}

function onlyIn(text: string, wanted: string): number {
  const at = text.indexOf(wanted)
  return wanted === '' || text.indexOf(wanted, at + 1) >= 0 ? -1 : at
}

/** Escapes and references are matched as a whole, and as what they say. */
const cutsUnit = (text: string, from: number, to: number): boolean =>
  /[\\&]/.test(text.slice(Math.max(0, from - 6), from) + text.slice(Math.max(0, to - 6), to))

const markerAt = (text: string, from: number): string =>
  /^(?:[-*]|\d{1,9}[.)])(?= |\n)/.exec(text.slice(from, from + 12))?.[0] ?? ''

function spliceOf(read: Read, edit: Item): Splice | undefined {
  const { markdown } = read
  const insert = String(edit['new_string'] ?? '')
  const find = (wanted: unknown): number => {
    const at = onlyIn(markdown, String(wanted))
    return at < 0 || cutsUnit(markdown, at, at + String(wanted).length) ? -1 : at
  }
  const { old_string: old, at, after, before } = edit
  if (typeof old === 'string') {
    const from = typeof at === 'number' && !cutsUnit(markdown, at, at + old.length) ? at : find(old)
    return from < 0 ? undefined : { from, to: from + old.length, insert }
  }
  const end = Math.max(0, markdown.length - 1)
  if (typeof after === 'string') {
    const from = find(after)
    if (typeof before === 'string' && find(before) < from + after.length) return undefined
    return from < 0 ? undefined : { from: from + after.length, to: from + after.length, insert }
  }
  if (typeof before === 'string') {
    const from = find(before)
    return from < 0 ? undefined : { from, to: from, insert }
  }
  if (after === null && before === undefined) return { from: 0, to: 0, insert }
  if (before === null && after === undefined) return { from: end, to: end, insert }
  return blockSplice(read, edit)
}

function blockSplice(read: Read, edit: Item): Splice | undefined {
  const { markdown } = read
  const tops = topsOf(read)
  const indexOf = (id: unknown): number => tops.findIndex((top) => top.id !== null && top.id === id)
  const { delete_block: gone, move_block: moved, after_block: after, before_block: before } = edit
  const parts = tops.map(({ from, to }, index): Part => {
    const gap = markdown.slice(tops[index - 1]?.to ?? 0, from)
    const said = markdown.slice(from, to)
    return { gap, text: index === 0 && said === '***' ? '---' : said, behind: index - 1 }
  })
  if (gone !== undefined || moved !== undefined) {
    const at = indexOf(gone ?? moved)
    if (at < 0) return moved === undefined ? itemSplice(read, gone) : undefined
    const [part] = parts.splice(at, 1) as [Part]
    if (moved !== undefined) {
      const beside = after === undefined ? before : after
      const to = indexOf(beside)
      if (beside !== null && (to < 0 || to === at)) return undefined
      const place = to > at ? to - 1 : to
      if (beside === null) parts.splice(after === null ? 0 : parts.length, 0, part)
      else parts.splice(after === undefined ? place : place + 1, 0, part)
    }
    // A rule that becomes the first block is written with stars.
    const [head] = parts
    if (head?.text === '---' && head.behind >= 0) parts[0] = { ...head, text: '***' }
    const whole = joined(parts, tops)
    return whole === undefined ? undefined : { from: 0, to: markdown.length, insert: whole }
  }
  const insert = String(edit['new_string'] ?? '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (insert === '' || (after !== undefined && before !== undefined)) return undefined
  const at = indexOf(after ?? before)
  const isEnd = (after ?? before) === null
  if ((!isEnd && at < 0) || /^\s/.test(insert)) return undefined
  if (markdown.trim() === '') return { from: 0, to: 0, insert }
  const block = isEnd ? tops.at(after === null ? 0 : -1) : tops[at]
  const isBehind = isEnd ? before === null : before === undefined
  if (block === undefined) return isBehind ? atEnd(markdown, insert) : undefined
  const list = markdown.slice(block.from, block.to)
  // Blank lines in an item do not tell whether there are some between the items.
  if (list.includes('\n\n') && markerAt(list, 0) && markerAt(insert, 0)) return undefined
  const gap = joinsTightly(list, insert, isBehind) ? '\n' : '\n\n'
  return isBehind
    ? { from: block.to, to: block.to, insert: gap + insert }
    : { from: block.from, to: block.from, insert: insert + gap }
}

/** Where it is not known what the last block is. */
function atEnd(markdown: string, insert: string): Splice | undefined {
  const at = Math.max(0, markdown.length - 1)
  return markedLine.test(insert) ? undefined : { from: at, to: at, insert: `\n\n${insert}` }
}

/** Items beside a list without blank lines become part of it without any. */
function joinsTightly(list: string, insert: string, isBehind: boolean): boolean {
  const kindOf = (text: string) => /^(?:([-*])|(\d{1,9}))(?= |$|[.)])/.exec(text)?.slice(1)
  const lines = insert.split('\n')
  const beside = isBehind ? lines[0] : lines.findLast((line) => !line.startsWith(' '))
  const [own, next] = [list, beside ?? ''].map(kindOf)
  if (own === undefined || next === undefined) return false
  return (own[0] === undefined) === (next[0] === undefined)
}

/** A block with the line ends before it. */
interface Part {
  readonly gap: string
  readonly text: string
  /** Which of the blocks stood before it. */
  readonly behind: number
}

/** Undefined where blocks come to stand beside each other that a blank line must keep apart. */
function joined(parts: readonly Part[], tops: readonly Block[]): string | undefined {
  const texts = toldApart(parts.map(({ text }) => text))
  let whole = ''
  for (const [index, { gap, behind }] of parts.entries()) {
    const isBehindSame = parts[index - 1]?.behind === behind - 1 && tops[behind] !== undefined
    if (index > 0 && !isBehindSame && gap === '\n') return undefined
    if (index === 0 && gap.length > 2) return undefined
    whole += (index === 0 ? '' : gap || '\n\n') + texts[index]
  }
  return whole
}

/** Lists of one kind that stand beside each other have markers in turn. */
function toldApart(parts: readonly string[]): string[] {
  let before: string | undefined
  return parts.map((part) => {
    const marker = markerAt(`${part}\n`, 0)
    const kind = marker === '' ? undefined : /\d/.test(marker) ? 'ordered' : 'bullet'
    const usual = kind === 'ordered' ? '.' : '-'
    const other = kind === 'ordered' ? ')' : '*'
    const own = kind === undefined ? '' : before === kind + usual ? other : usual
    before = kind && kind + own
    if (kind === 'ordered') return part.replace(/^(\d{1,9})[.)](?= |$)/gm, `$1${own}`)
    return kind === undefined ? part : part.replace(/^[-*](?= |$)/gm, own)
  })
}

/** Lines of an item of a list at the top, up to the next one's or those of what follows. */
function itemSplice({ markdown, blocks }: Read, gone: unknown): Splice | undefined {
  const item = blocks.find(({ id }) => id !== null && id === gone)
  const isAtMargin = item && markdown[item.from - 1] === '\n' && markerAt(markdown, item.from)
  if (!item || !isAtMargin) return undefined
  const list = blocks.find(({ from, to }) => from <= item.from && to >= item.to)
  // The number of the first item is the list's, and what makes a list loose may be one item of it.
  const isFirst = list?.from === item.from && /\d/.test(isAtMargin)
  if (!list || isFirst || markdown.slice(list.from, list.to).includes('\n\n')) return undefined
  const rest = markdown.slice(item.to)
  const next = /^\n+(?=(?:[-*]|\d{1,9}[.)])(?: |\n))/.exec(rest)
  if (list.to === item.to || next === null || rest.startsWith('\n\n\n')) return undefined
  return { from: item.from, to: item.to + next[0].length, insert: '' }
}
