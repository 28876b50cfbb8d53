/**
 * Markdown to a document whose blocks keep how they were written.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { spellingKeeper } from './kept-spelling.ts'
import { type ParseOptions, parseEnv } from './parse-env.ts'
import { spellsItself } from './plain-text.ts'
import { buildDocument } from './read-markdown.ts'
import { byteOrderMark, tokenize } from './tokenizer.ts'

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
  return buildDocument(tokens, spellingKeeper({ targets: env.references }))
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
