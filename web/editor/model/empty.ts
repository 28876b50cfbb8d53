/** Documents in which nothing is written yet. */
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'

/** Where the only paragraph of an empty document stands; `undefined` in any other. */
export function emptyParagraph({ doc }: EditorState): number | undefined {
  const front = isFrontMatter(doc.firstChild) ? doc.firstChild : null
  const only = doc.maybeChild(front === null ? 0 : 1)
  if (doc.childCount !== (front === null ? 1 : 2) || only === null) return undefined
  const isEmpty = only.type.name === 'paragraph' && only.content.size === 0
  return isEmpty ? (front?.nodeSize ?? 0) : undefined
}

const isFrontMatter = (node: Node | null): node is Node => node?.type.name === 'front_matter'
