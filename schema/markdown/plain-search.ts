/**
 * Finds text as a reader sees it, without markup: `see the spec` where `see [the spec](x)` stands,
 * across blocks too. Blanks, straight and curly quotes and Unicode's forms are not told apart; case
 * is. Answers ranges of the markdown. Only what is sought in prose is found: code counts as text.
 */
import type { Node } from 'prosemirror-model'
import { inlineRow } from '../diff/inline-row.ts'
import { someOccurrences } from '../occurrences.ts'
import { lastAtMost } from './bisect.ts'
import { DocumentText } from './document-text.ts'
import { parseMarkdown } from './parser.ts'
import type { TextRange } from './printed.ts'
import { type Composed, composed, writtenOffset } from './unicode-form.ts'

/** The first places, at most `most`. */
export function findPlain(text: DocumentText, wanted: string, most: number): TextRange[] {
  const sought = settled(composed(wanted).text).trim()
  if (sought === '') return []
  const known = documents.get(text) ?? read(text)
  documents.set(text, known)
  return someOccurrences(known.text, sought, most).map((at) => ({
    from: offsetOf(text, known, at, 'start'),
    to: offsetOf(text, known, at + sought.length - 1, 'end'),
  }))
}

/**
 * The same for what is to give way to another text: the markup that the words bring along is part
 * of the range, and a place where markup would be cut in two is none.
 */
export function findPlainWhole(text: DocumentText, wanted: string, most: number): TextRange[] {
  const sought = settled(composed(wanted).text).trim()
  return findPlain(text, wanted, most).flatMap((inner) => {
    const [before, behind] = [
      text.positionAt(inner.from, 'start'),
      text.positionAt(inner.to, 'end'),
    ]
    const from = text.offsetAt(before.index, before.pos, 'end')
    const to = text.offsetAt(behind.index, behind.pos, 'start')
    const ranges = [inner, { ...inner, to }, { ...inner, from }, { from, to }]
    return ranges.find((range) => readsAs(text.slice(range.from, range.to), sought)) ?? []
  })
}

/** Whether markdown within a line, taken alone, says just this. */
function readsAs(markdown: string, sought: string): boolean {
  // Behind a word nothing in it begins a block.
  const alone = DocumentText.of(parseMarkdown(`x ${markdown}`).children)
  return read(alone).text.trim() === `x ${sought}`
}

interface PlainDocument {
  readonly text: string
  readonly blocks: readonly PlainBlock[]
}

interface PlainBlock {
  /** Where it begins in the whole text. */
  readonly at: number
  readonly index: number
  /** Of its first unit, in the top-level block. */
  readonly pos: number
  readonly form: Composed
  /** Where each settled character is in the composed text; undefined where all are in place. */
  readonly places: readonly number[] | undefined
}

const documents = new WeakMap<DocumentText, PlainDocument>()

function read(text: DocumentText): PlainDocument {
  const blocks: PlainBlock[] = []
  const pieces: string[] = []
  let at = 0
  const add = (node: Node, index: number, pos: number): void => {
    const form = composed(inlineRow(node).chars)
    const { line, places } = settledLine(form.text)
    if (line === '') return
    blocks.push({ at, index, pos, form, places })
    pieces.push(line, ' ')
    at += line.length + 1
  }
  for (let index = 0; index < text.blockCount; index++) {
    const top = text.node(index)
    if (top.inlineContent) add(top, index, 1)
    else {
      top.descendants((node, pos) => {
        if (node.inlineContent) add(node, index, pos + 2)
        return !node.inlineContent
      })
    }
  }
  return { text: pieces.join(''), blocks }
}

const signs: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u2033': '"',
}

/** Most text has only single blanks and plain signs, which is quickly seen. */
function settled(text: string): string {
  const blanks = /[^\S ]|\ufffc| {2}/.test(text) ? text.replace(/[\s\ufffc]+/g, ' ') : text
  return blanks.replace(/[\u2018-\u201f\u2032\u2033]/g, (sign) => signs[sign] ?? sign)
}

/** Without blanks at its ends, each run of blanks as one. */
function settledLine(text: string): Pick<PlainBlock, 'places'> & { readonly line: string } {
  const line = settled(text).trim()
  if (line.length === text.length) return { line, places: undefined }
  const places: number[] = []
  let isBlank = true
  for (let at = 0; at < text.length && places.length < line.length; at++) {
    const blank = /[\s\ufffc]/.test(text.charAt(at))
    if (!blank || !isBlank) places.push(at)
    isBlank = blank
  }
  return { line, places }
}

function offsetOf(
  ...[text, { blocks }, place, side]: [DocumentText, PlainDocument, number, 'start' | 'end']
): number {
  const block = blocks[lastAtMost(blocks.length, place, (index) => blocks[index]?.at ?? 0)]
  if (block === undefined) return 0
  const within = place - block.at
  const at = block.places?.[within] ?? within
  const unit = writtenOffset(block.form, side === 'start' ? at : at + 1)
  return text.offsetAt(block.index, block.pos + unit, side)
}
