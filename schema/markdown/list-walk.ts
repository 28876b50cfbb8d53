/**
 * A list, an item a step: what the stock rule does in one go, however long the list. The stock rule
 * says where a list begins; what is in an item is the caller's to read. Invariant: the tokens are
 * those of the stock rule.
 */
import type { StateBlock } from 'markdown-it'
import { codeIndent, contentStart, indentIn, isInterrupted } from './block-lines.ts'

export type Walk = (state: StateBlock, from: number, to: number) => void

interface Marker {
  /** Of an ordered list its digits. */
  readonly number: string | undefined
  /** Items of one list have the same. */
  readonly char: string
  /** Where it ends in the text. */
  readonly end: number
}

const markerPattern = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/
const markerMaxChars = 10

/** The marker that a line begins with. */
function markerIn(state: StateBlock, line: number): Marker | undefined {
  const from = contentStart(state, line)
  const head = state.src.slice(from, Math.min(state.eMarks[line] ?? 0, from + markerMaxChars + 1))
  const [found, number] = markerPattern.exec(head) ?? []
  return found === undefined
    ? undefined
    : { number, char: found.slice(-1), end: from + found.length }
}

/** The list that begins in a line, which the stock rule said; lines up to `end`. */
export function walkingList(
  state: StateBlock,
  { line, end, inside }: { readonly line: number; readonly end: number; readonly inside: Walk },
): void {
  const first = markerIn(state, line)
  if (first === undefined) throw new TypeError('a list begins with a marker')
  const { parentType } = state
  state.parentType = 'list'
  const opened = state.tokens.length
  const name = first.number === undefined ? 'bullet_list' : 'ordered_list'
  const tag = first.number === undefined ? 'ul' : 'ol'
  const open = state.push(`${name}_open`, tag, 1)
  open.markup = first.char
  const order = Number(first.number ?? 1)
  if (order !== 1) open.attrSet('start', String(order))
  open.map = [line, line]

  let next = line
  let isTight = true
  let endsEmpty = false
  for (let marker: Marker | undefined = first; marker !== undefined; ) {
    const from = next
    if (!walkingItem(state, { line: from, end, inside, marker }) || endsEmpty) {
      isTight = false
    }
    next = state.line
    endsEmpty = next - from > 1 && state.isEmpty(next - 1)
    marker = next < end ? nextMarker(state, { line: next, end, first }) : undefined
  }

  state.push(`${name}_close`, tag, -1).markup = first.char
  open.map[1] = next
  state.parentType = parentType
  if (isTight) hideParagraphs(state, opened)
}

/** The marker of the next item of the same list, if the line has one. */
function nextMarker(
  state: StateBlock,
  { line, end, first }: { readonly line: number; readonly end: number; readonly first: Marker },
): Marker | undefined {
  const indent = indentIn(state, line)
  if (indent < 0 || indent >= codeIndent || isInterrupted(state, 'list', line, end))
    return undefined
  const marker = markerIn(state, line)
  const isSame =
    marker?.char === first.char && (marker.number === undefined) === (first.number === undefined)
  return isSame ? marker : undefined
}

interface Item {
  readonly line: number
  readonly end: number
  readonly marker: Marker
  readonly inside: Walk
}

/** One item; whether it is tight. */
function walkingItem(state: StateBlock, { line, end, marker, inside }: Item): boolean {
  const { tight, listIndent, blkIndent } = state
  const [tShift, sCount] = [state.tShift[line] ?? 0, state.sCount[line] ?? 0]
  const open = state.push('list_item_open', 'li', 1)
  open.markup = marker.char
  if (marker.number !== undefined) open.info = marker.number
  open.map = [line, line]

  const behind = sCount + marker.end - contentStart(state, line)
  const { at, columns } = blanksFrom(state, line, { at: marker.end, columns: behind })
  const isBlank = at >= (state.eMarks[line] ?? 0)
  const blanks = isBlank || columns - behind > codeIndent ? 1 : columns - behind
  state.listIndent = blkIndent
  state.blkIndent = behind + blanks
  state.tight = true
  state.tShift[line] = at - (state.bMarks[line] ?? 0)
  state.sCount[line] = columns
  // An item that begins with two blank lines is empty.
  if (isBlank && state.isEmpty(line + 1)) state.line = Math.min(state.line + 2, end)
  else inside(state, line, end)
  const isTight = state.tight

  Object.assign(state, { tight, listIndent, blkIndent })
  state.tShift[line] = tShift
  state.sCount[line] = sCount
  state.push('list_item_close', 'li', -1).markup = marker.char
  open.map[1] = state.line
  return isTight
}

interface Column {
  readonly at: number
  readonly columns: number
}

/** Where the blanks from a place in a line on end. */
function blanksFrom(state: StateBlock, line: number, from: Column): Column {
  const end = state.eMarks[line] ?? 0
  let { at, columns } = from
  for (; at < end; at++) {
    const char = state.src[at]
    if (char === '\t') columns += 4 - ((columns + (state.bsCount[line] ?? 0)) % 4)
    else if (char === ' ') columns++
    else break
  }
  return { at, columns }
}

/** In a tight list the paragraphs right in its items do not show as such. */
function hideParagraphs({ tokens, level }: StateBlock, opened: number): void {
  for (let index = opened + 2; index < tokens.length - 2; index++) {
    const token = tokens[index]
    if (token?.type !== 'paragraph_open' || token.level !== level + 2) continue
    token.hidden = true
    const close = tokens[index + 2]
    if (close !== undefined) close.hidden = true
    index += 2
  }
}
