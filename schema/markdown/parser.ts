/**
 * Markdown to a document. The tokens of the tokenizer are folded into nodes with a stack of open
 * blocks; every container ends up non-empty, and no content is ever dropped to fit the schema.
 */
import type { Token } from 'markdown-it'
import type { Attrs, Node, NodeType } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { closedHtmlBlock } from './html.ts'
import { inlineContent } from './inline-content.ts'
import { type DefinitionUse, definitionComment } from './link-definitions.ts'
import { isList } from './node-attributes.ts'
import { taskBox } from './task-box.ts'
import { effectiveTight } from './tightness.ts'
import { tokenize } from './tokenizer.ts'

const { nodes } = documentSchema

/**
 * The document a text says: ids null, no `authored` marks; empty text is one empty paragraph.
 * `start`: the text begins a document, so front matter is allowed (default true). Throws
 * INVALID_MARKDOWN with a `reason` when the text is over a limit of parse work or table size.
 */
export function parseMarkdown(text: string, options: { readonly start?: boolean } = {}): Node {
  const builder = new BlockBuilder()
  for (const token of tokenize(text, options.start ?? true)) builder.take(token)
  return builder.finish()
}

interface OpenBlock {
  readonly type: NodeType
  attrs: Attrs | null
  readonly content: Node[]
}

const containers: Readonly<Record<string, NodeType>> = {
  blockquote: nodes.blockquote,
  bullet_list: nodes.bullet_list,
  ordered_list: nodes.ordered_list,
  list_item: nodes.list_item,
  paragraph: nodes.paragraph,
  heading: nodes.heading,
  table: nodes.table,
  tr: nodes.table_row,
  th: nodes.table_header,
  td: nodes.table_cell,
}

/** Token types like `list_item_open` without their ending, looked up once a type. */
const opened = new Map(Object.entries(containers).map(([name, type]) => [`${name}_open`, type]))
const closed = new Set(Object.keys(containers).map((name) => `${name}_close`))
const ignored = new Set(['thead_open', 'thead_close', 'tbody_open', 'tbody_close'])

class BlockBuilder {
  readonly #root: OpenBlock = { type: nodes.doc, attrs: null, content: [] }
  readonly #open: OpenBlock[] = [this.#root]

  take(token: Token): void {
    const type = opened.get(token.type)
    if (type !== undefined) this.#openBlock(type, token)
    else if (closed.has(token.type)) this.#closeBlock()
    else if (token.type === 'inline') this.#inline(token)
    else if (!ignored.has(token.type)) this.#leaf(token)
  }

  finish(): Node {
    const { content } = this.#root
    const last = content.at(-1)
    if (last === undefined || last.type === nodes.front_matter) {
      content.push(nodes.paragraph.create())
    }
    return nodes.doc.create(null, content)
  }

  get #top(): OpenBlock {
    return this.#open.at(-1) ?? this.#root
  }

  #openBlock(type: NodeType, token: Token): void {
    if (type === nodes.paragraph && !token.hidden) this.#loosen()
    this.#open.push({ type, attrs: attributes(type, token), content: [] })
  }

  /** A paragraph that shows as one makes the list that directly holds it loose. */
  #loosen(): void {
    const list = this.#top.type === nodes.list_item ? this.#open.at(-2) : undefined
    if (list !== undefined) list.attrs = { ...list.attrs, tight: false }
  }

  #closeBlock(): void {
    const block = this.#open.pop()
    if (block === undefined) throw new TypeError('a block closes that never opened')
    const { type, attrs, content } = block
    const needsBlock = type === nodes.blockquote || type === nodes.list_item
    if (needsBlock && content.length === 0) content.push(nodes.paragraph.create())
    const node = type.create(attrs, content)
    const tight = isList(node) && effectiveTight(node)
    const same = !isList(node) || node.attrs['tight'] === tight
    this.#top.content.push(same ? node : type.create({ ...attrs, tight }, content))
  }

  #inline(token: Token): void {
    const block = this.#top
    const content = inlineContent(token.children ?? [], block.type !== nodes.paragraph)
    for (const node of this.#withoutTaskBox(token.content, content)) block.content.push(node)
  }

  /** Moves a task box at the start of an item's first paragraph to the item. */
  #withoutTaskBox(source: string, content: readonly Node[]): readonly Node[] {
    const item = this.#open.at(-2)
    if (this.#top.type !== nodes.paragraph || item?.type !== nodes.list_item) return content
    const [first, ...others] = content
    const box = item.content.length === 0 ? taskBox(source) : undefined
    if (box === undefined || !first?.isText || first.marks.length > 0) return content
    const text = first.text ?? ''
    if (taskBox(text) === undefined && !/^\[[ xX]\]$/.test(text)) return content
    item.attrs = { checked: box.checked }
    const rest = text.slice(3).replace(/^[ \t]*\n?/, '')
    return rest === '' ? others : [documentSchema.text(rest), ...others]
  }

  #leaf(token: Token): void {
    const { content } = this.#top
    switch (token.type) {
      case 'front_matter':
        content.push(textNode(nodes.front_matter, null, token.content))
        break
      case 'code_block':
        content.push(textNode(nodes.code_block, null, token.content.replace(/\n$/, '')))
        break
      case 'fence': {
        const attrs = { params: token.info.replace(/\s+/g, ' ').trim() }
        content.push(textNode(nodes.code_block, attrs, token.content.replace(/\n$/, '')))
        break
      }
      case 'hr':
        content.push(nodes.horizontal_rule.create())
        break
      case 'html_block':
        content.push(nodes.html_block.create({ source: closedHtmlBlock(token.content) }))
        break
      case 'link_definition': {
        if ((token.meta as DefinitionUse).used) break
        content.push(nodes.html_block.create({ source: definitionComment(token.content) }))
        break
      }
      default:
        throw new TypeError(`unexpected block token: ${token.type}`)
    }
  }
}

function textNode(type: NodeType, attrs: Attrs | null, text: string): Node {
  return type.create(attrs, text === '' ? null : documentSchema.text(text))
}

function attributes(type: NodeType, token: Token): Attrs | null {
  switch (type) {
    case nodes.heading:
      return { level: Number(token.tag.slice(1)) }
    case nodes.bullet_list:
      return { tight: true }
    case nodes.ordered_list:
      return { tight: true, order: Number(token.attrGet('start') ?? 1) }
    case nodes.table_header:
    case nodes.table_cell:
      return { align: token.attrGet('style')?.replace('text-align:', '') ?? null }
    default:
      return null
  }
}
