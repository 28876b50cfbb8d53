/** What an empty document says: a decoration, nothing of it is ever in the text. */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

const words = 'Write, or type / for blocks'

export function placeholder(mayWrite: () => boolean): Plugin {
  return new Plugin({
    props: {
      decorations(state) {
        const pos = mayWrite() ? emptyParagraph(state) : undefined
        const node = pos === undefined ? null : state.doc.nodeAt(pos)
        if (pos === undefined || node === null) return null
        const shown = Decoration.node(pos, pos + node.nodeSize, { 'data-placeholder': words })
        return DecorationSet.create(state.doc, [shown])
      },
    },
  })
}

/** Where the only paragraph of an empty document stands; `undefined` in any other. */
export function emptyParagraph({ doc }: EditorState): number | undefined {
  const front = isFrontMatter(doc.firstChild) ? doc.firstChild : null
  const only = doc.maybeChild(front === null ? 0 : 1)
  if (doc.childCount !== (front === null ? 1 : 2) || only === null) return undefined
  const isEmpty = only.type.name === 'paragraph' && only.content.size === 0
  return isEmpty ? (front?.nodeSize ?? 0) : undefined
}

const isFrontMatter = (node: Node | null): node is Node => node?.type.name === 'front_matter'
