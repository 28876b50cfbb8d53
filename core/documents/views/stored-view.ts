/**
 * What plain reads are told of one revision, as it is stored when a document leaves memory, so that
 * they need no Y.Doc. Derived from the document and never the truth: the head says by its hash
 * which one is of the newest commit, and whoever finds none opens the document.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import type { Steps } from '../../../schema/steps.ts'
import type { AuthorRun, ContentBlock } from './document-view.ts'

export interface ViewContent {
  readonly revision: number
  readonly title: string
  readonly markdown: string
  /** In document order. */
  readonly blocks: readonly ContentBlock[]
  /** Of every character, ascending. */
  readonly authorship: readonly AuthorRun[]
}

const format = 1
/** Blocks or runs written between two steps. */
const atOnce = 4096

export function* encodingView(content: ViewContent): Steps<Uint8Array> {
  const { revision, title, markdown, blocks, authorship } = content
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, format)
  encoding.writeVarUint(encoder, revision)
  encoding.writeVarString(encoder, title)
  encoding.writeVarString(encoder, markdown)
  yield
  encoding.writeVarUint(encoder, blocks.length)
  let last = 0
  for (const [index, { id, range }] of blocks.entries()) {
    encoding.writeVarString(encoder, id ?? '')
    encoding.writeVarUint(encoder, range.from - last)
    encoding.writeVarUint(encoder, range.to - range.from)
    last = range.from
    if (index % atOnce === atOnce - 1) yield
  }
  const authors = new Map<ActorId, number>()
  for (const { author } of authorship) if (!authors.has(author)) authors.set(author, authors.size)
  encoding.writeVarUint(encoder, authors.size)
  for (const author of authors.keys()) encoding.writeVarString(encoder, author)
  encoding.writeVarUint(encoder, authorship.length)
  for (const [index, { from, to, author }] of authorship.entries()) {
    encoding.writeVarUint(encoder, authors.get(author) ?? 0)
    encoding.writeVarUint(encoder, to - from)
    if (index % atOnce === atOnce - 1) yield
  }
  return encoding.toUint8Array(encoder)
}

/** Undefined: of another format. */
export function decodeView(value: Uint8Array): ViewContent | undefined {
  const decoder = decoding.createDecoder(value)
  if (decoding.readVarUint(decoder) !== format) return undefined
  const revision = decoding.readVarUint(decoder)
  const title = decoding.readVarString(decoder)
  const markdown = decoding.readVarString(decoder)
  let last = 0
  const blocks = Array.from({ length: decoding.readVarUint(decoder) }, (): ContentBlock => {
    const id = decoding.readVarString(decoder)
    const from = last + decoding.readVarUint(decoder)
    last = from
    const to = from + decoding.readVarUint(decoder)
    return { id: id === '' ? null : (id as BlockId), range: { from, to } }
  })
  const authors = Array.from(
    { length: decoding.readVarUint(decoder) },
    () => decoding.readVarString(decoder) as ActorId,
  )
  let from = 0
  const authorship = Array.from({ length: decoding.readVarUint(decoder) }, (): AuthorRun => {
    const author = authors[decoding.readVarUint(decoder)] as ActorId
    const to = from + decoding.readVarUint(decoder)
    const run = { from, to, author }
    from = to
    return run
  })
  return { revision, title, markdown, blocks, authorship }
}
