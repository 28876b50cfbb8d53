/**
 * The way from one document to another: blocks that stayed are not touched, text is spliced, a
 * change of marks alone moves no position. As the smallest steps, which other changes can be mapped
 * over (`rewrite`); or as one, where only selections and decorations go along (`Rewriting`).
 */
import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'
import {
  AddMarkStep,
  RemoveMarkStep,
  ReplaceStep,
  Step,
  StepMap,
  StepResult,
  type Transform,
} from 'prosemirror-transform'
import { inlineChange } from './inline.ts'
import { matchChildren } from './matching.ts'

/** Hears what changes from the end on, so that what is to come keeps its position. */
export interface Changes {
  replace(from: number, to: number, fresh: Fragment): void
  /** A text block becomes one of another type. */
  retype(pos: number, next: Node): void
  attribute(pos: number, name: string, value: unknown): void
  remark(from: number, to: number, marks: { before: readonly Mark[]; after: readonly Mark[] }): void
}

/** Afterwards `tr.doc` equals `target`. */
export function rewrite(tr: Transform, target: Node): void {
  contentChanges(inSteps(tr), { old: tr.doc, next: target, start: 0 })
}

/** The node at `pos`, which is `old`, becomes `next`. */
export function rewriteNode(tr: Transform, pos: number, change: NodeChange): void {
  nodeChanges(inSteps(tr), pos, change)
}

/**
 * Another document in the place of this one, however much is changed: a step for each of ten
 * thousand blocks would make as many documents. It cannot be carried over other steps.
 */
export class Rewriting extends Step {
  readonly #old: Node
  readonly #next: Node
  readonly #map: StepMap

  constructor(old: Node, next: Node, map = mapBetween(old, next)) {
    super()
    this.#old = old
    this.#next = next
    this.#map = map
  }

  apply(doc: Node): StepResult {
    return doc.eq(this.#old) ? StepResult.ok(this.#next) : StepResult.fail('of another document')
  }

  override getMap(): StepMap {
    return this.#map
  }

  invert(): Step {
    return new Rewriting(this.#next, this.#old, this.#map.invert())
  }

  map(): null {
    return null
  }

  toJSON(): never {
    throw new TypeError('a rewriting is nothing to be sent')
  }
}

/** Where each position goes; what only looks otherwise stays where it is. */
function mapBetween(old: Node, next: Node): StepMap {
  const ranges: { from: number; to: number; size: number }[] = []
  const ignore = () => {}
  const replace = (from: number, to: number, { size }: Fragment) => {
    const last = ranges.at(-1)
    if (last?.from === to) {
      last.from = from
      last.size += size
    } else ranges.push({ from, to, size })
  }
  const changes = { replace, retype: ignore, attribute: ignore, remark: ignore }
  contentChanges(changes, { old, next, start: 0 })
  return new StepMap(ranges.reverse().flatMap(({ from, to, size }) => [from, to - from, size]))
}

function inSteps(tr: Transform): Changes {
  return {
    replace: (from, to, fresh) => void tr.step(new ReplaceStep(from, to, new Slice(fresh, 0, 0))),
    retype: (pos, next) => void tr.setNodeMarkup(pos, next.type, next.attrs),
    attribute: (pos, name, value) => void tr.setNodeAttribute(pos, name, value),
    remark(from, to, { before, after }) {
      for (const mark of before) {
        if (!mark.isInSet(after)) tr.step(new RemoveMarkStep(from, to, mark))
      }
      for (const mark of after) {
        if (!mark.isInSet(before)) tr.step(new AddMarkStep(from, to, mark))
      }
    },
  }
}

interface NodeChange {
  readonly old: Node
  readonly next: Node
}

/** `old` stands with its content from `start` on. */
interface ContentChange extends NodeChange {
  readonly start: number
}

export function contentChanges(to: Changes, content: ContentChange): void {
  const { old, next, start } = content
  if (old === next || old.content.eq(next.content)) return
  if (old.inlineContent && next.inlineContent) inlineChanges(to, content)
  else if (old.inlineContent || next.inlineContent) {
    to.replace(start, start + old.content.size, next.content)
  } else {
    const offsets = offsetsOf(old, start)
    for (const change of [...matchChildren(old, next)].reverse()) {
      const from = offsets[change.from] ?? start
      if (change.kind === 'pair') {
        nodeChanges(to, from, { old: old.child(change.from), next: next.child(change.start) })
      } else {
        const fresh = next.children.slice(change.start, change.end)
        to.replace(from, offsets[change.to] ?? start, Fragment.fromArray(fresh))
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

function nodeChanges(to: Changes, pos: number, { old, next }: NodeChange): void {
  if (old.type !== next.type) {
    if (old.isTextblock && next.isTextblock && next.type.validContent(old.content)) {
      to.retype(pos, next)
    } else {
      to.replace(pos, pos + old.nodeSize, Fragment.from(next))
      return
    }
  } else {
    for (const [name, value] of Object.entries(next.attrs)) {
      if (old.attrs[name] !== value) to.attribute(pos, name, value)
    }
  }
  if (!next.isLeaf) contentChanges(to, { old, next, start: pos + 1 })
}

function inlineChanges(to: Changes, { old, next, start }: ContentChange): void {
  const { splices, markChanges } = inlineChange(old.children, next.children)
  for (const splice of splices.toReversed()) {
    const fresh = next.content.cut(splice.start, splice.end)
    to.replace(start + splice.from, start + splice.to, fresh)
  }
  for (const run of markChanges) {
    const from = start + run.start
    to.remark(from, from + run.to - run.from, run)
  }
}
