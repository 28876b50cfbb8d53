/**
 * What two nodes say, apart from who they are: equality and likeness of content that ignore block
 * ids and authors, on any level of the tree. Pure; results are remembered per node, since nodes are
 * immutable. It knows nothing of Yjs or of the edit that made a node.
 */
import { Mark, type Node } from 'prosemirror-model'
import { remembered } from '../remembered.ts'

/** The marks that are part of the text: all but `authored`. */
export function textMarks(node: Node): readonly Mark[] {
  return node.marks.some(isAuthored) ? node.marks.filter((mark) => !isAuthored(mark)) : node.marks
}

const isAuthored = (mark: Mark): boolean => mark.type.name === 'authored'

/** Same type, attributes (but `id`) and content (but authors). */
export function sameContent(a: Node, b: Node): boolean {
  if (a === b) return true
  if (a.type !== b.type || !sameAttributes(a, b)) return false
  if (a.isText) return a.text === b.text && Mark.sameSet(textMarks(a), textMarks(b))
  if (a.nodeSize !== b.nodeSize) return false
  // Where authors divide a text otherwise, only the key tells.
  return sameChildren(a, b) || (a.inlineContent && contentKey(a) === contentKey(b))
}

function sameChildren(a: Node, b: Node): boolean {
  if (a.childCount !== b.childCount) return false
  for (let i = 0; i < a.childCount; i++) if (!sameContent(a.child(i), b.child(i))) return false
  return true
}

/** Equal attributes, `id` apart. */
export function sameAttributes(a: Node, b: Node): boolean {
  for (const name of Object.keys(a.attrs)) {
    if (name !== 'id' && a.attrs[name] !== b.attrs[name]) return false
  }
  return true
}

/** Equal for two nodes exactly when they have the same content in the sense of this file. */
export const contentKey = remembered((node: Node): string => {
  const attributes = Object.entries(node.attrs).filter(([name]) => name !== 'id')
  const head = JSON.stringify([node.type.name, attributes])
  if (node.isLeaf) return head
  const parts = [head]
  let text = ''
  let marks: readonly Mark[] = []
  for (const child of node.children) {
    const own = child.isText ? textMarks(child) : Mark.none
    if (text !== '' && !(child.isText && Mark.sameSet(own, marks))) {
      parts.push(JSON.stringify([text, marks]))
      text = ''
    }
    if (!child.isText) parts.push(contentKey(child))
    marks = own
    text += child.text ?? ''
  }
  if (text !== '') parts.push(JSON.stringify([text, marks]))
  return `{${parts.join()}}`
})

/** Words counted for likeness; the rest of a longer text is taken to be like its beginning. */
const likenessMaxWords = 400

const wordsOf = remembered((node: Node): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const text = node.textBetween(0, Math.min(node.content.size, likenessMaxWords * 8), ' ', ' ')
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
})

const sizeOf = (bag: ReadonlyMap<string, number>): number => {
  let size = 0
  for (const count of bag.values()) size += count
  return size
}

/** From 0 (no word in common) to 1 (the same words, in any order); leaves and empty blocks: 0. */
export function likeness(a: Node, b: Node): number {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  const total = sizeOf(left) + sizeOf(right)
  if (total === 0) return 0
  let common = 0
  for (const [word, count] of left) common += Math.min(count, right.get(word) ?? 0)
  return (2 * common) / total
}
