/**
 * A row of units in stretches, each with what is so of all its units, that is spliced again and
 * again: a splice costs what it touches and a look at one chunk of many. Knows nothing of what a
 * value means, but how to go on in the middle of one.
 */

export interface Span<T> {
  readonly length: number
  readonly value: T
}

interface Chunk<T> {
  spans: Span<T>[]
  length: number
}

const spansPerChunk = 128

export class Spans<T> {
  readonly #inside: (value: T, by: number) => T
  #chunks: Chunk<T>[]

  /** `inside`: the value of a stretch from its unit `by` on; the same all over unless given. */
  constructor(spans: Iterable<Span<T>>, inside: (value: T, by: number) => T = (value) => value) {
    this.#inside = inside
    this.#chunks = chunksOf([...spans].filter(({ length }) => length > 0))
  }

  *[Symbol.iterator](): Generator<Span<T>> {
    for (const { spans } of this.#chunks) yield* spans
  }

  /** Takes out `remove` units at `at` and puts others in; answers what was taken out. */
  splice(at: number, remove: number, insert: readonly Span<T>[]): Span<T>[] {
    let [index, start] = [0, 0]
    for (; index < this.#chunks.length - 1; index++) {
      const { length } = this.#chunks[index] as Chunk<T>
      if (at <= start + length) break
      start += length
    }
    const taken: Span<T>[] = []
    const kept: Span<T>[] = []
    let [last, end] = [index, start]
    let isIn = false
    const put = (): void => {
      if (!isIn) for (const span of insert) if (span.length > 0) kept.push(span)
      isIn = true
    }
    for (; last < this.#chunks.length && (last === index || end < at + remove); last++) {
      for (const span of this.#chunks[last]?.spans ?? []) {
        const [head, tail] = [at - end, at + remove - end]
        if (head > 0) kept.push(this.#part(span, 0, Math.min(head, span.length)))
        if (head < span.length) put()
        if (head < span.length && tail > 0) {
          taken.push(this.#part(span, Math.max(0, head), Math.min(tail, span.length)))
        }
        if (tail < span.length) {
          const from = Math.max(0, tail, head)
          if (from < span.length) kept.push(this.#part(span, from, span.length))
        }
        end += span.length
      }
    }
    put()
    this.#chunks.splice(index, last - index, ...chunksOf(kept))
    return taken.filter(({ length }) => length > 0)
  }

  /** The units from `from` to `to` have this value. */
  paint(from: number, to: number, value: T): void {
    if (to > from) this.splice(from, to - from, [{ length: to - from, value }])
  }

  #part(span: Span<T>, from: number, to: number): Span<T> {
    if (from === 0 && to === span.length) return span
    return { length: to - from, value: from === 0 ? span.value : this.#inside(span.value, from) }
  }
}

function chunksOf<T>(spans: readonly Span<T>[]): Chunk<T>[] {
  const chunks: Chunk<T>[] = []
  for (let at = 0; at < spans.length; at += spansPerChunk) {
    const some = spans.slice(at, at + spansPerChunk)
    chunks.push({ spans: some, length: some.reduce((sum, { length }) => sum + length, 0) })
  }
  return chunks
}
