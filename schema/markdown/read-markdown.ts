/**
 * Markdown to a document without how it was written: the stock `MarkdownParser`'s handlers over our
 * tokenizer's tokens, with a declaration for every block and mark. A handler of our own stands only
 * where the stock one loses something: marks of nested emphasis, links of images, soft breaks, task
 * boxes, tightness, or (in silence) a block that does not fit the schema. No content is ever
 * dropped.
 */
import type { Token } from 'markdown-it'
import { MarkdownParser } from 'prosemirror-markdown'
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { type BlockClosed, handlersOf } from '../internals/parse-state.ts'
import { blockHandlers, blockSpecs } from './block-specs.ts'
import { DocumentBuilder } from './document-builder.ts'
import { inlineHandlers, inlineSpecs } from './inline-specs.ts'
import { type ParseOptions, parseEnv } from './parse-env.ts'
import { settleList } from './tightness.ts'
import { tokenize, tokenizer } from './tokenizer.ts'

/** As `parseMarkdown` does; no block keeps how it was written. */
export const readMarkdown = (text: string, options: ParseOptions = {}): Node =>
  buildDocument(tokenize(text, parseEnv(options)))

/** The document of these tokens. `onBlock` is called with each block that was closed. */
export function buildDocument(
  tokens: readonly Token[],
  onBlock: BlockClosed = ({ content }) => settleList(content),
): Node {
  const builder = new DocumentBuilder(handlers, onBlock)
  builder.parseTokens(tokens)
  const doc = builder.closeNode()
  if (doc === null) throw new TypeError('the blocks make no document')
  return doc
}

const stock = handlersOf(
  new MarkdownParser(documentSchema, tokenizer, { ...blockSpecs, ...inlineSpecs }),
)
const handlers = { ...stock, ...blockHandlers(stock), ...inlineHandlers }
