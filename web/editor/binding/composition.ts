/**
 * A text block under composition, kept as it is shown: an input method holds on to its DOM, so what
 * others write in it meanwhile waits until the composition ends. The shared document goes on; one's
 * own keys are rebased onto what waits.
 */
import type { Node, ResolvedPos } from 'prosemirror-model'
import { Mapping, Transform } from 'prosemirror-transform'
import { rewrite } from './rewrite.ts'

/** The way to a node: the index of a child on each level. */
type Path = readonly number[]

/**
 * What to show: `next`, with the composed block as it is; `next` itself where nothing need wait, or
 * the block is gone and nothing can.
 */
export function deferComposed($caret: ResolvedPos, next: Node): Node {
  const block = $caret.parent
  const path = block.isTextblock ? pathOf($caret, next) : undefined
  const fresh = path === undefined ? undefined : nodeAt(next, path)
  if (path === undefined || fresh?.type !== block.type || fresh.eq(block)) return next
  return withNode(next, path, block)
}

/** Where `doc` has the caret's text block: by its id, a cell by that of its row. */
function pathOf($caret: ResolvedPos, doc: Node): Path | undefined {
  const own: unknown = $caret.parent.attrs['id']
  if (typeof own === 'string') return pathOfId(doc, own)
  if ($caret.depth < 2) return undefined
  const row: unknown = $caret.node(-1).attrs['id']
  const path = typeof row === 'string' ? pathOfId(doc, row) : undefined
  return path && [...path, $caret.index(-1)]
}

function pathOfId(node: Node, id: string): Path | undefined {
  for (const [index, child] of node.children.entries()) {
    if (child.attrs['id'] === id) return [index]
    if (child.isTextblock || child.isLeaf) continue
    const below = pathOfId(child, id)
    if (below !== undefined) return [index, ...below]
  }
  return undefined
}

function nodeAt(node: Node, path: Path): Node | undefined {
  let at: Node | null = node
  for (const index of path) at = at?.maybeChild(index) ?? null
  return at ?? undefined
}

function withNode(node: Node, [index, ...rest]: Path, put: Node): Node {
  if (index === undefined) return put
  const child = withNode(node.child(index), rest, put)
  return child === node.child(index) ? node : node.copy(node.content.replaceChild(index, child))
}

interface OwnChange {
  /** What the page shows, before and after one's own change. */
  readonly shown: Node
  readonly next: Node
  /** The shared document, which has what waits. */
  readonly known: Node
}

/** The shared document after one's own change of the page, rebased onto what waits. */
export function rebased({ shown, next, known }: OwnChange): Node {
  const waiting = new Transform(shown)
  rewrite(waiting, known)
  const own = new Transform(shown)
  rewrite(own, next)
  const onto = new Transform(waiting.doc)
  let across = new Mapping(waiting.mapping.maps)
  for (const step of own.steps) {
    const mapped = step.map(across)
    const isDone = mapped !== null && onto.maybeStep(mapped).failed === null
    const past = new Mapping([step.getMap().invert()])
    for (const map of across.maps) past.appendMap(map)
    if (isDone) past.appendMap(mapped.getMap(), 0)
    across = past
  }
  return onto.doc
}
