/**
 * What a block is: paragraph, heading or code. A block keeps its id when its type changes, and its
 * words: what the new type cannot hold is said as text.
 */
import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import { marks, nodes } from '../model/nodes.ts'

export interface TextblockType {
  readonly type: NodeType
  readonly attrs?: Readonly<Record<string, unknown>>
}

export const paragraph: TextblockType = { type: nodes.paragraph }
export const heading = (level: number): TextblockType => ({ type: nodes.heading, attrs: { level } })
export const codeBlock = (params = ''): TextblockType => ({
  type: nodes.code_block,
  attrs: { params },
})

/** The textblocks of the selection that may become of another type: no cells, no front matter. */
function changeable(state: EditorState): readonly { readonly node: Node; readonly pos: number }[] {
  const found: { node: Node; pos: number }[] = []
  for (const { $from, $to } of state.selection.ranges) {
    state.doc.nodesBetween($from.pos, $to.pos, (node, pos, parent) => {
      const isBlock = node.isTextblock && node.type.isInGroup('block')
      if (isBlock && parent !== null) found.push({ node, pos })
      return !node.isTextblock
    })
  }
  return found
}

const isAlready = (node: Node, { type, attrs = {} }: TextblockType) =>
  node.type === type && Object.entries(attrs).every(([name, value]) => node.attrs[name] === value)

/** Makes every selected textblock one of `wanted`. */
export function setTextblock(wanted: TextblockType): Command {
  return (state, dispatch) => {
    const blocks = changeable(state).filter(({ node }) => !isAlready(node, wanted))
    if (blocks.length === 0) return false
    if (dispatch === undefined) return true
    const { tr } = state
    for (const { pos } of blocks) retype(tr, tr.mapping.map(pos), wanted)
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** Turns the textblock at `pos` into `wanted`: the same id, the words kept. */
export function retype(tr: Transaction, pos: number, { type, attrs = {} }: TextblockType): void {
  const node = tr.doc.nodeAt(pos)
  if (node === null) throw new TypeError(`no block at ${pos}`)
  respell(tr, pos, type)
  tr.setNodeMarkup(pos, type, { ...attrs, id: node.attrs['id'] as string | null })
}

/** Says as text what `type` cannot hold; a heading is one line, code is characters alone. */
function respell(tr: Transaction, pos: number, type: NodeType): void {
  const node = tr.doc.nodeAt(pos)
  if (node === null || node.type === type || type === nodes.paragraph) return
  const isCode = type === nodes.code_block
  for (let index = node.childCount - 1, end = pos + 1 + node.content.size; index >= 0; index--) {
    const child = node.child(index)
    const start = end - child.nodeSize
    end = start
    const text = spelling(child, isCode)
    if (text === undefined) continue
    const kept = isCode ? child.marks.filter((mark) => mark.type === marks.authored) : child.marks
    const content = text === '' ? Fragment.empty : child.type.schema.text(text, kept)
    tr.replaceWith(start, start + child.nodeSize, content)
  }
  if (!isCode) return
  const { from, to } = { from: pos + 1, to: pos + 1 + (tr.doc.nodeAt(pos)?.content.size ?? 0) }
  for (const mark of [marks.strong, marks.em, marks.strike, marks.code, marks.link]) {
    tr.removeMark(from, to, mark)
  }
}

/** How an inline node is said in a block that cannot hold it; undefined: it can. */
function spelling(node: Node, isCode: boolean): string | undefined {
  if (node.type === nodes.hard_break) return isCode ? '\n' : ' '
  if (node.isText) return isCode || !node.text?.includes('\n') ? undefined : oneLine(node.text)
  if (!isCode) return undefined
  const attrs = node.attrs as Record<string, string>
  if (node.type === nodes.image) return `![${attrs['alt']}](${attrs['src']})`
  return attrs['source'] ?? ''
}

const oneLine = (text: string) => text.replace(/\n/g, ' ')
