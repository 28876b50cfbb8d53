/**
 * What a document costs in memory, in bytes: told from what it is made of when it is open, from its
 * markdown before anything is parsed. The second is found in one pass over the characters, and is
 * an upper estimate: markers that turn out to be text count all the same. The processor time that
 * building a document takes goes with it: some 20 ms a megabyte.
 */

/**
 * Of each Yjs struct, each block's node, print and addresses, and each character; measured. Comments
 * are kept as strings in objects.
 */
const structBytes = 480
const blockBytes = 1_000
const charBytes = 8
const saidByteCost = 3
/** Of any document, however small. */
const documentBytes = 32 * 1024

export interface DocumentParts {
  readonly structs: number
  readonly blocks: number
  readonly chars: number
  /** Of comments, as they are stored. */
  readonly saidBytes?: number
}

export const costOfParts = ({ structs, blocks, chars, saidBytes = 0 }: DocumentParts): number =>
  documentBytes +
  structs * structBytes +
  blocks * blockBytes +
  chars * charBytes +
  saidBytes * saidByteCost

/** Where only stored bytes are known: of markup most of them are structs. */
export const costOfStored = (bytes: number): number => documentBytes + bytes * 48

/** What parts of a text cost when they are blocks, marks and leaves of a document; measured. */
const paragraphCost = 4_000
const quoteCost = 1_900
const itemCost = 3_700
const cellCost = 3_600
const delimiterCost = 1_800
const leafCost = 3_500

const newline = 0x0a
const space = 0x20

/** What each character that may be markup costs where it stands within a line. */
const inlineCosts = new Uint16Array(128)
for (const char of '*_~`') inlineCosts[char.charCodeAt(0)] = delimiterCost
for (const char of '[<\\@') inlineCosts[char.charCodeAt(0)] = leafCost
inlineCosts['|'.charCodeAt(0)] = cellCost

/** Begins a block also right behind a line of text. */
const isLineMarkup = new Uint8Array(128)
for (const char of '#*-_=+~`') isLineMarkup[char.charCodeAt(0)] = 1

/** An upper estimate of what the documents of these texts cost. */
export function costOfMarkdown(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + costOfText(text), 0)
}

const costOfText = (text: string): number => new Estimate(text).cost

class Estimate {
  cost: number
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.cost = documentBytes + text.length * charBytes
    for (let isBehindBlank = true; this.#at < text.length; ) {
      const isContained = this.#passContainers()
      const first = this.#at < text.length ? text.charCodeAt(this.#at) : newline
      const isBlank = first === newline
      const begins = isBehindBlank || (first < 128 && isLineMarkup[first] === 1)
      if (isContained || (begins && !isBlank)) this.cost += paragraphCost
      isBehindBlank = isBlank
      this.#passLine()
    }
  }

  /** The markers of quotes and list items, and the blanks, that a line begins with. */
  #passContainers(): boolean {
    for (let isContained = false; ; ) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === space || code === 0x09 || code === 0x0d) this.#at++
      else if (code === 0x3e) {
        this.cost += quoteCost
        this.#at++
        isContained = true
      } else {
        const end = listMarkerEnd(this.#text, this.#at)
        if (end === this.#at) return isContained
        this.cost += itemCost
        this.#at = end
        isContained = true
      }
    }
  }

  /** The rest of a line. A run of one marker counts once, but for bars, each of which is a cell. */
  #passLine(): void {
    const text = this.#text
    let previous = 0
    let at = this.#at
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === newline) break
      if (code < 128 && (code !== previous || code === 0x7c)) this.cost += inlineCosts[code] ?? 0
      // An address: `://`.
      if (code === 0x2f && previous === 0x3a) this.cost += leafCost
      previous = code
    }
    // Two blanks at the end are a line break of their own.
    if (previous === space && text.charCodeAt(at - 2) === space) this.cost += leafCost
    this.#at = at + 1
  }
}

/** Behind `-`, `+`, `*` or a number with `.` or `)`, where a blank or the line's end follows. */
function listMarkerEnd(text: string, from: number): number {
  const digitsMax = 9
  let at = from
  const code = text.charCodeAt(at)
  if (code === 0x2a || code === 0x2b || code === 0x2d) at++
  else {
    while (at - from < digitsMax && isDigit(text.charCodeAt(at))) at++
    const stop = text.charCodeAt(at)
    if (at === from || (stop !== 0x2e && stop !== 0x29)) return from
    at++
  }
  const next = at < text.length ? text.charCodeAt(at) : newline
  return next <= space ? at : from
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
