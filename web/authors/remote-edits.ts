/**
 * What came in from elsewhere, told from the Yjs changes themselves: who is writing among those who
 * are here, and what was written by somebody who is not (an agent over REST), with the stretch of
 * text where it landed. Corrections of ids and authors are nobody's edits. It draws nothing.
 */
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { positionsOf } from '../editor/binding/relative-positions.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { type Written, writtenBy } from '../internals/transaction-writes.ts'
import type { Copy } from '../live/session.ts'
import { isSeenWriting, peersOf } from './peers.ts'

/** A stretch of the document that somebody just wrote. */
export interface RemoteEdit extends DocRange {
  /** Who made it, or whose its words are; undefined where that is not known. */
  readonly author: string | undefined
}

export interface RemoteChanges {
  /** ClientIDs, of those who are here, that wrote. */
  readonly writers: ReadonlySet<number>
  /** By those who are not here. */
  readonly edits: readonly RemoteEdit[]
}

export interface WatchParts {
  readonly copy: Copy
  /** The document as the page shows it when the Yjs change has reached it. */
  doc(): Node
  /** False until the service's copy has arrived: its loading is nobody's edit. */
  isLoaded(): boolean
}

/** More stretches than these in one change are told as one. */
const stretchesMax = 64

export function watchRemoteEdits(
  { copy, doc, isLoaded }: WatchParts,
  listener: (changes: RemoteChanges) => void,
): () => void {
  const authors = new Map<number, string>()
  const onTransaction = (transaction: Y.Transaction) => {
    if (transaction.local || !isLoaded()) return
    const present = presentIn(copy)
    const writers = new Set<number>()
    const edits: RemoteEdit[] = []
    for (const [client, written] of writtenBy(transaction)) {
      if (present.has(client)) writers.add(client)
      else edits.push(...editsOf({ client, written, authors, copy, doc: doc() }))
    }
    if (writers.size > 0 || edits.length > 0) listener({ writers, edits })
  }
  copy.ydoc.on('afterTransaction', onTransaction)
  return () => copy.ydoc.off('afterTransaction', onTransaction)
}

/** ClientIDs of those who are seen writing. */
const presentIn = ({ awareness }: Copy): Set<number> =>
  new Set(
    peersOf(awareness)
      .filter(isSeenWriting)
      .map(({ client }) => client),
  )

interface ClientEdits {
  readonly client: number
  readonly written: readonly Written[]
  /** Learned from the text that each client wrote. */
  readonly authors: Map<number, string>
  readonly copy: Copy
  readonly doc: Node
}

function editsOf({ client, written, authors, copy, doc }: ClientEdits): RemoteEdit[] {
  const shown = written.slice(0, stretchesMax)
  const ends = shown.flatMap(({ from, to }) => [from, to])
  const found = positionsOf(copy.fragment, doc, ends)
  const stretches = shown.flatMap(({ isSetting }, index) => {
    const [from, to] = [found[index * 2], found[index * 2 + 1]]
    if (from === undefined || to === undefined) return []
    return [
      isSetting ? wholeBlock(doc, from) : { from: Math.min(from, to), to: Math.max(from, to) },
    ]
  })
  for (const { from, to } of stretches) {
    const by = authorWithin(doc, from, to)
    if (by !== undefined && !by.startsWith('human:')) authors.set(client, by)
  }
  const author = authors.get(client)
  return stretches.map((stretch) => ({ ...stretch, author }))
}

function wholeBlock(doc: Node, pos: number): DocRange {
  const at = doc.resolve(Math.min(pos, doc.content.size))
  return { from: at.start(), to: at.end() }
}

function authorWithin(doc: Node, from: number, to: number): string | undefined {
  let found: string | undefined
  doc.nodesBetween(from, Math.max(to, from + 1), (node) => {
    const by = node.marks.find((mark) => mark.type.name === 'authored')?.attrs['by']
    found ??= by as string | undefined
    return found === undefined
  })
  return found
}
