/**
 * Where a string occurs in a text, overlapping occurrences included. Invariant: the time grows with
 * the text and the string alone, also for a long string that nearly matches everywhere, for which
 * `indexOf` compares the whole string at each place. Every search for text that somebody sent goes
 * through here. Knows nothing of markdown.
 */

/**
 * Strings up to this length are left to `indexOf`. V8 skips ahead by the last 250 characters of what
 * it seeks, so only longer strings can make it compare most of them at each place.
 */
const engineMaxChars = 200

/** Offsets of all occurrences of `wanted`, ascending; none for an empty string. */
export function occurrences(text: string, wanted: string): Iterable<number> {
  if (wanted === '') return []
  const isLong = wanted.length > engineMaxChars
  return isLong ? longOccurrences(text, wanted) : shortOccurrences(text, wanted)
}

/** The offset of the first occurrence; -1 where there is none. */
export function firstOccurrence(text: string, wanted: string): number {
  if (wanted.length <= engineMaxChars) return text.indexOf(wanted)
  for (const at of longOccurrences(text, wanted)) return at
  return -1
}

export const occurs = (text: string, wanted: string): boolean => firstOccurrence(text, wanted) >= 0

/** The offset of the only occurrence; undefined where there is none, or more than one. */
export function onlyOccurrence(text: string, wanted: string): number | undefined {
  const [first, second] = someOccurrences(text, wanted, 2)
  return second === undefined ? first : undefined
}

/** The first occurrences, at most so many. */
export function someOccurrences(text: string, wanted: string, most: number): readonly number[] {
  const found: number[] = []
  for (const at of occurrences(text, wanted)) {
    found.push(at)
    if (found.length === most) break
  }
  return found
}

function* shortOccurrences(text: string, wanted: string): Generator<number> {
  let at = text.indexOf(wanted)
  while (at >= 0) {
    yield at
    const next = text.indexOf(wanted, at + 1)
    if (next >= 0 && next < at + wanted.length) {
      yield* overlappingOccurrences(text, wanted, at + 1)
      return
    }
    at = next
  }
}

/** What a comparison costs beside its characters. */
const costPerComparison = 512

/**
 * The engine finds where the string may begin. Where its beginning is nearly everywhere, every
 * character from there on is looked at once instead.
 */
function* longOccurrences(text: string, wanted: string): Generator<number> {
  const opening = wanted.slice(0, engineMaxChars)
  let budget = text.length + wanted.length
  let at = text.indexOf(opening)
  while (at >= 0 && at + wanted.length <= text.length) {
    budget -= costPerComparison + wanted.length
    if (budget < 0) {
      yield* overlappingOccurrences(text, wanted, at)
      return
    }
    if (text.startsWith(wanted, at)) yield at
    at = text.indexOf(opening, at + 1)
  }
}

/** Knuth, Morris and Pratt: each character is looked at once, however the occurrences overlap. */
function* overlappingOccurrences(text: string, wanted: string, from: number): Generator<number> {
  const borders = borderLengths(wanted)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === code) matched++
    if (matched === wanted.length) {
      yield at + 1 - matched
      matched = borders[matched - 1] ?? 0
    }
  }
}

/** For each prefix of `text`, the length of its longest proper prefix that also ends it. */
function borderLengths(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
    if (text.charCodeAt(length) === code) length++
    borders[index] = length
  }
  return borders
}

/**
 * The same in pieces, as if they were joined; they are joined only for a string that is about as
 * long as many of them. `mayHold`: false only of a piece that cannot hold the whole string.
 */
export function* occurrencesInPieces(
  pieces: readonly string[],
  wanted: string,
  mayHold: (index: number) => boolean = () => true,
): Generator<number> {
  if (wanted.length > acrossMaxChars) {
    yield* occurrences(pieces.join(''), wanted)
    return
  }
  let offset = 0
  for (const [index, piece] of pieces.entries()) {
    if (mayHold(index)) for (const at of occurrences(piece, wanted)) yield offset + at
    if (mayCross(piece, wanted)) {
      const tail = piece.slice(1 - wanted.length)
      const head = headOf(pieces, index + 1, wanted.length - 1)
      for (const at of occurrences(tail + head, wanted)) {
        if (at < tail.length) yield offset + piece.length - tail.length + at
      }
    }
    offset += piece.length
  }
}

/** About as long as a piece: the text around the end of each is then no more than the whole. */
const acrossMaxChars = 4096

/** A string that crosses the end of a piece has the piece's last character before its own last. */
function mayCross(piece: string, wanted: string): boolean {
  if (piece === '') return false
  const at = wanted.indexOf(piece.charAt(piece.length - 1))
  return at >= 0 && at < wanted.length - 1
}

/** The first `length` characters of the pieces from `index` on. */
function headOf(pieces: readonly string[], index: number, length: number): string {
  let head = ''
  for (let next = index; next < pieces.length && head.length < length; next++) {
    head += pieces[next]?.slice(0, length - head.length)
  }
  return head
}
