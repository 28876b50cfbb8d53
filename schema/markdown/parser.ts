/**
 * Markdown to a document: the stock `MarkdownParser`'s handlers over our tokenizer's tokens, with a declaration for
 * every block and mark. A handler of our own stands only where the stock one loses something: marks
 * of nested emphasis, links of images, soft breaks, task boxes, tightness, or (in silence) a block
 * that does not fit the schema. No content is ever dropped.
 */
import type { Token } from 'markdown-it'
import { MarkdownParser } from 'prosemirror-markdown'
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { handlersOf } from '../internals/parse-state.ts'
import { blockHandlers, blockSpecs } from './block-specs.ts'
import type { Definitions } from './definitions.ts'
import { DocumentBuilder } from './document-builder.ts'
import { inlineHandlers, inlineSpecs } from './inline-specs.ts'
import { type ParseOptions, parseEnv } from './parse-env.ts'
import { spellsItself } from './plain-text.ts'
import { byteOrderMark, tokenize, tokenizer } from './tokenizer.ts'

/**
 * The document a text says, each block with how it was written: ids null, no `authored` marks;
 * empty text is one empty paragraph. Throws INVALID_MARKDOWN with a `reason` when the text is over a
 * limit of parse work or table size, PAYLOAD_TOO_LARGE when it has too many blocks.
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): Node {
  const doc = plainDocument(text) ?? parseAll(text, options)
  if (text.length <= shortMaxChars) readLast = { text, options, doc }
  return doc
}

/** One line that says what it says. */
function plainDocument(text: string): Node | undefined {
  const line = text.endsWith('\n') ? text.slice(0, -1) : text
  if (line.length > shortMaxChars || line.startsWith(byteOrderMark)) return undefined
  if (!spellsItself(line)) return undefined
  return nodes.doc.create(null, nodes.paragraph.create(null, documentSchema.text(line)))
}

function parseAll(text: string, options: ParseOptions): Node {
  const env = parseEnv(options)
  const tokens = tokenize(text, env)
  return buildDocument(tokens, { targets: env.references })
}

/** The same without how it was written. */
export const readMarkdown = (text: string, options: ParseOptions = {}): Node =>
  buildDocument(tokenize(text, parseEnv(options)))

/**
 * The document of these tokens. With the definitions that they were read with, each block keeps how
 * it was written; without, none does.
 */
export function buildDocument(tokens: readonly Token[], definitions?: Definitions): Node {
  const builder = new DocumentBuilder(handlers, definitions)
  builder.parseTokens(tokens)
  const doc = builder.closeNode()
  if (doc === null) throw new TypeError('the blocks make no document')
  return doc
}

/**
 * The same for who only compares: what was read last is not read again, for what is made of a short
 * text is most often written as it came. Its nodes may stand elsewhere already.
 */
export function rereadMarkdown(text: string, options: ParseOptions = {}): Node {
  const last = readLast
  const isSame =
    last?.text === text &&
    (last.options.start ?? true) === (options.start ?? true) &&
    last.options.definitions === options.definitions
  return isSame ? last.doc : parseMarkdown(text, options)
}

let readLast:
  | { readonly text: string; readonly options: ParseOptions; readonly doc: Node }
  | undefined
const shortMaxChars = 4_096

const { nodes } = documentSchema

const stock = handlersOf(
  new MarkdownParser(documentSchema, tokenizer, { ...blockSpecs, ...inlineSpecs }),
)
const handlers = { ...stock, ...blockHandlers(stock), ...inlineHandlers }
