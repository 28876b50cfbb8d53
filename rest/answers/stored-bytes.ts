/** Stored bytes as an answer: whole, in part, or not again where the caller has them already. */
import { Refusal } from '../../schema/errors.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { Answer, AnswerHeaders } from './answer.ts'
import { matchesTag } from './entity-tag.ts'

export interface StoredBytes {
  readonly size: number
  read(from: number, to: number): AsyncIterable<Uint8Array>
}

export interface Representation {
  readonly type: string
  /** It never changes under this tag. */
  readonly tag: string
  readonly headers: AnswerHeaders
}

/** `open` is called where anything of it is sent. Refuses RANGE_NOT_SATISFIABLE. */
export async function storedBytes(
  { header }: Pick<Admitted, 'header'>,
  { type, tag, headers: given }: Representation,
  open: () => Promise<StoredBytes>,
): Promise<Answer<never>> {
  const headers = { ...given, ETag: tag, 'Accept-Ranges': 'bytes' }
  if (matchesTag(header('if-none-match'), tag)) {
    return { status: 304, headers, body: { empty: true } }
  }
  const bytes = await open()
  const { size } = bytes
  const range = rangeOf({ range: header('range'), ifRange: header('if-range') }, { size, tag })
  const { from, to } = range ?? { from: 0, to: size }
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...(range !== undefined && { 'Content-Range': `bytes ${from}-${to - 1}/${size}` }),
    },
    body: { pieces: bytes.read(from, to), size: to - from, type },
  }
}

interface ByteRange {
  readonly from: number
  /** The first byte that is not of it. */
  readonly to: number
}

export interface RangeHeaders {
  readonly range: string | undefined
  /** `If-Range`: the part is wanted of what has this tag alone. */
  readonly ifRange: string | undefined
}

/**
 * `Range` of a request (RFC 9110): one range of bytes is answered with that part, several or
 * anything else with the whole, as if none had been asked for. `undefined`: the whole. Refuses
 * RANGE_NOT_SATISFIABLE.
 */
export function rangeOf(
  { range, ifRange }: RangeHeaders,
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
