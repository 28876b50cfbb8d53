/**
 * Images, hard breaks and HTML within a line carry no marks, as Yjs would lose them: a mark that
 * one's own change put on one is taken off again, and a link becomes its address.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin } from 'prosemirror-state'
import { documentSchema } from '../../../schema/document-schema.ts'
import { changedRanges, localChanges } from './local-changes.ts'

const { link } = documentSchema.marks

export function leafMarks(): Plugin {
  return new Plugin({
    appendTransaction(trs, _, state) {
      if (localChanges(trs).length === 0) return null
      const marked = new Map<number, Node>()
      for (const { from, to } of changedRanges(trs)) {
        state.doc.nodesBetween(from, to, (node, pos) => {
          if (node.isInline && !node.isText && node.marks.length > 0) marked.set(pos, node)
        })
      }
      return marked.size === 0 ? null : unmarked(state, marked)
    },
  })
}

function unmarked({ tr }: EditorState, marked: ReadonlyMap<number, Node>) {
  for (const [pos, node] of marked) {
    for (const mark of node.marks) tr.removeNodeMark(pos, mark)
    const around = link.isInSet(node.marks)
    if (around === undefined || !('href' in node.attrs)) continue
    tr.setNodeAttribute(pos, 'href', around.attrs['href'])
    tr.setNodeAttribute(pos, 'hrefTitle', around.attrs['title'])
  }
  return tr
}
