/**
 * The addressed blocks of a text (interface §2.2 `content_blocks`), listed chunk by chunk: what a
 * chunk says of itself is found once, and its JSON is kept while the chunk stays where it is.
 */
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { DocumentText, TextChunk } from '../../../schema/markdown/document-text.ts'
import type { PrintedBlock } from '../../../schema/markdown/printed.ts'
import type { ContentBlock } from './document-view.ts'

/** From the start of its chunk, or of its top-level block. */
interface ListedBlock {
  readonly id: BlockId | null
  readonly from: number
  readonly to: number
}

interface ChunkJson {
  readonly offset: number
  /** Without brackets around it. */
  readonly bytes: Uint8Array
}

const wrappers = new Set(['bullet_list', 'ordered_list', 'blockquote'])
const [open, comma, close] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [
  Buffer,
  Buffer,
  Buffer,
]

export class BlockListing {
  readonly #blocks = new WeakMap<TextChunk, readonly ListedBlock[]>()
  readonly #json = new WeakMap<TextChunk, ChunkJson>()

  #jsonAt(chunk: TextChunk, offset: number): Uint8Array {
    const known = this.#json.get(chunk)
    if (known?.offset === offset) return known.bytes
    let json = ''
    for (const { id, from, to } of this.#listed(chunk)) {
      if (json !== '') json += ','
      json += id === null ? '{"id":null' : `{"id":"${id}"`
      json += `,"range":{"from":${offset + from},"to":${offset + to}}}`
    }
    const bytes = Buffer.from(json)
    this.#json.set(chunk, { offset, bytes })
    return bytes
  }

  /** The same list as one JSON array, in pieces. */
  listJson(text: DocumentText): Uint8Array[] {
    const pieces: Uint8Array[] = []
    let offset = 0
    for (const chunk of text.chunks) {
      const bytes = this.#jsonAt(chunk, offset)
      if (bytes.length > 0) pieces.push(pieces.length === 0 ? open : comma, bytes)
      offset += chunk.length
    }
    if (pieces.length === 0) pieces.push(open)
    pieces.push(close)
    return pieces
  }

  /** In document order. */
  list(text: DocumentText): ContentBlock[] {
    const listed: ContentBlock[] = []
    let offset = 0
    for (const chunk of text.chunks) {
      for (const { id, from, to } of this.#listed(chunk)) {
        listed.push({ id, range: { from: offset + from, to: offset + to } })
      }
      offset += chunk.length
    }
    return listed
  }

  #listed(chunk: TextChunk): readonly ListedBlock[] {
    const known = this.#blocks.get(chunk)
    if (known !== undefined) return known
    const listed = [...addressed(chunk)]
    this.#blocks.set(chunk, listed)
    return listed
  }
}

function* addressed({ blocks, starts }: TextChunk): Generator<ListedBlock> {
  for (const [index, { printed }] of blocks.entries()) {
    const start = starts[index] ?? 0
    for (const { id, from, to } of addressedIn(printed)) {
      yield { id, from: start + from, to: start + to }
    }
  }
}

/**
 * The blocks of one of the top level, itself first, from its start on. Nested wrappers and table
 * header rows have no address (id null); a block that is planned has one, and no id yet.
 */
export function* addressedIn({
  blocks,
}: PrintedBlock): Generator<ListedBlock & { readonly hasAddress: boolean }> {
  let tablePos = -1
  for (const { id, type, pos, from, to } of blocks) {
    if (type === 'table') tablePos = pos
    const header = type === 'table_row' && pos === tablePos + 1
    const wrapper = pos > 0 && wrappers.has(type)
    const hasAddress = !header && !wrapper
    yield { id: hasAddress && isBlockId(id) ? id : null, hasAddress, from, to }
  }
}
