/**
 * What plain reads are told of one revision, as it is stored when a document leaves memory, so that
 * they need no Y.Doc and hardly any work: most of it is the very JSON that they answer. Derived
 * from the document and never the truth: the head says by its hash which one is of the newest
 * commit, and whoever finds none opens the document.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import type { ActorId } from '../../../schema/ids.ts'
import { chainHash } from '../../commit/log-record.ts'
import type { ViewRecords } from '../../commit/pending-commit.ts'
import { Writers } from '../authorship/hues.ts'
import type { StoredThreadsBytes } from './stored-threads.ts'

export interface StoredContent {
  readonly revision: number
  readonly title: string
  /** SHA-256 of the markdown, hex. */
  readonly contentHash: string
  /** Everybody in `authorship`, each once. */
  readonly authors: readonly ActorId[]
  /** Everybody who has written in the document. */
  readonly writers: Writers
  /** UTF-8 of the JSON of markdown, content blocks and authorship. */
  readonly markdownJson: Uint8Array
  readonly blocksJson: Uint8Array
  readonly authorshipJson: Uint8Array
  /** Of the threads what tells which are wanted, and those that lie here. */
  readonly threads: { readonly rows: Uint8Array; readonly near: Uint8Array }
  /** The record in which the others are; undefined: there are no others. */
  readonly far: { readonly hash: string; readonly bytes: number } | undefined
}

type JsonPart = 'markdownJson' | 'blocksJson' | 'authorshipJson'

/** The same before it is stored: the JSON is in pieces. */
export type ViewToStore = Omit<StoredContent, `${string}Json` | 'threads' | 'far'> & {
  readonly [Part in JsonPart]: readonly Uint8Array[]
} & { readonly threads: StoredThreadsBytes }

export const viewFormat = 4

export function encodeView(view: ViewToStore): ViewRecords {
  const { revision, title, contentHash, authors, writers, threads } = view
  const far = threads.far.length === 0 ? undefined : joined(threads.far)
  const head = encoding.encode((encoder) => {
    encoding.writeVarUint(encoder, viewFormat)
    encoding.writeVarUint(encoder, revision)
    encoding.writeVarString(encoder, title)
    encoding.writeVarString(encoder, contentHash)
    encoding.writeVarUint(encoder, authors.length)
    for (const author of authors) encoding.writeVarString(encoder, author)
    const hues = writers.all
    encoding.writeVarUint(encoder, hues.size)
    for (const [actor, hue] of hues) {
      encoding.writeVarString(encoder, actor)
      encoding.writeVarUint(encoder, hue)
    }
    encoding.writeVarUint(encoder, far?.length ?? 0)
    if (far !== undefined) encoding.writeVarString(encoder, chainHash(far))
  })
  const pieces: Uint8Array[] = [head]
  const { markdownJson, blocksJson, authorshipJson } = view
  for (const json of [markdownJson, blocksJson, authorshipJson, threads.rows, threads.near]) {
    const length = json.reduce((sum, piece) => sum + piece.length, 0)
    pieces.push(
      encoding.encode((encoder) => encoding.writeVarUint(encoder, length)),
      ...json,
    )
  }
  return { format: viewFormat, view: joined(pieces), far }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Undefined: of another format. The parts are views of `value`. */
export function decodeView(value: Uint8Array): StoredContent | undefined {
  const decoder = decoding.createDecoder(value)
  if (decoding.readVarUint(decoder) !== viewFormat) return undefined
  const revision = decoding.readVarUint(decoder)
  const title = decoding.readVarString(decoder)
  const contentHash = decoding.readVarString(decoder)
  const readActor = () => decoding.readVarString(decoder) as ActorId
  const authors = Array.from({ length: decoding.readVarUint(decoder) }, readActor)
  const hues = new Map<ActorId, { readonly hue: number; readonly at: number }>()
  for (let left = decoding.readVarUint(decoder); left > 0; left--) {
    hues.set(readActor(), { hue: decoding.readVarUint(decoder), at: hues.size })
  }
  const farBytes = decoding.readVarUint(decoder)
  const far =
    farBytes === 0 ? undefined : { bytes: farBytes, hash: decoding.readVarString(decoder) }
  const [markdownJson, blocksJson, authorshipJson, rows, near] = [
    decoding.readVarUint8Array(decoder),
    decoding.readVarUint8Array(decoder),
    decoding.readVarUint8Array(decoder),
    decoding.readVarUint8Array(decoder),
    decoding.readVarUint8Array(decoder),
  ]
  return {
    revision,
    title,
    contentHash,
    authors,
    writers: new Writers(hues),
    markdownJson,
    blocksJson,
    authorshipJson,
    threads: { rows, near },
    far,
  }
}
