/**
 * `Range` of a request (RFC 9110): one range of bytes is answered with that part, several or
 * anything else with the whole, as if none had been asked for.
 */
import { Refusal } from '../../schema/errors.ts'

export interface ByteRange {
  readonly from: number
  /** The first byte that is not of it. */
  readonly to: number
}

export interface Asked {
  readonly range: string | undefined
  /** `If-Range`: the part is wanted of what has this tag alone. */
  readonly ifRange: string | undefined
}

/** `undefined`: the whole. Refuses RANGE_NOT_SATISFIABLE. */
export function rangeOf(
  { range, ifRange }: Asked,
  { size, tag }: { readonly size: number; readonly tag: string },
): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (ifRange !== undefined && ifRange.trim() !== tag) return undefined
  if (first === '') {
    if (Number(last) === 0) throw outside(size)
    return { from: Math.max(0, size - Number(last)), to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= size) throw outside(size)
  return { from, to: last === '' ? size : Math.min(size, Number(last) + 1) }
}

const outside = (size: number): Refusal => new Refusal('RANGE_NOT_SATISFIABLE', { size })
