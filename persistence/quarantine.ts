/**
 * The spans of keys that a damaged block took out of service. Which records lay there, and whether
 * what an older table still holds under those keys is out of date, nobody can tell any more: so no
 * key in a span is read or written again. A span ends with the directory: a restored backup has
 * none.
 */
import { compareKeys } from './key-order.ts'
import { type Range, StoreDamage } from './store.ts'

/** Both ends belong to it; in bytes, for the ends need not be whole characters. */
export interface KeySpan {
  readonly from: Uint8Array
  readonly to: Uint8Array
}

const bytesOf = (key: string): Buffer => Buffer.from(key)
const zero = Buffer.from([0])
const isBefore = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) < 0

/** The first key after `key`. */
export const keyAfter = (key: Uint8Array): Uint8Array => Buffer.concat([key, zero])

/** For operators; broken characters show as such. */
export const textOfKey = (key: Uint8Array): string => Buffer.from(key).toString().replace(/\0$/, '')

const overlap = (a: KeySpan, b: KeySpan): boolean =>
  !isBefore(a.to, b.from) && !isBefore(b.to, a.from)

/** Whether the span may hold keys that begin with `prefix`. */
export function touchesPrefix({ from, to }: KeySpan, prefix: string): boolean {
  const front = bytesOf(prefix)
  return !isBefore(to, front) && Buffer.compare(from.subarray(0, front.length), front) <= 0
}

/** What is left of `span` in `range`; `undefined`: nothing. */
function clipped({ from, to }: KeySpan, range: Range): KeySpan | undefined {
  const { gte = '', gt, lte, lt } = range
  const least = gt !== undefined && compareKeys(gt, gte) >= 0 ? keyAfter(bytesOf(gt)) : bytesOf(gte)
  const first = isBefore(from, least) ? least : from
  if (isBefore(to, first)) return undefined
  if (lte !== undefined && isBefore(bytesOf(lte), first)) return undefined
  if (lt !== undefined && !isBefore(first, bytesOf(lt))) return undefined
  return { from: first, to }
}

export class Quarantine {
  /** In the order of keys; none touches another. */
  readonly spans: readonly KeySpan[]

  constructor(spans: readonly KeySpan[]) {
    const merged: KeySpan[] = []
    for (const span of [...spans].sort((a, b) => Buffer.compare(a.from, b.from))) {
      const last = merged.at(-1)
      if (last === undefined || !overlap(last, span)) merged.push(span)
      else if (isBefore(last.to, span.to)) merged[merged.length - 1] = { ...last, to: span.to }
    }
    this.spans = merged
  }

  /** Throws `StoreDamage` naming the first of the keys that lies in a span. */
  assertFree(keys: Iterable<string>): void {
    if (this.spans.length === 0) return
    for (const key of keys) if (this.#has(bytesOf(key))) throw outOfService(key)
  }

  /** The spans a range overlaps, from where it enters them, in the order of keys. */
  within(range: Range): KeySpan[] {
    return this.spans.flatMap((span) => clipped(span, range) ?? [])
  }

  #has(key: Uint8Array): boolean {
    return this.spans.some(({ from, to }) => !isBefore(key, from) && !isBefore(to, key))
  }
}

export const outOfService = (key: string): StoreDamage =>
  new StoreDamage(key, 'it is in a quarantined key range')
