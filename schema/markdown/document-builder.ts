/**
 * Builds nodes from tokens by the handlers of a `MarkdownParser`. It stands in for the stock
 * parser's own state, which makes a new text node for each piece of a text. Invariant: no content
 * is lost; a block that does not fit its type is told by null.
 */
import type { Token } from 'markdown-it'
import { Fragment, Mark, type MarkType, type Node, type NodeType } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import type { BlockClosed, OpenNode, ParseState, TokenHandlers } from '../internals/parse-state.ts'
import { refuseMarkdown } from './parse-env.ts'

/** Inline nodes of one textblock: stretches of text with other marks, images, breaks. */
const textblockMaxNodes = 50_000

type Opened = { -readonly [Key in keyof OpenNode]: OpenNode[Key] }

export class DocumentBuilder implements ParseState {
  readonly stack: Opened[] = []
  readonly onBlock: BlockClosed
  readonly #handlers: TokenHandlers
  /** Text that is no node yet: more of it may come. */
  #text = ''

  constructor(handlers: TokenHandlers, onBlock: BlockClosed) {
    this.onBlock = onBlock
    this.#handlers = handlers
    this.openNode(documentSchema.topNodeType, null)
  }

  top(): Opened {
    const top = this.stack.at(-1)
    if (top === undefined) throw new TypeError('the document is closed')
    if (this.#text !== '') this.#endText(top)
    return top
  }

  push(node: Node): void {
    const { content } = this.top()
    if (node.isInline && content.length >= textblockMaxNodes) refuseMarkdown('too_complex')
    content.push(node)
  }

  addText(text: string): void {
    this.#text += text
  }

  openMark(mark: Mark): void {
    const top = this.top()
    top.marks = mark.addToSet(top.marks)
  }

  closeMark(type: MarkType): void {
    const top = this.top()
    top.marks = type.removeFromSet(top.marks)
  }

  openNode(type: NodeType, attrs: Opened['attrs']): void {
    if (this.#text !== '') this.top()
    this.stack.push({ type, attrs, content: [], marks: Mark.none })
  }

  addNode(type: NodeType, attrs: Opened['attrs'], content?: readonly Node[]): Node | null {
    const marks = this.stack.length > 0 ? this.top().marks : Mark.none
    const fragment = Fragment.from(content)
    // What fits need not be filled, which looks for what to put before and behind it.
    const node = type.validContent(fragment)
      ? type.create(attrs, fragment, marks)
      : type.createAndFill(attrs, fragment, marks)
    if (node !== null && this.stack.length > 0) this.push(node)
    return node
  }

  closeNode(): Node | null {
    const { type, attrs, content } = this.top()
    this.stack.pop()
    return this.addNode(type, attrs, content)
  }

  parseTokens(tokens: readonly Token[]): void {
    for (const [index, token] of tokens.entries()) {
      const handler = this.#handlers[token.type]
      if (handler === undefined) throw new TypeError(`no handler for the token ${token.type}`)
      handler(this, token, tokens, index)
    }
  }

  #endText({ content, marks }: Opened): void {
    const node = documentSchema.text(this.#text, marks)
    this.#text = ''
    const last = content.at(-1)
    const isSame = last?.isText === true && Mark.sameSet(last.marks, node.marks)
    if (isSame) content[content.length - 1] = documentSchema.text(`${last.text}${node.text}`, marks)
    else this.push(node)
  }
}
