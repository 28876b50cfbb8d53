/**
 * Every occurrence of a string in a text that lies in pieces, overlapping ones too, as stepping
 * `indexOf` by one finds them. Invariant: time grows with the text and the string alone, also where
 * a text of one repeated letter is searched for more of it, or for what nearly is that. Knows
 * nothing of markdown.
 */

/** Calls `found` with the offset of each occurrence in `text`, ascending. */
export function eachOccurrence(text: string, wanted: string, found: (at: number) => void): void {
  if (wanted.length > engineMaxChars) eachLong(text, wanted, found)
  else eachShort(text, wanted, found)
}

/**
 * How long a string the engine searches in time that grows with the text alone. It looks ahead by
 * the last 250 characters of what it seeks: whatever mostly repeats and differs before these is
 * compared whole at each place.
 */
const engineMaxChars = 200

/** Whether it occurs at all. */
export function occurs(text: string, wanted: string): boolean {
  if (wanted.length <= engineMaxChars) return text.includes(wanted)
  let isThere = false
  eachLong(text, wanted, () => {
    isThere = true
  })
  return isThere
}

function eachShort(text: string, wanted: string, found: (at: number) => void): void {
  let at = text.indexOf(wanted)
  while (at >= 0) {
    found(at)
    const next = text.indexOf(wanted, at + 1)
    if (next >= 0 && next < at + wanted.length) {
      eachOverlapping(text, wanted, { from: at + 1, found })
      return
    }
    at = next
  }
}

/** What looking at one place costs before its characters are compared. */
const effortPerPlace = 512

/**
 * The engine finds where the string may begin. Where it begins nearly everywhere, every character
 * from there on is looked at once instead.
 */
function eachLong(text: string, wanted: string, found: (at: number) => void): void {
  const opening = wanted.slice(0, engineMaxChars)
  let effort = text.length + wanted.length
  let at = text.indexOf(opening)
  while (at >= 0 && at + wanted.length <= text.length) {
    effort -= effortPerPlace + wanted.length
    if (effort < 0) {
      eachOverlapping(text, wanted, { from: at, found })
      return
    }
    if (text.startsWith(wanted, at)) found(at)
    at = text.indexOf(opening, at + 1)
  }
}

interface Scan {
  readonly from: number
  readonly found: (at: number) => void
}

/** Knuth, Morris and Pratt: looks at each character once however the occurrences overlap. */
function eachOverlapping(text: string, wanted: string, { from, found }: Scan): void {
  const borders = borderLengths(wanted)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === code) matched++
    if (matched === wanted.length) {
      found(at + 1 - matched)
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

export interface PieceScan {
  readonly found: (at: number) => void
  /** False only of a piece that cannot hold the whole of what is wanted. */
  readonly mayHold?: (index: number) => boolean
}

/** As `eachOccurrence` in the pieces joined, which are joined only for what is as long as many. */
export function eachOccurrenceInPieces(
  pieces: readonly string[],
  wanted: string,
  { found, mayHold = () => true }: PieceScan,
): void {
  if (wanted.length > acrossMaxChars) {
    eachOccurrence(pieces.join(''), wanted, found)
    return
  }
  let offset = 0
  for (const [index, piece] of pieces.entries()) {
    if (mayHold(index)) eachOccurrence(piece, wanted, (at) => found(offset + at))
    if (mayCross(piece, wanted)) {
      const tail = piece.slice(1 - wanted.length)
      const head = headOf(pieces, index + 1, wanted.length - 1)
      eachOccurrence(tail + head, wanted, (at) => {
        if (at < tail.length) found(offset + piece.length - tail.length + at)
      })
    }
    offset += piece.length
  }
}

/** About as long as a piece: what lies around the end of each is then no more than the text. */
const acrossMaxChars = 4096

/** What crosses the end of a piece has the piece's last character, and not as its own last. */
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
