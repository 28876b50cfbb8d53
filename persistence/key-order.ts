/**
 * The one order of keys: that of their UTF-8 bytes, which is the order of their code points.
 * JavaScript's `<` orders by UTF-16 units instead, where U+10000 comes before U+E000.
 */

/** Moves surrogates above the rest of the 16-bit range, where their code points belong. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Below, at or above zero as `left` comes before, is, or comes after `right`. */
export function compareKeys(left: string, right: string): number {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}
