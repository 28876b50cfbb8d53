/**
 * The blocks that a selection touches, one by one, and of which kind each is. A block is here what
 * holds no others: a text block, a table, a rule, a block of HTML. In a table nothing is selected.
 */
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { DocRange } from '../model/doc-range.ts'
import { isItem, isList, kindOfItem, type ListKind, nodes } from '../model/nodes.ts'

export type BlockKindName =
  | 'text'
  | `heading-${1 | 2 | 3 | 4 | 5 | 6}`
  | ListKind
  | 'quote'
  | 'code'

export interface SelectedBlock {
  readonly node: Node
  readonly pos: number
  /** What is right around it: an item of such a list, or a quote. */
  readonly within: ListKind | 'quote' | undefined
  /** In a quote, however deep. */
  readonly isQuoted: boolean
}

export const isBlock = ({ type }: Node): boolean =>
  type.isInGroup('block') &&
  type !== nodes.blockquote &&
  type !== nodes.bullet_list &&
  type !== nodes.ordered_list

export const isTextBlock = (node: Node): boolean => node.isTextblock && isBlock(node)

/** Whether what stands at `pos` is selected in part or whole. */
export const touches = ({ from, to }: DocRange, node: Node, pos: number): boolean =>
  pos < to && from < pos + node.nodeSize

/** Visits the selected blocks in order, until one is refused; whether none was. */
export function everyBlock(
  { doc, selection }: EditorState,
  accept: (block: SelectedBlock) => boolean,
): boolean {
  const { from, to } = selection
  const visit = (parent: Node, start: number, around: Around): boolean => {
    let pos = start
    for (const node of parent.children) {
      if (pos >= to) break
      const at = pos
      pos += node.nodeSize
      if (pos <= from) continue
      if (isBlock(node)) {
        const isInside = node.type === nodes.table && from > at && to < pos
        if (!isInside && !accept({ node, pos: at, ...around })) return false
      } else if (!node.isTextblock && !visit(node, at + 1, inside(parent, node, around))) {
        return false
      }
    }
    return true
  }
  return visit(doc, 0, { within: undefined, isQuoted: false })
}

type Around = Pick<SelectedBlock, 'within' | 'isQuoted'>

function inside(parent: Node, node: Node, around: Around): Around {
  if (isItem(node)) return { ...around, within: kindOfItem(parent, node) }
  return isList(node) ? around : { within: 'quote', isQuoted: true }
}

export function selectedBlocks(state: EditorState): readonly SelectedBlock[] {
  const blocks: SelectedBlock[] = []
  everyBlock(state, (block) => blocks.push(block) > 0)
  return blocks
}

/** Whether there is text that may become of another kind. */
export const isConvertible = (state: EditorState): boolean =>
  !everyBlock(state, ({ node }) => !node.isTextblock)

/** The kind of a text block: its own, else that of what is right around it. */
function kindOf({ node: { type, attrs }, within }: SelectedBlock): BlockKindName {
  if (type === nodes.code_block) return 'code'
  if (type === nodes.heading) return `heading-${attrs['level'] as 1}`
  return within ?? 'text'
}

/** The kind that all selected text has; undefined where it is of several, or there is none. */
export function selectedKind(state: EditorState): BlockKindName | undefined {
  let common: BlockKindName | undefined
  const isCommon = everyBlock(state, (block) => {
    if (!block.node.isTextblock) return true
    const kind = kindOf(block)
    common ??= kind
    return kind === common
  })
  return isCommon ? common : undefined
}
