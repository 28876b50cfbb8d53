/** Stored bytes as an answer: whole, in part, or not again where the caller has them already. */

import type { Admitted } from '../admission/admitted.ts'
import type { Answer, AnswerHeaders } from './answer.ts'
import { rangeOf } from './byte-range.ts'
import { matchesTag } from './entity-tag.ts'

export interface StoredBytes {
  readonly size: number
  read(from: number, to: number): AsyncIterable<Uint8Array>
}

export interface Shown {
  readonly type: string
  /** It never changes under this tag. */
  readonly tag: string
  readonly headers: AnswerHeaders
}

/** `open` is called where anything of it is sent. Refuses RANGE_NOT_SATISFIABLE. */
export async function storedBytes(
  { header }: Pick<Admitted, 'header'>,
  { type, tag, headers: given }: Shown,
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
