/**
 * What one's own hands changed of a document that stays as it is: ranges of the shared document and
 * what the page shows in their place, in order. Two that touch are one, so that whoever writes on
 * where they wrote makes one suggestion. Outside of them both documents are the same. Pure.
 */
import { Fragment, type Mark, type Node, ReplaceError, type Slice } from 'prosemirror-model'
import type { Mapping, StepMap } from 'prosemirror-transform'
import type { ChangedRange } from '../editor/binding/ranges.ts'

/** The shared [from, to) is shown as [at, end). */
export interface Change {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly at: number
  readonly end: number
}

/** A change with what it shows, wherever the shared document has it. */
export interface Piece {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly slice: Slice
}

const grownBy = ({ from, to, at, end }: Change): number => end - at - (to - from)

/**
 * The changes after what the page showed was changed at `ranges`, whose `from` and `to` count in
 * what it showed before. `newId` names what touches nothing that was there.
 */
export function composed(
  changes: readonly Change[],
  ranges: readonly ChangedRange[],
  newId: () => number,
): Change[] {
  const result: Change[] = []
  /** How much longer the page was than the shared document so far, and is now than it was. */
  let [added, grown] = [0, 0]
  let [c, r] = [0, 0]
  while (c < changes.length || r < ranges.length) {
    const start = Math.min(changes[c]?.at ?? Infinity, ranges[r]?.from ?? Infinity)
    const [from, at] = [start - added, start + grown]
    let end = start
    let id: number | undefined
    for (;;) {
      const [change, range] = [changes[c], ranges[r]]
      if (change !== undefined && change.at <= end) {
        end = Math.max(end, change.end)
        added += grownBy(change)
        id ??= change.id
        c++
      } else if (range !== undefined && range.from <= end) {
        end = Math.max(end, range.to)
        grown += range.end - range.start - (range.to - range.from)
        r++
      } else break
    }
    result.push({ id: id ?? newId(), from, to: end - added, at, end: end + grown })
  }
  return result
}

/** The ranges of a step map that moves positions. */
export function rangesOf(map: StepMap): ChangedRange[] {
  const ranges: ChangedRange[] = []
  map.forEach((from, to, start, end) => {
    ranges.push({ from, to, start, end })
  })
  return ranges
}

/**
 * Each can be put by itself: of those that open a block and those that close it one is made, and of
 * what would not fit, whole blocks. What changes nothing is none.
 */
export function settled(changes: readonly Change[], shared: Node, shown: Node): Change[] {
  const whole = closed(changes, shared, shown)
  if (whole.every((change) => isWithinText(change, shared, shown))) return whole
  const again = shownWith(shared, piecesOf(whole, shown))
  const isSame = again.lost.length === 0 && isAlike(again.doc.content, shown.content)
  return isSame ? whole : wholeBlocks(whole, shared, shown)
}

/** Whether a change is of the words in one text block. */
export const isWithinText = ({ from, to, at, end }: Change, shared: Node, shown: Node): boolean =>
  isInOneText(shared, from, to) && isInOneText(shown, at, end)

function isInOneText(doc: Node, from: number, to: number): boolean {
  const $from = doc.resolve(from)
  return $from.parent.inlineContent && to <= $from.end()
}

/** Those that are not within text reach over all of the top-level blocks that they are in. */
function wholeBlocks(changes: readonly Change[], shared: Node, shown: Node): Change[] {
  const whole: Change[] = []
  for (const change of changes) {
    const [$from, $to] = [shared.resolve(change.from), shared.resolve(change.to)]
    const isText = isWithinText(change, shared, shown)
    let from = isText || $from.depth === 0 ? change.from : $from.before(1)
    let to = isText || $to.depth === 0 ? change.to : $to.after(1)
    let { id } = change
    for (let last = whole.at(-1); last !== undefined && from <= last.to; last = whole.at(-1)) {
      whole.pop()
      from = Math.min(from, last.from)
      to = Math.max(to, last.to)
      id = last.id
    }
    const [at, end] = [toShown(changes, from, -1), toShown(changes, to, 1)]
    whole.push({ id, from, to, at, end })
  }
  return whole
}

function closed(changes: readonly Change[], shared: Node, shown: Node): Change[] {
  const whole: Change[] = []
  let open: Change | undefined
  for (const change of changes) {
    const { to, end } = change
    const joined: Change = open === undefined ? change : { ...open, to, end }
    open = isClosed(joined, shared, shown) ? undefined : joined
    if (open === undefined && !isNothing(joined, shared, shown)) whole.push(joined)
  }
  return open === undefined ? whole : [...whole, open]
}

const isClosed = ({ to, end }: Change, shared: Node, shown: Node): boolean =>
  shared.resolve(to).depth === shown.resolve(end).depth

function isNothing({ from, to, at, end }: Change, shared: Node, shown: Node): boolean {
  if (from === to && at === end) return true
  if (to - from !== end - at) return false
  return isAlike(shared.slice(from, to).content, shown.slice(at, end).content)
}

/** Whether two contents say the same, whoever wrote them and whatever their blocks are called. */
export const isAlike = (one: Fragment, other: Fragment): boolean => named(one).eq(named(other))

/** Where two contents begin and cease to say something else; undefined: they are alike. */
export function difference(one: Fragment, other: Fragment): ChangedRange | undefined {
  const [before, after] = [named(one), named(other)]
  const first = before.findDiffStart(after)
  const last = before.findDiffEnd(after)
  if (first === null || last === null) return undefined
  // Of what is said twice in a row, either may be what was put in.
  const twice = Math.max(0, first - Math.min(last.a, last.b))
  return { from: first, to: last.a + twice, start: first, end: last.b + twice }
}

function named(content: Fragment): Fragment {
  const children: Node[] = []
  content.forEach((node) => {
    const marks = node.marks.filter(({ type }: Mark) => type.name !== 'authored')
    if (node.isText) children.push(node.mark(marks))
    else {
      const attrs = 'id' in node.attrs ? { ...node.attrs, id: null } : node.attrs
      children.push(node.type.create(attrs, named(node.content), marks))
    }
  })
  return Fragment.from(children)
}

export const piecesOf = (changes: readonly Change[], shown: Node): Piece[] =>
  changes.map(({ id, from, to, at, end }) => ({ id, from, to, slice: shown.slice(at, end) }))

/** Where they are after the shared document changed; what others put at their ends is beside. */
export function moved(pieces: readonly Piece[], mapping: StepMap | Mapping): Piece[] {
  return pieces.map((piece) => {
    if (piece.from === piece.to) {
      const at = mapping.map(piece.from, -1)
      return { ...piece, from: at, to: at }
    }
    const from = mapping.map(piece.from, 1)
    return { ...piece, from, to: Math.max(from, mapping.map(piece.to, -1)) }
  })
}

export interface Shown {
  readonly doc: Node
  readonly changes: readonly Change[]
  /** What found no place in the document. */
  readonly lost: readonly Piece[]
}

/** The document with the pieces in it. */
export function shownWith(shared: Node, pieces: readonly Piece[]): Shown {
  const lost: Piece[] = []
  const changes: Change[] = []
  let doc = shared
  let shift = 0
  let last = 0
  for (const piece of pieces) {
    const at = piece.from + shift
    const next = piece.from < last ? undefined : put(doc, piece, shift)
    if (next === undefined) {
      lost.push(piece)
      continue
    }
    const grown = next.content.size - doc.content.size
    const end = piece.to + shift + grown
    changes.push({ id: piece.id, from: piece.from, to: piece.to, at, end })
    doc = next
    shift += grown
    last = piece.to
  }
  return { doc, changes, lost }
}

/** Undefined where the document has no room for it. */
export function put(doc: Node, { from, to, slice }: Piece, shift = 0): Node | undefined {
  try {
    return doc.replace(from + shift, to + shift, slice)
  } catch (error) {
    if (error instanceof RangeError || error instanceof ReplaceError) return undefined
    throw error
  }
}

/** A position of the shared document on the page; at a change, before it or (1) behind it. */
export function toShown(changes: readonly Change[], pos: number, side = -1): number {
  let shift = 0
  for (const change of changes) {
    if (pos < change.from || (pos === change.from && side < 0)) break
    if (pos < change.to) return change.at
    shift += grownBy(change)
  }
  return pos + shift
}

/** A position of the page in the shared document; within a change where it begins. */
export function toShared(changes: readonly Change[], pos: number): number {
  let shift = 0
  for (const change of changes) {
    if (pos <= change.at) break
    if (pos < change.end) return change.from
    shift += grownBy(change)
  }
  return pos - shift
}
