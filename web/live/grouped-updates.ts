/** Updates of Yjs put together where they are small: to merge large ones takes long. */
import * as Y from 'yjs'

/** As few as there may be of so many bytes, in their order; one that is longer stays alone. */
export function* grouped(updates: readonly Uint8Array[], maxBytes: number): Iterable<Uint8Array> {
  let group: Uint8Array[] = []
  let bytes = 0
  for (const update of updates) {
    if (group.length > 0 && bytes + update.length > maxBytes) {
      yield Y.mergeUpdates(group)
      group = []
      bytes = 0
    }
    group.push(update)
    bytes += update.length
  }
  if (group.length > 0) yield Y.mergeUpdates(group)
}
