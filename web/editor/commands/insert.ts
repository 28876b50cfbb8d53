/**
 * Putting in what is not text: rules, tables, images, hard breaks. A block takes the place of an
 * empty paragraph, and its id; otherwise it stands below the block of the caret.
 */
import type { Node } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { DocRange } from '../model/doc-range.ts'
import { isInCode, nodes } from '../model/nodes.ts'
import { withinDepth } from './depth.ts'

interface InsertedBlock {
  readonly node: Node
  /** Where the caret goes: to the start or the end of the block, or to what follows it. */
  readonly caret: 'inside' | 'end' | 'after'
}

function insertBlock(make: () => InsertedBlock): Command {
  return withinDepth((state, dispatch) => {
    const range = insertionRange(state)
    if (range === undefined) return false
    const { tr } = state
    const { node, caret } = make()
    const id = range.replaced?.attrs['id'] as string | null | undefined
    const block = node.type.create({ ...node.attrs, id: id ?? null }, node.content)
    tr.replaceWith(range.from, range.to, block)
    const end = range.from + block.nodeSize
    if (caret === 'inside') tr.setSelection(TextSelection.near(tr.doc.resolve(range.from + 1)))
    else if (caret === 'end') tr.setSelection(TextSelection.near(tr.doc.resolve(end - 1), -1))
    else caretAfter(tr, end)
    dispatch?.(tr.scrollIntoView())
    return true
  })
}

interface InsertionRange extends DocRange {
  readonly replaced?: Node
}

/** The empty paragraph at the caret, or the nearest position below it where a block may stand. */
function insertionRange({
  selection: { $from, $to, empty },
}: EditorState): InsertionRange | undefined {
  const { parent } = $from
  if (empty && parent.type === nodes.paragraph && parent.content.size === 0) {
    return { from: $from.before(), to: $from.after(), replaced: parent }
  }
  for (let depth = $to.depth; depth > 0; depth--) {
    const outer = $to.node(depth - 1)
    const index = $to.indexAfter(depth - 1)
    if (outer.canReplaceWith(index, index, nodes.table)) {
      return { from: $to.after(depth), to: $to.after(depth) }
    }
  }
  return undefined
}

/** The caret goes into the text after `pos`; where a block ends the document, into a new one. */
function caretAfter(tr: Transaction, pos: number): void {
  const $pos = tr.doc.resolve(pos)
  if ($pos.nodeAfter?.isTextblock !== true) tr.insert(pos, nodes.paragraph.create())
  tr.setSelection(Selection.near(tr.doc.resolve(pos + 1)))
}

export const insertRule: Command = insertBlock(() => ({
  node: nodes.horizontal_rule.create(),
  caret: 'after',
}))

export interface TableSize {
  readonly rows: number
  readonly columns: number
}

/** A table with its header row, the caret in its first cell. */
export function insertTable({ rows, columns }: TableSize = { rows: 3, columns: 3 }): Command {
  return insertBlock(() => {
    const row = (type: typeof nodes.table_cell) =>
      nodes.table_row.create(
        null,
        Array.from({ length: columns }, () => type.create()),
      )
    const below = Array.from({ length: rows - 1 }, () => row(nodes.table_cell))
    return { node: nodes.table.create(null, [row(nodes.table_header), ...below]), caret: 'inside' }
  })
}

/** A quote that is drawn as a note; `web/editor/callouts.ts` says which are. */
export function insertCallout(kind = 'NOTE'): Command {
  return insertBlock(() => {
    const name = nodes.paragraph.create(null, nodes.text.schema.text(`[!${kind}]`))
    const quote = nodes.blockquote.create(null, [name, nodes.paragraph.create()])
    return { node: quote, caret: 'end' }
  })
}

export interface ImageAttributes {
  readonly src: string
  readonly alt: string
}

/** An image instead of the selection. */
export function insertImage({ src, alt }: ImageAttributes): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    if (!$from.parent.inlineContent || isInCode($from)) return false
    const image = nodes.image.create({ src, alt })
    dispatch?.(state.tr.replaceSelectionWith(image, false).scrollIntoView())
    return true
  }
}

/** A line break that stays one in the markdown; in code a line feed. */
export const insertHardBreak: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!$from.parent.inlineContent || !$from.sameParent($to)) return false
  const { tr } = state
  if (isInCode($from)) tr.insertText('\n')
  else tr.replaceSelectionWith(nodes.hard_break.create(), false)
  dispatch?.(tr.scrollIntoView())
  return true
}
