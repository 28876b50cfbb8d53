/**
 * Brings a transform's document to another one by the smallest steps, so that selections,
 * decorations and a composition map through what others changed: blocks that stayed are not
 * touched, text is spliced, a change of marks alone moves no position.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { AddMarkStep, RemoveMarkStep, ReplaceStep, type Transform } from 'prosemirror-transform'
import { inlineChange } from './inline.ts'
import { matchChildren } from './matching.ts'

/** Afterwards `tr.doc` equals `target`. */
export function rewrite(tr: Transform, target: Node): void {
  rewriteContent(tr, { old: tr.doc, next: target, start: 0 })
}

interface NodeChange {
  readonly old: Node
  readonly next: Node
}

/** `old` stands with its content from `start` on. */
interface ContentChange extends NodeChange {
  readonly start: number
}

function rewriteContent(tr: Transform, content: ContentChange): void {
  const { old, next, start } = content
  if (old.content.eq(next.content)) return
  if (old.inlineContent && next.inlineContent) rewriteInline(tr, content)
  else if (old.inlineContent || next.inlineContent) replaceAll(tr, content)
  else {
    const offsets = offsetsOf(old, start)
    // From the end, so that what is to come keeps its position.
    for (const change of [...matchChildren(old, next)].reverse()) {
      const from = offsets[change.from] ?? start
      if (change.kind === 'pair') {
        rewriteNode(tr, from, { old: old.child(change.from), next: next.child(change.start) })
      } else {
        const fresh = next.children.slice(change.start, change.end)
        replace(tr, from, { to: offsets[change.to] ?? start, fresh: Fragment.fromArray(fresh) })
      }
    }
  }
}

function offsetsOf(node: Node, start: number): number[] {
  const offsets = [start]
  let at = start
  for (const child of node.children) {
    at += child.nodeSize
    offsets.push(at)
  }
  return offsets
}

/** The node at `pos`, which is `old`, becomes `next`. */
export function rewriteNode(tr: Transform, pos: number, { old, next }: NodeChange): void {
  if (old.type !== next.type) {
    if (old.isTextblock && next.isTextblock && next.type.validContent(old.content)) {
      tr.setNodeMarkup(pos, next.type, next.attrs)
    } else {
      replace(tr, pos, { to: pos + old.nodeSize, fresh: Fragment.from(next) })
      return
    }
  } else {
    for (const [name, value] of Object.entries(next.attrs)) {
      if (old.attrs[name] !== value) tr.setNodeAttribute(pos, name, value)
    }
  }
  if (!next.isLeaf) rewriteContent(tr, { old, next, start: pos + 1 })
}

function replaceAll(tr: Transform, { old, next, start }: ContentChange): void {
  replace(tr, start, { to: start + old.content.size, fresh: next.content })
}

interface Fresh {
  readonly to: number
  readonly fresh: Fragment
}

function replace(tr: Transform, from: number, { to, fresh }: Fresh): void {
  tr.step(new ReplaceStep(from, to, new Slice(fresh, 0, 0)))
}

function rewriteInline(tr: Transform, { old, next, start }: ContentChange): void {
  const { splice, markChanges } = inlineChange(old.children, next.children)
  if (splice !== undefined) {
    const { from, to, end } = splice
    replace(tr, start + from, { to: start + to, fresh: next.content.cut(from, end) })
  }
  for (const run of markChanges) {
    const [at, until] = [start + run.from, start + run.to]
    for (const mark of run.before) {
      if (!mark.isInSet(run.after)) tr.step(new RemoveMarkStep(at, until, mark))
    }
    for (const mark of run.after) {
      if (!mark.isInSet(run.before)) tr.step(new AddMarkStep(at, until, mark))
    }
  }
}
