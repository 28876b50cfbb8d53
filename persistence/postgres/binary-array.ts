/**
 * An array of byte strings as PostgreSQL reads it in binary. The driver would write such an array
 * as text, in which each byte takes two.
 */

const byteaOid = 17
const headerBytes = 20

/** A parameter of type `bytea[]`; null stays null. */
export function byteaArray(items: readonly (Uint8Array | null)[]): Buffer {
  let length = headerBytes
  for (const item of items) length += 4 + (item?.length ?? 0)
  const array = Buffer.allocUnsafe(length)
  const hasNull = items.includes(null) ? 1 : 0
  // Dimensions, whether there is a null, type of the items, their number, index of the first.
  for (const [at, field] of [1, hasNull, byteaOid, items.length, 1].entries()) {
    array.writeInt32BE(field, 4 * at)
  }
  let at = headerBytes
  for (const item of items) {
    array.writeInt32BE(item?.length ?? -1, at)
    at += 4
    if (item === null) continue
    array.set(item, at)
    at += item.length
  }
  return array
}
