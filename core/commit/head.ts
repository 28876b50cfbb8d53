/**
 * The head of a document: the one record every commit checks and rewrites. It says how far the log
 * goes and how its chain ends, so that a lost or foreign log record cannot pass unnoticed.
 */
import type { ActorId, Slug } from '../../schema/ids.ts'
import { DocumentDamage } from './damage.ts'
import type { DocumentFacts, Life, LinkAccess } from './facts.ts'
import type { Tally } from './record-tally.ts'

export interface Head {
  readonly format: 1
  readonly revision: number
  /** Sequence number of the newest log record; 0: none since the create. */
  readonly seq: number
  /** Hash of the newest log record, or of the snapshot that took its place; hex. */
  readonly chain: string
  /** The snapshot holds everything up to this sequence number. */
  readonly snapshotSeq: number
  readonly snapshotHash: string
  /** The newest revision whose whole text is stored. */
  readonly textRevision: number
  /** Of the history rows since then. */
  readonly rowBytes?: number
  /** The newest revision whose authors are stored whole, and the rows since then. */
  readonly authors?: { readonly revision: number; readonly rowBytes: number }
  readonly tally: Tally
  readonly createdAt: number
  readonly changedAt: number
  readonly linkAccess: LinkAccess
  readonly readOnly: boolean
  readonly commentsDisabled: boolean
  readonly life: Life
  /** Of the newest text, and who wrote last; undefined in heads of before. For lists. */
  readonly title?: string | undefined
  readonly changedBy?: ActorId | undefined
  /** Characters of its markdown, of the newest text; undefined in heads of before. */
  readonly chars?: number
  /** What the document cost in memory, about; undefined: nobody wrote it down. */
  readonly weight?: number
  /** The stored view, if it is of this commit. */
  readonly view?: StoredViewName | undefined
}

export interface StoredViewName {
  readonly hash: string
  readonly bytes: number
  /** Undefined of those that are read no more. */
  readonly format?: number
}

export function encodeHead(head: Head): Uint8Array {
  return Buffer.from(JSON.stringify(head))
}

export function decodeHead(slug: Slug, value: Uint8Array): Head {
  const { buffer, byteOffset, length } = value
  const head: unknown = JSON.parse(Buffer.from(buffer, byteOffset, length).toString())
  if (typeof head !== 'object' || head === null || !('format' in head) || head.format !== 1) {
    throw new DocumentDamage(slug, 'the head has an unknown format')
  }
  // Documents of before a life was written down are active.
  return { life: { state: 'active' }, ...(head as Omit<Head, 'life'>) }
}

export function factsOf(slug: Slug, head: Head): DocumentFacts {
  const { linkAccess, readOnly, commentsDisabled, createdAt, life } = head
  return { slug, linkAccess, readOnly, commentsDisabled, createdAt, life }
}
