/**
 * Markdown to a document: the stock `MarkdownParser` over our tokenizer, with a declaration for
 * every block and mark. A handler of our own stands only where the stock one loses something: marks
 * of nested emphasis, links of images, soft breaks, task boxes, tightness, or (in silence) a block
 * that does not fit the schema. No content is ever dropped.
 */
import type { Token } from 'markdown-it'
import { MarkdownParser } from 'prosemirror-markdown'
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import type { Steps } from '../steps.ts'
import { blockHandlers, blockSpecs } from './block-specs.ts'
import { inlineHandlers, inlineSpecs } from './inline-specs.ts'
import type { DefinitionUse } from './link-definitions.ts'
import { parseEnv } from './parse-env.ts'
import { replaceHandlers } from './parse-state.ts'
import { tokenizer, tokenizing } from './tokenizer.ts'

/**
 * The document a text says: ids null, no `authored` marks; empty text is one empty paragraph.
 * `start`: the text begins a document, so front matter is allowed (default true). Throws
 * INVALID_MARKDOWN with a `reason` when the text is over a limit of parse work or table size.
 */
export function parseMarkdown(text: string, options: { readonly start?: boolean } = {}): Node {
  return parser.parse(text, parseEnv(options.start ?? true))
}

/** The blocks of a whole document: its inline texts are read, then its nodes built, in steps. */
export function* parsingMarkdown(text: string): Steps<readonly Node[]> {
  const tokens = yield* tokenizing(text, parseEnv(true))
  const nodes: Node[] = []
  let from = 0
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    depth += token.nesting
    if (depth > 0 || !standsAlone(token)) continue
    nodes.push(...builder.parse('', tokens.slice(from, index + 1)).children)
    from = index + 1
    yield
  }
  return nodes.length > 0 ? nodes : builder.parse('', tokens).children
}

/** Whether the top-level block that this token ends makes a document without what follows. */
function standsAlone({ type, meta }: Token): boolean {
  if (type === 'link_definition') return !(meta as DefinitionUse).used
  return type !== 'front_matter'
}

function createParser(from: typeof tokenizer): MarkdownParser {
  const made = new MarkdownParser(documentSchema, from, { ...blockSpecs, ...inlineSpecs })
  replaceHandlers(made, { ...blockHandlers, ...inlineHandlers })
  return made
}

const parser = createParser(tokenizer)

/** Of tokens that are there already. */
const builder = createParser({
  parse: (_: string, tokens: readonly Token[]) => tokens,
} as unknown as typeof tokenizer)
