/**
 * What differs between revisions, kept for a while and told in pages (extensions §12). Two
 * revisions never change, so what was compared once is not compared again; requests that come
 * meanwhile wait for the same comparison. Bounded by memory; knows no store.
 */
import { LRUCache } from 'lru-cache'
import type { ActorId, BlockId } from '../../../schema/ids.ts'

const sinceKeptBytes = 8 * 1024 * 1024

/** Comparisons of revisions that are kept in memory. */
const diffsKeptBytes = 32 * 1024 * 1024

export const sincePageChars = 256 * 1024

/** What a page of a diff, or of changed blocks, holds, about. */
export const diffPageChars = 256 * 1024

/** Positions are UTF-16 offsets, of what was taken out in the old text, else in the new one. */
export type TextChanged =
  | { readonly kind: 'delete'; readonly text: string; readonly from: number; readonly by: ActorId }
  | { readonly kind: 'insert'; readonly text: string; readonly to: number; readonly by: ActorId }

/** Two texts, and the stretches that only one of them has, in the order of the texts. */
export interface TextDifference {
  readonly old: string
  readonly next: string
  readonly stretches: readonly ChangedRange[]
}

export interface ChangedRange {
  readonly kind: 'delete' | 'insert'
  readonly from: number
  readonly to: number
  readonly by: ActorId
}

export interface BlockDifference {
  /** The revision of the blocks that stand. */
  readonly to: number
  readonly changes: readonly BlockChanged[]
}

/** Where a page begins: at so many UTF-16 units of a stretch. */
export interface PageStart {
  readonly index: number
  readonly offset: number
}

export interface TextPage {
  readonly changes: readonly TextChanged[]
  readonly next: PageStart | undefined
}

/** A long stretch goes on in the next page as a change of its own. */
export function pageOf({ old, next, stretches }: TextDifference, begin: PageStart): TextPage {
  const changes: TextChanged[] = []
  let room: number = diffPageChars
  let { offset } = begin
  for (let { index } = begin; index < stretches.length; index++) {
    const stretch = stretches[index]
    if (stretch === undefined) break
    const { kind, to, by } = stretch
    const from = Math.min(to, stretch.from + offset)
    if (room <= 0) return { changes, next: { index, offset } }
    const source = kind === 'delete' ? old : next
    const end = from + room >= to ? to : characterEnd(source, from + room)
    const text = source.slice(from, end)
    changes.push(kind === 'delete' ? { kind, text, from, by } : { kind, text, to: from, by })
    if (end < to) return { changes, next: { index, offset: end - stretch.from } }
    room -= text.length + changeChars
    offset = 0
  }
  return { changes, next: undefined }
}

/** What a change takes beside its text. */
const changeChars = 128

/** Not between two halves of a character. */
const characterEnd = (text: string, at: number): number =>
  (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at

export interface BlockPage {
  readonly changes: readonly BlockChanged[]
  readonly next: number | undefined
}

export function blocksFrom({ changes }: BlockDifference, begin: number): BlockPage {
  let room: number = sincePageChars
  for (let at = begin; at < changes.length; at++) {
    if (room <= 0) return { changes: changes.slice(begin, at), next: at }
    room -= changeChars + (changes[at]?.actors.length ?? 0) * actorChars
  }
  return { changes: changes.slice(begin), next: undefined }
}

const actorChars = 48

/** Comparisons of one kind, by what was compared. */
export class Comparisons<T extends object> {
  readonly #kept: LRUCache<string, T>
  readonly #underWay = new Map<string, Promise<T>>()

  /** `bytesOf`: about what one takes in memory. */
  constructor(maxBytes: number, bytesOf: (one: T) => number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf })
  }

  /** The one that is kept or being made. */
  known(key: string): T | Promise<T> | undefined {
    return this.#kept.get(key) ?? this.#underWay.get(key)
  }

  async get(key: string, compare: () => Promise<T>): Promise<T> {
    const known = this.known(key)
    if (known !== undefined) return known
    const made = compare()
    this.#underWay.set(key, made)
    try {
      const one = await made
      this.#kept.set(key, one)
      return one
    } finally {
      this.#underWay.delete(key)
    }
  }
}

export const differences = () =>
  new Comparisons<TextDifference>(diffsKeptBytes, ({ old, next, stretches }) => {
    return 2 * (old.length + next.length) + 64 * stretches.length + 1024
  })

export const blockDifferences = () =>
  new Comparisons<BlockDifference>(sinceKeptBytes, ({ changes }) => {
    return changes.reduce((sum, { actors }) => sum + 160 + 16 * actors.length, 1024)
  })

export interface BlockChanged {
  readonly id: BlockId
  readonly kind: 'added' | 'changed' | 'deleted'
  /** Everybody who wrote in a revision that touched it. */
  readonly actors: readonly ActorId[]
}
