/**
 * Long containers are printed by runs of children: a run is remembered by its first child and holds
 * as long as the same children follow it, so that a change costs the run it is in and not all the
 * others. Where children come or go the runs behind are found again. Pure: nodes are immutable, and
 * a run is a function of its children and its key.
 */
import type { Node } from 'prosemirror-model'
import type { Definitions } from './definitions.ts'
import type { PrintedPart } from './printed-parts.ts'

interface Run {
  readonly nodes: readonly Node[]
  /** All that the run's text depends on besides its children. */
  readonly key: string
  readonly definitions: Definitions
  readonly part: PrintedPart
  /** In positions. */
  readonly size: number
}

const runs = new WeakMap<Node, Run>()

/** Children of a new run, and how many a run may grow to. */
const runLength = 64
const runMaxLength = 2 * runLength
/** A run that has shrunk below this is joined to the one before it when that is printed. */
const runMinLength = runLength / 4

/** Consecutive children, printed together. */
export interface PrintedRun {
  readonly part: PrintedPart
  /** Where the first of them is, from the first child of all. */
  readonly offset: number
  /** How many children it is of. */
  readonly count: number
}

/** All children in runs. `keyAt`: the key of a run that begins there. */
export function printedRuns(
  children: readonly Node[],
  { keyAt, definitions }: { keyAt: (index: number) => string; definitions: Definitions },
  print: (nodes: readonly Node[], index: number) => PrintedPart,
): PrintedRun[] {
  const printed: PrintedRun[] = []
  let offset = 0
  for (let index = 0; index < children.length; ) {
    const key = keyAt(index)
    let run = runAt(children, index)
    if (run?.key !== key || run.definitions !== definitions) {
      const nodes = children.slice(index, endOfRun(children, index))
      const size = nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0)
      run = { nodes, key, definitions, part: print(nodes, index), size }
      runs.set(nodes[0] as Node, run)
    }
    printed.push({ part: run.part, offset, count: run.nodes.length })
    offset += run.size
    index += run.nodes.length
  }
  return printed
}

/** The remembered run that begins at `index` and still has all its children there. */
function runAt(children: readonly Node[], index: number): Run | undefined {
  const run = runs.get(children[index] as Node)
  const isWhole = run?.nodes.every((node, offset) => children[index + offset] === node)
  return isWhole ? run : undefined
}

/** Up to the next remembered run, if it is near. */
function endOfRun(children: readonly Node[], index: number): number {
  const most = Math.min(children.length, index + runMaxLength)
  for (let end = index + 1; end < most; end++) {
    const next = runAt(children, end)
    if (next !== undefined && next.nodes.length >= runMinLength) return end
  }
  return most === children.length ? most : index + runLength
}
