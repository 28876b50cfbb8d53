/**
 * Where an update divides items that are there: it begins behind or before a character within one,
 * or deletes a part of it. Yjs divides them one by one, and moves the rest of a client's structs
 * aside for each; done ahead, in one pass, the replacement of every word costs what it brings.
 */
import * as Y from 'yjs'
import { splitAhead } from '../../../schema/yjs/split-ahead.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { type ParsedUpdate, readUpdate } from './update-reader.ts'

/** What is shorter divides little. */
const fromBytes = 1024

function pointsOf({ sections, deleted }: ParsedUpdate): readonly StructId[] {
  const points: StructId[] = []
  for (const { structs } of sections) {
    for (const { origin, rightOrigin } of structs) {
      if (origin) points.push({ client: origin.client, clock: origin.clock + 1 })
      if (rightOrigin) points.push(rightOrigin)
    }
  }
  for (const { client, clock, end } of deleted) {
    points.push({ client, clock }, { client, clock: end })
  }
  return points
}

/** Applies an update that nobody has read. */
export function applyDividing(ydoc: Y.Doc, update: Uint8Array): void {
  Y.transact(ydoc, () => {
    if (update.length >= fromBytes) splitAhead(ydoc, pointsOf(readUpdate(update)))
    Y.applyUpdate(ydoc, update)
  })
}
