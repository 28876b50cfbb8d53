/**
 * A document in the canonical form, whatever its blocks are written like. Its positions and its
 * chunks are those of the document, so that versions share what did not change.
 */

import { remembered } from '../remembered.ts'
import type { Definitions } from './definitions.ts'
import { DocumentText } from './document-text.ts'
import { type ChunkBlock, chunkBlock, TextChunk } from './text-chunk.ts'
import { unspelled } from './unspelled.ts'

interface BareChunk {
  readonly before: ChunkBlock | undefined
  readonly definitions: Definitions
  readonly chunk: TextChunk
}

const bareChunks = new WeakMap<TextChunk, BareChunk>()

export const bareText = remembered((text: DocumentText): DocumentText => {
  const { chunks, definitions } = text
  // In a short one a block may be the only one.
  if (chunks.length < 2) {
    return DocumentText.of(
      chunks.flatMap(({ blocks }) => blocks.map(({ node }) => unspelled(node))),
    )
  }
  let before: ChunkBlock | undefined
  const made = chunks.map((chunk) => {
    const bare = bareChunk(chunk, before, definitions)
    before = bare.blocks.at(-1)
    return bare
  })
  return DocumentText.joined(made, definitions)
})

function bareChunk(
  chunk: TextChunk,
  before: ChunkBlock | undefined,
  definitions: Definitions,
): TextChunk {
  const known = bareChunks.get(chunk)
  const isSame = known?.before?.node === before?.node && known?.before?.context === before?.context
  if (known !== undefined && isSame && known.definitions === definitions) return known.chunk
  const blocks: ChunkBlock[] = []
  for (const { node } of chunk.blocks) {
    blocks.push(chunkBlock(blocks.at(-1) ?? before, unspelled(node), { only: false, definitions }))
  }
  const bare = new TextChunk(blocks, chunk.terminator)
  bareChunks.set(chunk, { before, definitions, chunk: bare })
  return bare
}
