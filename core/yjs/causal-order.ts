/**
 * Puts the structs of several clients in an order in which each comes after all it refers to, those
 * of one client by their clocks. Invariant: where the order is free, the clients come as they were
 * given; the time is that of the structs; no recursion. Does not know what a struct is.
 */
import type { StructId } from '../../schema/yjs/struct-id.ts'

/** Structs of one client that follow each other without holes. */
export interface Row<Struct> {
  readonly client: number
  readonly structs: readonly Struct[]
}

export interface Reading<Struct> {
  /** The clock behind its last one. */
  endOf(struct: Struct): number
  refersTo(struct: Struct): readonly (StructId | null | undefined)[]
  /** Whether what is in none of the rows is there already. */
  isKnown(id: StructId): boolean
}

export interface Ordered<Struct> {
  readonly row: Row<Struct>
  readonly index: number
  readonly struct: Struct
}

interface Cursor<Struct> {
  readonly row: Row<Struct>
  index: number
  /** The first clock that has not come yet. */
  next: number
}

/** Returns false, and comes to no end, when something that is referred to never comes. */
export function* inCausalOrder<Struct>(
  rows: readonly Row<Struct>[],
  reading: Reading<Struct>,
): Generator<Ordered<Struct>, boolean> {
  const cursors = new Map<number, Cursor<Struct>>()
  for (const row of rows) cursors.set(row.client, { row, index: 0, next: 0 })
  for (const start of cursors.values()) {
    const stack = [{ cursor: start, until: Number.POSITIVE_INFINITY }]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { cursor, until } = top
      const { row, index } = cursor
      const struct = cursor.next <= until ? row.structs[index] : undefined
      if (struct === undefined) {
        stack.pop()
        continue
      }
      const missing = missingOf(struct, reading, cursors)
      if (missing === undefined) {
        yield { row, index, struct }
        cursor.index++
        cursor.next = reading.endOf(struct)
        continue
      }
      const other = cursors.get(missing.client)
      if (other === undefined || stack.some(({ cursor: waiting }) => waiting === other)) {
        return false
      }
      if (other.index === other.row.structs.length) return false
      stack.push({ cursor: other, until: missing.clock })
    }
  }
  return true
}

function missingOf<Struct>(
  struct: Struct,
  reading: Reading<Struct>,
  cursors: ReadonlyMap<number, Cursor<Struct>>,
): StructId | undefined {
  for (const id of reading.refersTo(struct)) {
    if (id === null || id === undefined) continue
    const come = cursors.get(id.client)?.next ?? 0
    if (id.clock >= come && !reading.isKnown(id)) return id
  }
  return undefined
}
