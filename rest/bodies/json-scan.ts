/**
 * The shape of JSON text, counted byte by byte before anything is parsed: how deep its containers
 * nest, how many values it holds, and how many fields an object has. Linear; allocates next to
 * nothing. It does not say whether the text is valid JSON, and is right only where it is.
 */

export interface JsonBounds {
  readonly maxDepth: number
  readonly maxValues: number
  /** Of one object. */
  readonly maxFields: number
}

/**
 * The first bound that the text passes; `undefined`: none. A container is one level, and each of
 * its entries a value.
 */
export function passedBound(
  bytes: Uint8Array,
  { maxDepth, maxValues, maxFields }: JsonBounds,
): keyof JsonBounds | undefined {
  /** Of the objects around here, by level; less than nothing: it is an array. */
  const fields = new Int32Array(maxDepth + 2)
  let depth = 0
  let values = 1
  let isBehindOpening = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === space || byte === newline || byte === carriageReturn || byte === tab) continue
    const isClosing = byte === closingBracket || byte === closingBrace
    if (isBehindOpening && !isClosing) values += 1
    isBehindOpening = byte === openingBracket || byte === openingBrace
    if (isClosing) depth -= 1
    else if (byte === comma) {
      values += 1
      const count = (fields[depth] ?? 0) + 1
      fields[depth] = count
      if (count > maxFields) return 'maxFields'
    } else if (byte === quote) at = endOfString(bytes, at)
    else if (isBehindOpening) {
      depth += 1
      if (depth > maxDepth) return 'maxDepth'
      fields[depth] = byte === openingBrace ? 1 : -maxValues - 1
    }
    if (values > maxValues) return 'maxValues'
  }
  return undefined
}

/** Where the string that begins at `from` ends: at its closing quote, or behind the last byte. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const comma = 0x2c
const openingBracket = 0x5b
const backslash = 0x5c
const closingBracket = 0x5d
const openingBrace = 0x7b
const closingBrace = 0x7d
