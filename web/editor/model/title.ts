/**
 * The title of a document: its first line that says something, behind front matter, as the service
 * finds it (interface §2.2), but in the words a reader sees, without the markup of emphasis. Looks
 * at the first blocks only.
 */
import type { Node } from 'prosemirror-model'

const titleMaxCodePoints = 200

/** '' when no line says anything. */
export function titleOf(doc: Node): string {
  for (const block of doc.children) {
    if (block.type.name === 'front_matter') continue
    const line = firstLine(block)
    if (line !== '') return line
  }
  return ''
}

/** Whether the text begins with a heading of the first level, behind front matter. */
export function beginsWithTitle(doc: Node): boolean {
  const first = doc.children.find((block) => block.type.name !== 'front_matter')
  return first?.type.name === 'heading' && first.attrs['level'] === 1 && first.content.size > 0
}

function firstLine(block: Node): string {
  let line = ''
  const look = (node: Node): boolean => {
    if (line !== '' || !node.isTextblock) return line === ''
    const text = node.textBetween(0, node.content.size, '\n', wordsOfLeaf)
    line = text.trim().split('\n', 1)[0] ?? ''
    return false
  }
  if (look(block)) block.descendants(look)
  return [...line.slice(0, 2 * titleMaxCodePoints)].slice(0, titleMaxCodePoints).join('')
}

const wordsOfLeaf = (leaf: Node): string =>
  leaf.type.name === 'hard_break' ? '\n' : String(leaf.attrs['alt'] ?? '')
