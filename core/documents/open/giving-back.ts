/**
 * Whose the words are that a revert puts in again (extensions §12): theirs who wrote them, as the
 * history knows of the revision that comes back. Only what this very write has put in is credited
 * anew; what stood keeps its authors.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { PrintedBlock, Segment } from '../../../schema/markdown/printed.ts'
import type { StructRange } from '../../../schema/yjs/struct-id.ts'
import type { Interval } from '../authorship/exceptions.ts'
import { inlineChildren, structOfType, structsOfUnits } from '../edits/write/y-text.ts'
import type { Mirror } from '../model/mirror.ts'
import type { AuthorRun } from '../views/document-view.ts'
import { changedBlocks } from './changed-blocks.ts'

export interface GivingBack {
  readonly before: DocumentText
  readonly after: DocumentText
  /** Of all of `after`, as it was. */
  readonly authorship: readonly AuthorRun[]
  readonly mirror: Mirror
  /** What was written: structs of this client from this clock on. */
  readonly written: { readonly client: number; readonly clock: number }
}

/** What is somebody else's than its writer's. */
export function giveBack(given: GivingBack): readonly Interval[] {
  const { before, after, authorship, mirror, written } = given
  const credits: Interval[] = []
  const add = ({ client, clock, length }: StructRange, actor: Interval['actor']): void => {
    if (client !== written.client || clock < written.clock) return
    const last = credits.at(-1)
    const goesOn = last?.actor === actor && last.clock + last.length === clock
    if (last !== undefined && goesOn) {
      credits[credits.length - 1] = { ...last, length: last.length + length }
    } else credits.push({ client, clock, length, actor })
  }
  const authors = new Authors(authorship)
  for (const { what, node, printed, start } of changedBlocks(before, after).stretches) {
    if (what !== 'whole') continue
    for (const unit of unitsOf(node, printed, mirror)) {
      for (const part of authors.over(start + unit.md, start + unit.md + unit.mdLength)) {
        const from = part.from - start - unit.md
        const isPlain = unit.isPlain && unit.mdLength > 0
        const [first, end] = isPlain ? [from, part.to - start - unit.md] : [0, unit.length]
        for (const struct of unit.structs(first, end)) add(struct, part.author)
        if (!isPlain) break
      }
    }
  }
  return credits
}

interface Unit {
  readonly md: number
  readonly mdLength: number
  readonly length: number
  /** Character by character. */
  readonly isPlain: boolean
  structs(from: number, to: number): readonly StructRange[]
}

/** The text and leaves of a top-level block, as they are printed. */
function* unitsOf(top: Node, printed: PrintedBlock, mirror: Mirror): Generator<Unit> {
  const wholes: Unit[] = []
  const whole = (node: Node, pos: number): Unit | undefined => {
    const type = mirror.typeOf(node)
    const place = printed.blocks.find((block) => block.pos === pos)
    if (type === undefined || place === undefined) return undefined
    const { from: md, to } = place
    const structs = () => structOfType(type)
    return { md, mdLength: Math.max(1, to - md), length: 1, isPlain: false, structs }
  }
  const holders: { readonly node: Node; readonly from: number }[] = []
  const visit = (node: Node, pos: number): void => {
    if (node.isTextblock && node.content.size > 0) holders.push({ node, from: pos + 1 })
    else if (node.isTextblock || node.isLeaf) {
      const unit = whole(node, pos)
      if (unit !== undefined) wholes.push(unit)
    } else {
      node.forEach((child, offset) => {
        visit(child, pos + 1 + offset)
      })
    }
  }
  visit(top, 0)
  yield* wholes
  let index = 0
  for (const segment of printed.segments) {
    while (index < holders.length && isBehind(holders[index], segment)) index++
    const holder = holders[index]
    const element = holder && mirror.typeOf(holder.node)
    if (holder === undefined || element === undefined || segment.pos < holder.from) continue
    const children = inlineChildren(element)
    const first = segment.pos - holder.from
    const { md, mdLength, length } = segment
    yield {
      md,
      mdLength,
      length,
      isPlain: mdLength === length,
      structs: (from, to) => structsOfUnits(children, first + from, first + to),
    }
  }
}

const isBehind = (
  holder: { readonly node: Node; readonly from: number } | undefined,
  { pos }: Segment,
): boolean => holder !== undefined && pos >= holder.from + holder.node.content.size

/** Asked for any stretches. */
class Authors {
  readonly #runs: readonly AuthorRun[]

  constructor(runs: readonly AuthorRun[]) {
    this.#runs = runs
  }

  *over(from: number, to: number): Generator<AuthorRun> {
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#runs[middle]?.to ?? 0) <= from) low = middle + 1
      else high = middle
    }
    for (let run = this.#runs[low]; run !== undefined && run.from < to; run = this.#runs[++low]) {
      yield { ...run, from: Math.max(from, run.from), to: Math.min(to, run.to) }
    }
  }
}
