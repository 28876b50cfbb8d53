/**
 * Markdown to a document: the stock `MarkdownParser` over our tokenizer, with a declaration for
 * every block and mark. A handler of our own stands only where the stock one loses something: marks
 * of nested emphasis, links of images, soft breaks, task boxes, tightness, or (in silence) a block
 * that does not fit the schema. No content is ever dropped.
 */
import { MarkdownParser } from 'prosemirror-markdown'
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { blockHandlers, blockSpecs } from './block-specs.ts'
import { inlineHandlers, inlineSpecs } from './inline-specs.ts'
import { parseEnv } from './parse-env.ts'
import { replaceHandlers } from './parse-state.ts'
import { tokenizer } from './tokenizer.ts'

/**
 * The document a text says: ids null, no `authored` marks; empty text is one empty paragraph.
 * `start`: the text begins a document, so front matter is allowed (default true). Throws
 * INVALID_MARKDOWN with a `reason` when the text is over a limit of parse work or table size.
 */
export function parseMarkdown(text: string, options: { readonly start?: boolean } = {}): Node {
  return parser.parse(text, parseEnv(options.start ?? true))
}

function createParser(): MarkdownParser {
  const made = new MarkdownParser(documentSchema, tokenizer, { ...blockSpecs, ...inlineSpecs })
  replaceHandlers(made, { ...blockHandlers, ...inlineHandlers })
  return made
}

const parser = createParser()
