/**
 * A stored snapshot as writes: its slices, then what is deleted. Yjs applies a set of deleted
 * ranges one by one and moves the rest of a client's structs aside for each that it divides, which
 * is the square of the ranges. Here they are divided ahead, some at a time, in one pass each.
 */
import * as Y from 'yjs'
import { splitAhead } from '../../schema/yjs/split-ahead.ts'
import { encodeDeleted } from './deletions.ts'
import { decodeSnapshot } from './snapshot.ts'

/** Ranges that are divided and deleted together. */
const rangesAtOnce = 2_048

/** To be made in their order. */
export function snapshotWrites(snapshot: Uint8Array): ((ydoc: Y.Doc) => void)[] {
  const updates = [...decodeSnapshot(snapshot)]
  const deletions = updates.pop()
  const slices = updates.map((slice) => (ydoc: Y.Doc) => Y.applyUpdateV2(ydoc, slice))
  return deletions === undefined ? slices : [...slices, ...deletionWrites(deletions)]
}

function deletionWrites(update: Uint8Array): ((ydoc: Y.Doc) => void)[] {
  const { ds } = Y.decodeUpdateV2(update)
  return [...ds.clients].flatMap(([client, ranges]) => {
    const writes: ((ydoc: Y.Doc) => void)[] = []
    for (let at = 0; at < ranges.length; at += rangesAtOnce) {
      const some = ranges.slice(at, at + rangesAtOnce)
      const points = some.flatMap(({ clock, len }) => [
        { client, clock },
        { client, clock: clock + len },
      ])
      const deleting = Buffer.concat([noStructs, encodeDeleted(new Map([[client, some]]))])
      writes.push((ydoc) => {
        splitAhead(ydoc, points)
        Y.applyUpdate(ydoc, deleting)
      })
    }
    return writes
  })
}

const noStructs = Uint8Array.of(0)
