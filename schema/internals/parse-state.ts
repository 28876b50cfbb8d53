/**
 * What `MarkdownParser` works with at run time and leaves out of its declarations: the state of a
 * running parse and the handlers by token type, which are how a dialect replaces a stock handler.
 * The shapes are those of prosemirror-markdown 1.13.
 */
import type { Token } from 'markdown-it'
import type { MarkdownParser } from 'prosemirror-markdown'
import type { Attrs, Mark, MarkType, Node, NodeType } from 'prosemirror-model'
import type { WrittenBlock, WrittenTree } from '../markdown/source-lines.ts'

/** A node whose end was not met yet; `marks` are those of the text that comes next in it. */
export interface OpenNode {
  readonly type: NodeType
  attrs: Attrs | null
  readonly content: Node[]
  readonly marks: readonly Mark[]
  /** How its block was written; undefined while nobody asks. */
  written?: WrittenBlock | undefined
  /** The same of its content, where this is told with the node's own end. */
  inner?: (WrittenTree | undefined)[]
}

export interface ParseState {
  /** From the document to the innermost open node. */
  readonly stack: readonly OpenNode[]
  /** Called with each block that was closed. */
  readonly onBlock: BlockClosed
  top(): OpenNode
  push(node: Node): void
  addText(text: string): void
  openMark(mark: Mark): void
  closeMark(type: MarkType): void
  openNode(type: NodeType, attrs: Attrs | null): void
  /** Null when the content does not fit the node's type, which loses the content. */
  closeNode(): Node | null
  parseTokens(tokens: readonly Token[]): void
}

/**
 * The block is the last in `parent`; `how`: how it was written, and `inner` the blocks in it that
 * wait for their list to be closed.
 */
export type BlockClosed = (
  parent: OpenNode,
  how: WrittenBlock | undefined,
  inner?: WrittenTree['inner'],
) => void

export type TokenHandler = (
  state: ParseState,
  token: Token,
  tokens: readonly Token[],
  index: number,
) => void

export type TokenHandlers = Readonly<Record<string, TokenHandler>>

/** The handlers of a parser by token type. */
export function handlersOf(parser: MarkdownParser): TokenHandlers {
  const { tokenHandlers } = parser as unknown as { tokenHandlers?: Record<string, TokenHandler> }
  if (tokenHandlers === undefined) throw new TypeError('MarkdownParser has no token handlers')
  return tokenHandlers
}
