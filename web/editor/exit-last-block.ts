/**
 * The way out of a document's last block where Enter does not lead out: code, a table, a quote, a
 * rule. Arrow down at its end, or a click below it, begins a paragraph after it.
 */
import { Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { documentSchema } from '../../schema/document-schema.ts'

/** Blocks after which a caret has somewhere to go by itself. */
const open: ReadonlySet<string> = new Set(['paragraph', 'heading', 'bullet_list', 'ordered_list'])

export function exitLastBlock(): Plugin {
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (event.key !== 'ArrowDown' || event.shiftKey || event.altKey) return false
        return isAtEnd(view) && begin(view)
      },
      handleClick(view, _pos, event) {
        const last = view.dom.lastElementChild
        const isBelow = last !== null && event.clientY > last.getBoundingClientRect().bottom
        return isBelow && event.button === 0 && begin(view)
      },
    },
  })
}

/** In the last line of the last block, the caret cannot go down. */
function isAtEnd(view: EditorView): boolean {
  const { selection, doc } = view.state
  if (!selection.empty || selection.$to.after(1) < doc.content.size) return false
  const { $to } = selection
  const inTable = $to.node(1).type.name === 'table'
  const lastRow = inTable ? $to.index(1) === $to.node(1).childCount - 1 : true
  const below = inTable ? 0 : doc.content.size - $to.after()
  return lastRow && below < $to.depth && view.endOfTextblock('down')
}

function begin(view: EditorView): boolean {
  const { doc, tr } = view.state
  if (!view.editable || doc.lastChild === null || open.has(doc.lastChild.type.name)) return false
  tr.insert(doc.content.size, documentSchema.nodes.paragraph.create())
  tr.setSelection(TextSelection.atEnd(tr.doc)).scrollIntoView()
  view.dispatch(tr)
  view.focus()
  return true
}
