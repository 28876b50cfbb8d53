/**
 * Reads the markdown of one textblock, with where its content is written. Remembers the last
 * long one that was written.
 */
import type { Token } from 'markdown-it'
import type { Node } from 'prosemirror-model'
import { Refusal } from '../errors.ts'
import type { Definitions } from './definitions.ts'
import { InlineTrace, sourceSegments } from './inline-source.ts'
import { parseEnv } from './parse-env.ts'
import type { Segment } from './printed.ts'
import { buildDocument } from './read-markdown.ts'
import { tokenize, tokenizeCell } from './tokenizer.ts'

/** A textblock and the markdown it was read from. */
export interface TextblockSource {
  readonly md: string
  /** Without how it was written. */
  readonly node: Node
  /** `pos` counts from the start of the content. */
  readonly segments: readonly Segment[]
  /**
   * Where the content begins in the markdown, behind the marker of a heading, and where it ends.
   */
  readonly from: number
  readonly to: number
}

/** A paragraph or a heading; undefined where the text is anything else. */
export const readTextblock = (md: string, definitions: Definitions): TextblockSource | undefined =>
  withinLimits(() => textblockOf(md, definitions))

/** The same of what was written, which is read at each key that is typed in it. */
export function readWritten(md: string, definitions: Definitions): TextblockSource | undefined {
  if (md.length < longMinChars || md.length > longMaxChars) return readTextblock(md, definitions)
  if (written?.md !== md || written.definitions !== definitions) {
    written = { md, definitions, source: readTextblock(md, definitions) }
  }
  return written.source
}

let written:
  | {
      readonly md: string
      readonly definitions: Definitions
      readonly source: TextblockSource | undefined
    }
  | undefined
const longMinChars = 1_024
const longMaxChars = 128 * 1_024

function textblockOf(md: string, definitions: Definitions): TextblockSource | undefined {
  const trace = new InlineTrace()
  const tokens = tokenize(md, parseEnv({ start: false, definitions, trace }))
  const [open, inline, , more] = tokens
  if (more !== undefined || open === undefined || inline?.type !== 'inline') return undefined
  const node = buildDocument(tokens).firstChild
  if (node === null || !node.isTextblock) return undefined
  const from = md.indexOf(inline.content, open.type === 'heading_open' ? headLength(md, open) : 0)
  if (from < 0) return undefined
  const to = from + inline.content.length
  return { md, node, segments: segmentsIn({ node, inline, trace }, from), from, to }
}

/** Undefined where what some editor stored would take the parser more than is allowed. */
export function withinLimits<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** How far the opening of a heading reaches. */
const headLength = (md: string, { markup }: Token): number =>
  markup.startsWith('#') ? md.indexOf(markup) + markup.length : 0

interface ReadInline {
  readonly node: Node
  readonly inline: Token
  readonly trace: InlineTrace
}

/** Breaks at the end of a textblock are no content. */
function segmentsIn({ node, inline, trace }: ReadInline, from: number): Segment[] {
  const { size } = node.content
  return sourceSegments(inline.children ?? [], trace, inline.content)
    .filter(({ pos, length }) => pos + length <= size)
    .map((segment) => ({ ...segment, md: segment.md + from }))
}

/** The text in a cell, pipes unescaped. */
export const readCellText = (md: string, definitions: Definitions): TextblockSource | undefined =>
  withinLimits(() => cellTextOf(md, definitions))

function cellTextOf(md: string, definitions: Definitions): TextblockSource | undefined {
  const trace = new InlineTrace()
  const env = parseEnv({ start: false, definitions, trace })
  const tokens = tokenizeCell(md, env)
  const cell = buildDocument(tokens).firstChild?.firstChild?.firstChild
  const inline = tokens.find(({ type }) => type === 'inline')
  if (!cell || inline === undefined) return undefined
  const segments = segmentsIn({ node: cell, inline, trace }, 0)
  return { md, node: cell, segments, from: 0, to: md.length }
}
