/**
 * What a block is: paragraph, heading or code. A block keeps its id when its type changes, and its
 * words: what the new type cannot hold is said as text.
 */
import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import { TextSelection, type Transaction } from 'prosemirror-state'
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

/** Of headings the level tells them apart; code is code in whichever language. */
const isAlready = (node: Node, { type, attrs }: TextblockType): boolean =>
  node.type === type && node.attrs['level'] === attrs?.['level']

/** What a text block becomes as `wanted`; of code each line does, and the first keeps the id. */
export function turned(node: Node, wanted: TextblockType): readonly Node[] {
  if (isAlready(node, wanted)) return [node]
  const { type, attrs = {} } = wanted
  const contents =
    node.type === nodes.code_block ? linesOf(node.content) : [respelled(node.content, type)]
  return contents.map((content, index) =>
    type.create(
      { ...attrs, id: index === 0 ? (node.attrs['id'] as string | null) : null },
      content,
    ),
  )
}

function linesOf(content: Fragment): readonly Fragment[] {
  const lines: Node[][] = [[]]
  content.forEach((node) => {
    const [first = '', ...others] = node.text?.split('\n') ?? []
    const add = (text: string) => {
      if (text !== '') lines.at(-1)?.push(node.type.schema.text(text, node.marks))
    }
    add(first)
    for (const text of others) {
      lines.push([])
      add(text)
    }
  })
  return lines.map((line) => Fragment.fromArray(line))
}

/** Turns the textblock at `pos` into `wanted`: the same id, the words and the caret kept. */
export function retype(tr: Transaction, pos: number, { type, attrs = {} }: TextblockType): void {
  const node = tr.doc.nodeAt(pos)
  if (node === null) throw new TypeError(`no block at ${pos}`)
  const content = respelled(node.content, type)
  if (content !== node.content) {
    const { parent, parentOffset } = tr.selection.$from
    const before = respelled(node.content.cut(0, parentOffset), type)
    tr.replaceWith(pos + 1, pos + 1 + node.content.size, content)
    if (parent === node) tr.setSelection(TextSelection.create(tr.doc, pos + 1 + before.size))
  }
  tr.setNodeMarkup(pos, type, { ...attrs, id: node.attrs['id'] as string | null })
}

/** Says as text what `type` cannot hold; a heading is one line, code is characters alone. */
export function respelled(content: Fragment, type: NodeType): Fragment {
  if (type === nodes.paragraph) return content
  const isCode = type === nodes.code_block
  const spelled = content.content.map((node) => {
    const text = spelling(node, isCode)
    const kept = isCode ? node.marks.filter((mark) => mark.type === marks.authored) : node.marks
    if (text === undefined) return kept.length === node.marks.length ? node : node.mark(kept)
    return text === '' ? undefined : node.type.schema.text(text, kept)
  })
  const isSame = spelled.every((node, index) => node === content.child(index))
  return isSame ? content : Fragment.fromArray(spelled.filter((node) => node !== undefined))
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
