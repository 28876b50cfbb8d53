/**
 * A row of units in stretches, each with a value that holds for all of its units. A splice costs
 * what it touches and the way from the splice before, so splices in ascending or descending order
 * take time that grows with their number alone. It knows of a value only how to continue in the
 * middle of one.
 */

export interface Span<T> {
  readonly length: number
  readonly value: T
}

interface Chunk<T> {
  spans: Span<T>[]
  length: number
}

const spansPerChunk = 32

export class Spans<T> {
  readonly #inside: (value: T, by: number) => T
  #chunks: Chunk<T>[]
  /** The chunk of the last splice, and where it begins. */
  #near = { index: 0, start: 0 }

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
    const { index, start } = this.#chunkAt(at)
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

  /** The first chunk that reaches up to `at`. */
  #chunkAt(at: number): { readonly index: number; readonly start: number } {
    let { index, start } = this.#near
    const lengthOf = (chunk: number): number => this.#chunks[chunk]?.length ?? 0
    while (index > 0 && at <= start) start -= lengthOf(--index)
    while (index < this.#chunks.length - 1 && at > start + lengthOf(index)) {
      start += lengthOf(index++)
    }
    this.#near = { index, start }
    return this.#near
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

/** Of equal size, so that a chunk that was full has room for as many as it has. */
function chunksOf<T>(spans: readonly Span<T>[]): Chunk<T>[] {
  const size = Math.ceil(spans.length / Math.ceil(spans.length / spansPerChunk))
  const chunks: Chunk<T>[] = []
  for (let at = 0; at < spans.length; at += size) {
    const some = spans.slice(at, at + size)
    chunks.push({ spans: some, length: some.reduce((sum, { length }) => sum + length, 0) })
  }
  return chunks
}
