/**
 * New list items take the marker of the list that they go to (interface §4.5): the bullet, or the
 * character behind the number. A writer who quotes `* two` for `- two` means the same list.
 * Guarantee: only markers of new lines change, and lists that the new text keeps apart stay apart.
 * It costs what the new text and the depth of its place do. It knows no blocks beyond lists.
 */
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { columnOf, lineBefore } from '../../../../schema/markdown/markers.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'

/** Text of the document as a writer quoted it. */
export interface Quoted {
  readonly wanted: string
  readonly from: number
  readonly to: number
}

/** The splice with the markers that its place asks for. `quoted`: what its place was found by. */
export function withMarkersOfPlace(
  text: DocumentText,
  splice: TextSplice,
  quoted?: Quoted,
): TextSplice {
  const { from, insert } = splice
  if (text.blockCount === 0 || !anyMarker.test(insert) || isInSource(text, from)) return splice
  const lines = new NewLines({
    open: openItems(text, firstLineOf(text, splice)),
    column: columnOf(text, from),
    meant: quoted === undefined ? [] : meantBy(text, quoted),
  })
  for (const line of insert.split('\n')) lines.read(line)
  for (const next of itemsBehind(text, splice)) lines.endBefore(next)
  return { ...splice, insert: lines.text }
}

const anyMarker = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/m
const itemStart = /^([ \t>]*)((?:\d{1,9})?)([-*+.)])([ \t]+|$)/
const rule = /^[ \t>]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/
const fence = /^[ \t>]*(`{3,}|~{3,})/

type Kind = 'bullet' | 'number'

/** Siblings that are written with one marker. */
interface List {
  readonly kind: Kind
  /** As the new text spells it. */
  readonly given: string
  marker: string
  /** It is, or joins, a list that stood before. */
  readonly isOld: boolean
  /** The list of new items right before it. */
  readonly previous?: List | undefined
}

interface Item {
  readonly list: List
  /** From where on a line belongs to the item. */
  readonly contentColumn: number
}

/** A line that begins an item. */
interface MarkedLine {
  readonly kind: Kind
  readonly marker: string
  /** Of the marker in the line. */
  readonly at: number
  readonly column: number
  readonly contentColumn: number
}

function markedLine(line: string, column: number): MarkedLine | undefined {
  const match = itemStart.exec(line)
  if (match === null || rule.test(line)) return undefined
  const [, prefix = '', digits = '', marker = '', blanks = ''] = match
  const kind = marker === '.' || marker === ')' ? 'number' : 'bullet'
  if ((kind === 'number') !== (digits !== '')) return undefined
  const own = column + widthOf(prefix)
  // Content further away is indented code, which begins one blank behind the marker.
  const gap = blanks === '' || widthOf(blanks) > tabWidth ? 1 : widthOf(blanks)
  const at = prefix.length + digits.length
  return { kind, marker, at, column: own, contentColumn: own + digits.length + 1 + gap }
}

const tabWidth = 4

function widthOf(prefix: string): number {
  let width = 0
  for (const one of prefix) width += one === '\t' ? tabWidth - (width % tabWidth) : 1
  return width
}

interface LineContext {
  readonly open: readonly Item[]
  /** Where the first line begins a block; undefined where text stands before it. */
  readonly column: number | undefined
  readonly meant: readonly MeantMarker[]
}

/** The new lines, and the items that are open behind them. */
class NewLines {
  readonly #lines: { readonly line: string; readonly at: number; readonly list?: List }[] = []
  readonly #open: Item[]
  readonly #meant: readonly MeantMarker[]
  #column: number | undefined
  #fence: string | undefined
  #beginsBlock: boolean

  constructor({ open, column, meant }: LineContext) {
    this.#open = [...open]
    this.#meant = meant
    this.#column = column
    this.#beginsBlock = column !== undefined
  }

  read(line: string): void {
    const list = this.#column === undefined ? undefined : this.#read(line, this.#column)
    this.#lines.push({ line, at: list?.at ?? 0, ...(list && { list: list.list }) })
    this.#column = 0
    this.#beginsBlock = blankLine.test(line)
  }

  #read(line: string, column: number): { readonly at: number; readonly list: List } | undefined {
    const opening = fence.exec(line)?.[1]
    if (this.#fence !== undefined) {
      if (opening?.startsWith(this.#fence)) this.#fence = undefined
      return undefined
    }
    this.#fence = opening
    const marked = markedLine(line, column)
    if (marked === undefined) {
      const prefix = /^[ \t>]*/.exec(line)?.[0] ?? ''
      if (this.#beginsBlock && !blankLine.test(line)) this.#close(column + widthOf(prefix))
      return undefined
    }
    const { marker, column: own } = marked
    const meant = this.#meant.find(({ given, column: at }) => given === marker && at === own)
    const list = listFor(marked, this.#close(own)?.list, meant?.marker)
    this.#open.push({ list, contentColumn: marked.contentColumn })
    return { at: marked.at, list }
  }

  /** Ends the items that a block at this column is not in; answers the outermost of them. */
  #close(column: number): Item | undefined {
    let closed: Item | undefined
    while (column < (this.#open.at(-1)?.contentColumn ?? 0)) closed = this.#open.pop()
    return closed
  }

  /** A list that goes on behind the new text gives its marker to the new items before it. */
  endBefore({ kind, marker, column }: MarkedLine): void {
    const list = this.#close(column)?.list
    if (list?.kind !== kind || list.isOld || list.previous?.marker === marker) return
    list.marker = marker
  }

  get text(): string {
    const written = this.#lines.map(({ line, at, list }) =>
      list === undefined ? line : line.slice(0, at) + list.marker + line.slice(at + 1),
    )
    return written.join('\n')
  }
}

/** The list of an item whose elder sibling is in `sibling`. */
function listFor({ kind, marker: given }: MarkedLine, sibling?: List, meant?: string): List {
  if (sibling?.kind !== kind)
    return { kind, given, marker: meant ?? given, isOld: meant !== undefined }
  if (sibling.given === given) return sibling
  // Any marker joins a list that stood before; in the new text another one begins another list.
  if (sibling.given === anyGiven) {
    return { kind, given, marker: meant ?? sibling.marker, isOld: true }
  }
  if (meant !== undefined) return { kind, given, marker: meant, isOld: true }
  const marker = sibling.marker === given ? sibling.given : given
  return { kind, given, marker, isOld: false, previous: sibling }
}

/** What the new text calls a list that stood before is not known. */
const anyGiven = ''

/** Where the first line that the splice replaces stands, behind blank lines on both sides. */
function firstLineOf(text: DocumentText, { from, to, insert }: TextSplice): number {
  if (!/^[ \t]*\n/.test(insert)) return from
  const old = text.slice(from, Math.min(to, from + lookedAtChars))
  const blank = /^\s*\n/.exec(old)?.[0].length ?? 0
  return blank === old.length ? from : from + blank
}

/** A marker that the writer's text has for another one at this column. */
interface MeantMarker {
  readonly column: number
  readonly given: string
  readonly marker: string
}

/** None where the two do not show the same items. */
function meantBy(text: DocumentText, { wanted, from, to }: Quoted): readonly MeantMarker[] {
  const before = columnOf(text, from)
  if (before === undefined || wanted.length > quotedMaxChars) return []
  const markedIn = (md: string) =>
    md
      .split('\n')
      .map((line, index) => markedLine(line, index === 0 ? before : 0))
      .filter((line) => line !== undefined)
  const [given, stand] = [markedIn(wanted), markedIn(text.slice(from, to))]
  if (given.length !== stand.length) return []
  return stand.map(({ column, marker }, index) => ({
    column,
    given: given[index]?.marker ?? marker,
    marker,
  }))
}

const quotedMaxChars = 16 * 1024

interface OldItem extends Item {
  readonly from: number
  readonly line: MarkedLine
  readonly isLast: boolean
  /** Tells items of one list from those of others. */
  readonly holder: string
}

/** The items in which text at `from` stands, from the outermost. */
function openItems(text: DocumentText, from: number): readonly Item[] {
  const here = itemsAt(text, from)
  if (columnOf(text, from) === undefined || from === 0) return here
  const before = itemsAt(text, from - lineBefore(text, from).length - 1)
  const own = here.at(-1)
  if (own === undefined) return text.start(text.indexAt(from)) === from ? before : here
  // An item that begins here comes behind the whole of its elder sibling.
  const isBegun = own.from === from && before.some(({ holder }) => holder === own.holder)
  return isBegun ? before : here
}

/** The items that hold the last block that begins at or before an offset. */
function itemsAt(text: DocumentText, offset: number): readonly OldItem[] {
  const index = text.indexAt(offset)
  const [top, printed] = [text.node(index), text.printed(index)]
  const start = text.start(index)
  const last = printed.lastBlock('from', offset - start)
  if (last === undefined || last.pos === 0) return []
  const $pos = top.resolve(last.pos - 1)
  const depths = Array.from({ length: $pos.depth + 1 }, (_, depth) => depth)
  return depths.flatMap((depth): OldItem[] => {
    const [list, at] = [$pos.node(depth), $pos.index(depth)]
    const node = list.maybeChild(at)
    const pos = depth === $pos.depth ? last.pos : $pos.before(depth + 1) + 1
    const holder = `${index}:${depth === 0 ? 0 : $pos.before(depth) + 1}`
    if (node?.type.name !== 'list_item') return []
    const range = printed.lastBlock('pos', pos)
    const line = range && printed.md.slice(range.from, range.from + markerMaxChars)
    const column = range && lineBefore(text, start + range.from).length
    const marked = line === undefined ? undefined : markedLine(line, column ?? 0)
    if (range === undefined || marked === undefined) return []
    const { kind, marker, contentColumn } = marked
    const own = { kind, given: anyGiven, marker, isOld: true }
    const isLast = at === list.childCount - 1
    const from = start + range.from
    return [{ list: own, contentColumn, from, line: marked, isLast, holder }]
  })
}

const markerMaxChars = 16

/** Of the text on either side no more is looked at. */
const lookedAtChars = 1024

/**
 * Items that tell how the lists that the new text ends in are written, the innermost first: those
 * that the splice replaces or that hold its end, and the next one.
 */
function itemsBehind(text: DocumentText, splice: TextSplice): readonly MarkedLine[] {
  const { from, to } = splice
  const old = text.slice(Math.max(from, to - lookedAtChars), to)
  const end = to - old.length + old.trimEnd().length
  const held = itemsAt(text, end).filter((item) => !item.isLast || item.from >= from)
  const next = nextItem(text, splice)
  const all = [...held.map(({ line }) => line), ...(next ? [next] : [])]
  return all.sort((a, b) => b.column - a.column)
}

/** The item that begins behind the splice, where nothing but blank lines is between. */
function nextItem(text: DocumentText, { to, insert }: TextSplice): MarkedLine | undefined {
  const behind = text.slice(to, to + lookedAtChars)
  const lastLine = insert.slice(insert.lastIndexOf('\n') + 1)
  const endsLine = insert.includes('\n') && blankLine.test(lastLine)
  const [first = '', ...others] = behind.split('\n')
  const lines = endsLine ? [lastLine + first, ...others] : others
  const line = lines.find((each) => !blankLine.test(each))
  return line === undefined ? undefined : markedLine(line, 0)
}

const blankLine = /^[ \t>]*$/

const sources: ReadonlySet<string> = new Set(['code_block', 'html_block', 'front_matter'])

/** Inside what holds no markdown. */
function isInSource(text: DocumentText, offset: number): boolean {
  const index = text.indexAt(offset)
  const within = offset - text.start(index)
  const block = text.printed(index).lastBlock('from', within)
  return block !== undefined && sources.has(block.type) && block.from < within && within < block.to
}
