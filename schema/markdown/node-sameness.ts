/**
 * When a freshly parsed node says what an old one says, the old one stays: with its block ids, its
 * authors and whatever somebody is typing that does not print yet. It does not know which part of
 * the text was edited.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { sameAttributes, sameContent } from '../diff/content.ts'
import { commonEnds } from '../diff/ends.ts'
import { indentMax, plainContext } from './context.ts'
import { gapOf } from './gaps.ts'
import { isList } from './node-attributes.ts'
import { printBlock } from './printer.ts'
import { isShortRow } from './spelled-row.ts'
import {
  itemNumber,
  markerPattern,
  missingColumn,
  ownMarker,
  patternMarker,
  spellingOf,
} from './spelling.ts'
import { effectiveTight } from './tightness.ts'

/**
 * `fresh`, with each node that says the same as its counterpart in `old` replaced by that one, at
 * any depth: from the front, from the back, and pair by pair where as many are left on both sides.
 */
export function keepOld(old: readonly Node[], fresh: readonly Node[]): Node[] {
  const { front, back } = commonEnds(old, fresh, saysTheSame)
  const kept = [
    ...old.slice(0, front),
    ...fresh.slice(front, fresh.length - back),
    ...old.slice(old.length - back),
  ]
  if (old.length !== fresh.length) return kept
  for (let index = front; index < fresh.length - back; index++) {
    const [before, after] = [old[index], fresh[index]]
    if (before && after) kept[index] = keepWithin(before, after)
  }
  return kept
}

function keepWithin(old: Node, fresh: Node): Node {
  if (saysTheSame(old, fresh)) return old
  if (old.type !== fresh.type || fresh.isLeaf || fresh.inlineContent) return fresh
  const next = isList(fresh) ? (markedAs(old, fresh) ?? fresh) : fresh
  if (saysTheSame(old, next)) return old
  const kept = keepOld(old.children, next.children)
  const children = next.type.name === 'table' ? withWholeRows(kept, old) : kept
  return next.copy(Fragment.fromArray([...children]))
}

/** The rows of a table; one that comes new, or that an edit made short, has all its cells. */
function withWholeRows(rows: readonly Node[], old: Node): readonly Node[] {
  const known = new Set(old.children)
  const isInserted = rows.length > old.childCount
  return rows.map((row, index) => {
    // A row that was short before may be.
    const isAsBefore = known.has(row) || (!isInserted && isShortRow(old.child(index)))
    if (isAsBefore || !isShortRow(row)) return row
    return row.type.create({ ...row.attrs, spelling: null }, row.content)
  })
}

/**
 * A freshly read list with the markers that an old one says, where all items of that one follow
 * them: a number that is not the next one is not meant, since items come and go. Undefined where
 * the list was read with other markers.
 */
export function markedAs(old: Node, fresh: Node): Node | undefined {
  const place = { avoid: '', indent: indentMax }
  const [wanted, read] = [markerPattern(old, place), markerPattern(fresh, place)]
  if (wanted.end !== read.end || old.children.some((item) => spellingOf(item) !== null)) return
  const items = fresh.children.map((item, index) => {
    const number = itemNumber(fresh, index, read)
    const own = ownMarker(item, read)
    const marker = own?.marker ?? patternMarker(read, number)
    const isSame = withoutNumber(marker) === withoutNumber(patternMarker(wanted, number))
    const spelling = isSame && own?.box === undefined ? null : marker + (own?.box ?? '')
    return item.type.create({ ...item.attrs, spelling }, item.content)
  })
  const holds = (item: Node) => spellingOf(item) === null || ownMarker(item, wanted) !== undefined
  if (!items.every(holds)) return
  return fresh.type.create({ ...fresh.attrs, spelling: spellingOf(old) }, items)
}

const withoutNumber = (marker: string): string => marker.replace(/\d+/, '')

/** Whether both print the same: containers by what they hold, all else by itself. */
function saysTheSame(old: Node, fresh: Node): boolean {
  if (old.isLeaf || old.inlineContent || fresh.isLeaf || fresh.inlineContent) {
    return sameContent(old, fresh) || printTheSame(old, fresh)
  }
  if (old.type !== fresh.type || old.childCount !== fresh.childCount) return false
  if (!sameSetting(old, fresh)) return false
  for (let index = 0; index < old.childCount; index++) {
    if (!saysTheSame(old.child(index), fresh.child(index))) return false
  }
  return true
}

/** The attributes, save that a list is as tight as it can be printed. */
function sameSetting(old: Node, fresh: Node): boolean {
  if (!isList(old)) return sameAttributes(old, fresh)
  const names = Object.keys(old.attrs).filter((name) => name !== 'id' && name !== 'tight')
  const isSame = names.every((name) => old.attrs[name] === fresh.attrs[name])
  return isSame && effectiveTight(old) === effectiveTight(fresh)
}

/** Cells are not printed by themselves. */
function printTheSame(old: Node, fresh: Node): boolean {
  if ([old, fresh].some((node) => node.type.spec['tableRole'] || !node.isBlock)) return false
  if (gapOf(old) !== gapOf(fresh) || !areSpelledAlike(old, fresh)) return false
  const before = printBlock(old, plainContext)
  return before.md === printBlock(fresh, plainContext).md
}

/**
 * What may be a link by reference prints as it was written only where its definition is known, and
 * a line that lacks columns only where there are some.
 */
function areSpelledAlike(old: Node, fresh: Node): boolean {
  const [before, after] = [spellingOf(old) ?? '', spellingOf(fresh) ?? '']
  return before === after || !['[', missingColumn].some((part) => (before + after).includes(part))
}
