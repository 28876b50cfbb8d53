/** What an empty document says: a decoration, nothing of it is ever in the text. */
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { emptyParagraph } from './model/empty.ts'

const words = 'Write, or type / for commands'

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
