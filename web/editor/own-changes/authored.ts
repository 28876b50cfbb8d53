/**
 * Stamps what is typed with who types it, so that the service need not correct it. A text that one
 * types amid another's would else take over that one's mark. What is pasted or dragged is left to
 * the service: it knows whether those words were somebody's before. Knows nothing of others'
 * changes and never answers them.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, type Transaction } from 'prosemirror-state'
import { Mapping, ReplaceStep } from 'prosemirror-transform'
import { documentSchema } from '../../../schema/document-schema.ts'
import type { DocRange } from '../model/doc-range.ts'
import { exchange, manyChanges } from '../model/exchange.ts'
import { isPastedOrDropped, localChanges } from './local-changes.ts'
import { stamped } from './stamped.ts'

const { authored } = documentSchema.marks

/** `author` is asked at each change: an actor id, or `undefined` while nobody has said who. */
export function authoredStamps(author: () => string | undefined): Plugin {
  return new Plugin({
    appendTransaction(trs, _, state) {
      const by = author()
      if (by === undefined) return null
      const typed = localChanges(trs).filter((tr) => !isPastedOrDropped(tr))
      const mark = authored.create({ by })
      const { tr } = state
      const ranges = typed.flatMap((one) => typedRanges(one, trs))
      if (ranges.length >= manyChanges) {
        // Nothing moves by it, so the selection stands where it stood.
        exchange(tr, stamped(state.doc, ranges, mark))
        tr.setSelection(state.selection.map(tr.doc, new Mapping()))
        return tr.setStoredMarks(state.storedMarks)
      }
      for (const { from, to } of ranges) {
        state.doc.nodesBetween(from, to, (node, pos) => {
          if (!node.isText || mark.isInSet(node.marks)) return
          tr.addMark(Math.max(from, pos), Math.min(to, pos + node.nodeSize), mark)
        })
      }
      // A mark of one's own on what was typed leaves the marks for what is typed next alone.
      return tr.docChanged ? tr.setStoredMarks(state.storedMarks) : null
    },
  })
}

/** Where text stands after `trs` that a step of `tr` put in, beside what it only moved. */
function typedRanges(tr: Transaction, trs: readonly Transaction[]): DocRange[] {
  const later = trs.slice(trs.indexOf(tr) + 1)
  const ranges: DocRange[] = []
  for (const [index, step] of tr.steps.entries()) {
    if (!(step instanceof ReplaceStep)) continue
    const map = (pos: number, side: number) => {
      const here = tr.mapping.slice(index + 1).map(pos, side)
      return later.reduce((at, next) => next.mapping.map(at, side), here)
    }
    // Whole blocks that a command moves carry their authors; flat text was typed.
    step.slice.content.descendants((node, pos, parent?: Node | null) => {
      const isMoved = parent?.isTextblock === true && authored.isInSet(node.marks) !== undefined
      if (!node.isText || isMoved) return
      const start = step.from + pos - step.slice.openStart
      const [from, to] = [map(start, 1), map(start + node.nodeSize, -1)]
      if (from < to) ranges.push({ from, to })
    })
  }
  return ranges
}
