/**
 * When a freshly parsed node says what an old one says, the old one stays: with its block ids, its
 * authors and whatever somebody is typing that does not print yet. It does not know which part of
 * the text was edited.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { sameAttributes, sameContent } from '../diff/content.ts'
import { commonEnds } from '../diff/ends.ts'
import { plainContext } from './context.ts'
import { gapOf } from './gaps.ts'
import { isList } from './node-attributes.ts'
import { printBlock } from './printer.ts'
import { missingColumn, spellingOf } from './spelling.ts'
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
  return fresh.copy(Fragment.fromArray(keepOld(old.children, fresh.children)))
}

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
 * What may be a link by reference prints as it was written only where its definition is known, and a
 * line that lacks columns only where there are some.
 */
function areSpelledAlike(old: Node, fresh: Node): boolean {
  const [before, after] = [spellingOf(old) ?? '', spellingOf(fresh) ?? '']
  return before === after || !['[', missingColumn].some((part) => (before + after).includes(part))
}
