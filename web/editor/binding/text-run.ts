/**
 * Neighbouring texts of Yjs, as two who began to write in one empty block leave them behind,
 * written as the one text that they show. None of them is ever taken away: what another writes in
 * it just now would go with it.
 */
import * as Y from 'yjs'

type Formats = Record<string, unknown>

export class TextRun {
  readonly texts: readonly Y.XmlText[]

  constructor(texts: readonly Y.XmlText[]) {
    this.texts = texts
  }

  get length(): number {
    return this.texts.reduce((sum, { length }) => sum + length, 0)
  }

  /** Where two of them meet it goes to the left one. */
  insert(at: number, words: string, formats: Formats): void {
    let from = 0
    for (const text of this.texts) {
      if (at <= from + text.length) {
        text.insert(at - from, words, formats)
        return
      }
      from += text.length
    }
    throw new RangeError('behind the end of the text')
  }

  delete(at: number, length: number): void {
    this.#each(at, length, (text, from, count) => text.delete(from, count))
  }

  format(at: number, length: number, formats: Formats): void {
    this.#each(at, length, (text, from, count) => text.format(from, count, formats))
  }

  #each(
    at: number,
    length: number,
    run: (text: Y.XmlText, from: number, count: number) => void,
  ): void {
    let start = 0
    for (const text of this.texts) {
      const size = text.length
      const [from, to] = [Math.max(at, start), Math.min(at + length, start + size)]
      if (from < to) run(text, from - start, to - from)
      start += size
    }
  }
}

/** The children of a block of text, neighbouring texts as one. */
export function runsOf<T>(children: readonly (T | Y.XmlText)[]): (T | TextRun)[] {
  const runs: (T | Y.XmlText[])[] = []
  for (const child of children) {
    const last = runs.at(-1)
    if (!(child instanceof Y.XmlText)) runs.push(child)
    else if (Array.isArray(last)) last.push(child)
    else runs.push([child])
  }
  return runs.map((run) => (Array.isArray(run) ? new TextRun(run) : run))
}
