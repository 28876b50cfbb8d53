/** How much there is to read. Words as the reader's own languages part them. */
import type { Node } from 'prosemirror-model'

export interface Counted {
  readonly words: number
  /** As a person counts them, without the ends of paragraphs. */
  readonly characters: number
}

/** What most people read silently in a minute, of prose. */
const wordsAMinute = 230

/** Of [from, to); front matter is not part of what one reads. */
export function countIn(doc: Node, from = 0, to = doc.content.size): Counted {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
  let [words, characters] = [0, 0]
  doc.nodesBetween(from, to, (node, pos) => {
    if (node.type.name === 'front_matter') return false
    if (!node.isTextblock) return true
    const [start, end] = [Math.max(0, from - pos - 1), Math.min(node.content.size, to - pos - 1)]
    if (start >= end) return false
    const text = node.textBetween(start, end, undefined, '\n')
    for (const piece of piecesOf(text)) {
      for (const { isWordLike } of segmenter.segment(piece)) if (isWordLike) words++
    }
    for (const character of text) if (character !== '\n') characters++
    return false
  })
  return { words, characters }
}

/** What a segmenter takes grows with the square of a text's length. */
const pieceMaxChars = 1_000

/** Cut behind a blank, or where there is none in so many characters. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + pieceMaxChars)
    const isLast = from + pieceMaxChars >= text.length
    const blank = isLast ? -1 : Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'))
    const end = blank < 0 ? piece.length : blank + 1
    yield piece.slice(0, end)
    from += end
  }
}

/** In whole minutes; 0 is less than one. */
export const minutesToRead = ({ words }: Counted): number =>
  words < wordsAMinute ? 0 : Math.round(words / wordsAMinute)
