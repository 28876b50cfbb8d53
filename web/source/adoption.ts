/**
 * Freshly read blocks take over what the blocks whose place they take are known by: ids, and the
 * authors of the text that stayed. So an edit of the source changes what it changed and nothing
 * else, also where a paragraph became a heading or went into a list. Pure.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { identifiedTypes } from '../../schema/document-schema.ts'
import { inlineDifference, inlineOf } from '../editor/binding/inline.ts'

/**
 * `next` as what became of `old`; nodes that are the same object stay. `earlier`: what stood there
 * before the draft was begun, and may come back.
 */
export function adopt(
  old: readonly Node[],
  next: readonly Node[],
  earlier: readonly Node[] = [],
): Node[] {
  const match: Match = { partners: new Map(), texts: new Map(), lost: [], found: [] }
  pairSiblings(match, old, next)
  const left = pairOrphans(match, match.lost)
  if (left.length > 0 && earlier.length > 0) {
    const present = new Set([...old, ...next].flatMap(idsIn))
    const gone = earlier.flatMap(textblocksIn).filter((node) => !present.has(node.attrs['id']))
    pairOrphans({ ...match, found: left }, gone)
  }
  return next.map((node) => grown(node, match))
}

interface Match {
  /** What a new node was. */
  readonly partners: Map<Node, Node>
  /** Whose text a new text block has. */
  readonly texts: Map<Node, Node>
  /** Text blocks whose text has no partner. */
  readonly lost: Node[]
  readonly found: Node[]
}

function pairSiblings(match: Match, old: readonly Node[], next: readonly Node[]): void {
  const [lost, found] = [new Set(old), new Set(next)]
  for (const [was, node] of pairsOf(old, next)) {
    lost.delete(was)
    found.delete(node)
    if (was === node) continue
    match.partners.set(node, was)
    if (node.inlineContent && likeness(was, node) > 0) match.texts.set(node, was)
    else if (node.inlineContent) {
      match.lost.push(was)
      match.found.push(node)
    }
    if (!node.inlineContent && !node.isLeaf) pairSiblings(match, was.children, node.children)
  }
  for (const node of lost) match.lost.push(...textblocksIn(node))
  for (const node of found) match.found.push(...textblocksIn(node))
}

/** Those whose text went elsewhere in the window: into a list, out of a quote. Who is left. */
function pairOrphans({ partners, texts, found }: Match, lost: readonly Node[]): Node[] {
  const left = new Set(lost)
  const named = new Set(partners.values())
  return found.filter((node) => {
    for (const was of left) {
      if (likeness(was, node) < orphanLikeness) continue
      left.delete(was)
      texts.set(node, was)
      if (!partners.has(node) && !named.has(was) && mayBecome(was, node)) partners.set(node, was)
      return false
    }
    return true
  })
}

function idsIn(node: Node): unknown[] {
  const ids = [node.attrs['id']]
  return node.isTextblock || node.isLeaf ? ids : [...ids, ...node.children.flatMap(idsIn)]
}

const orphanLikeness = 0.6

function textblocksIn(node: Node): Node[] {
  if (node.isTextblock) return [node]
  return node.isLeaf ? [] : node.children.flatMap(textblocksIn)
}

/** More pairs than these are not tried out: siblings then pair in order. */
const triedMax = 4_096

/** Who was whom among siblings, in order: the same objects, then the most alike. */
function pairsOf(old: readonly Node[], next: readonly Node[]): [Node, Node][] {
  let head = 0
  const least = Math.min(old.length, next.length)
  while (head < least && old[head] === next[head]) head++
  let tail = 0
  while (tail < least - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++
  const a = old.slice(head, old.length - tail)
  const b = next.slice(head, next.length - tail)
  return a.length * b.length <= triedMax ? mostAlike(a, b) : inOrder(a, b)
}

function inOrder(old: readonly Node[], next: readonly Node[]): [Node, Node][] {
  const pairs: [Node, Node][] = []
  for (let at = 0; at < Math.min(old.length, next.length); at++) {
    const [was, node] = [old[at], next[at]]
    if (was !== undefined && node !== undefined && worth(was, node) > 0) pairs.push([was, node])
  }
  return pairs
}

/** The row of pairs, none crossing another, that is worth most. */
function mostAlike(old: readonly Node[], next: readonly Node[]): [Node, Node][] {
  const width = next.length + 1
  const best = new Float64Array((old.length + 1) * width)
  const worths = old.map((was) => next.map((node) => worth(was, node)))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0)
      const own = worths[i]?.[j] ?? 0
      const pair = own > 0 ? own + (best[(i + 1) * width + j + 1] ?? 0) : 0
      best[i * width + j] = Math.max(skip, pair)
    }
  }
  const pairs: [Node, Node][] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < next.length) {
    const [was, node] = [old[i], next[j]]
    const own = worths[i]?.[j] ?? 0
    const here = best[i * width + j] ?? 0
    if (own > 0 && here === own + (best[(i + 1) * width + j + 1] ?? 0)) {
      if (was !== undefined && node !== undefined) pairs.push([was, node])
      i++
      j++
    } else if (here === (best[(i + 1) * width + j] ?? 0)) i++
    else j++
  }
  return pairs
}

/** Front matter and cells have places of their own, that others cannot have. */
const mayBecome = (was: Node, node: Node): boolean =>
  was.type === node.type || [was, node].every(({ type }) => type.isInGroup('block'))

/** How much it is worth to take one for the other; 0: never. */
function worth(was: Node, node: Node): number {
  if (was === node) return 4
  if (was.type === node.type) return 0.5 + likeness(was, node)
  const isText = was.isTextblock && node.isTextblock && mayBecome(was, node)
  const alike = isText ? likeness(was, node) : 0
  return alike >= orphanLikeness ? alike / 2 : 0
}

/** How much of the longer text both begin and end with. */
function likeness(a: Node, b: Node): number {
  const [one, other] = [a.textContent, b.textContent]
  const most = Math.max(one.length, other.length)
  if (most === 0) return 1
  const least = Math.min(one.length, other.length)
  let head = 0
  while (head < least && one.charCodeAt(head) === other.charCodeAt(head)) head++
  let tail = 0
  while (
    tail < least - head &&
    one.charCodeAt(one.length - 1 - tail) === other.charCodeAt(other.length - 1 - tail)
  ) {
    tail++
  }
  return (head + tail) / most
}

/** A new node with the id and the authors of what it was, at any depth. */
function grown(node: Node, match: Match): Node {
  const was = match.partners.get(node)
  const text = match.texts.get(node)
  const content =
    node.inlineContent && text?.inlineContent
      ? contentWithAuthors(text, node)
      : node.inlineContent || node.isLeaf
        ? node.content
        : Fragment.fromArray(node.children.map((child) => grown(child, match)))
  const keepsId = was !== undefined && identifiedTypes.has(node.type.name)
  const id = keepsId ? (was.attrs['id'] ?? null) : node.attrs['id']
  if (id === node.attrs['id']) return node.copy(content)
  return node.type.create({ ...node.attrs, id }, content, node.marks)
}

/** What stayed at both ends keeps its authors; a blank that markdown cannot spell yet stays. */
function contentWithAuthors(was: Node, node: Node): Fragment {
  const [unseen = ''] = was.type.spec.code ? [] : (/[ \t]+$/.exec(was.textContent) ?? [])
  const seen = was.content.cut(0, was.content.size - unseen.length)
  const { from, to, end } = inlineDifference(inlineOf(seen.content), inlineOf(node.children))
  const head = authoredAs(node.content.cut(0, from), seen.cut(0, from))
  const tail = authoredAs(node.content.cut(end), seen.cut(to))
  const content = head.append(node.content.cut(from, end)).append(tail)
  const keepsUnseen = unseen !== '' && tail.size > 0 && !node.type.spec.code
  return keepsUnseen ? content.append(was.content.cut(seen.size)) : content
}

/** `content` with the authors of `was`, which has the same text. */
function authoredAs(content: Fragment, was: Fragment): Fragment {
  const out: Node[] = []
  let at = 0
  for (const node of content.content) {
    for (let done = 0; done < node.nodeSize; ) {
      const { node: source, offset } = childAt(was, at)
      const left = offset + (source?.nodeSize ?? 1) - at
      const length = Math.min(node.nodeSize - done, left)
      const piece = node.isText ? node.cut(done, done + length) : node
      const author = source?.marks.find((mark) => mark.type.name === 'authored')
      out.push(author === undefined ? piece : piece.mark(author.addToSet(piece.marks)))
      done += length
      at += length
    }
  }
  return Fragment.fromArray(out)
}

function childAt(content: Fragment, pos: number): { node: Node | undefined; offset: number } {
  let offset = 0
  for (const node of content.content) {
    if (pos < offset + node.nodeSize) return { node, offset }
    offset += node.nodeSize
  }
  return { node: undefined, offset: pos }
}
