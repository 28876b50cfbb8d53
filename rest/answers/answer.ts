/**
 * What a handler gives back: a body in its declared shape, or bytes that already are that shape's
 * JSON (a large document is not serialised twice), with the headers that go with it.
 */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

export interface Answer<T = unknown> {
  /** The declared success status unless given. */
  readonly status?: number
  readonly headers?: AnswerHeaders
  readonly body:
    | { readonly json: T }
    | { readonly parts: readonly Uint8Array[]; readonly type: string }
    | {
        readonly pieces: AsyncIterable<Uint8Array>
        /** Absent: not known before all of it is. */
        readonly size?: number
        readonly type: string
      }
    | { readonly empty: true }
}

export const jsonType = 'application/json; charset=utf-8'

export const json = <T>(value: T, headers: AnswerHeaders = {}): Answer<T> => ({
  headers,
  body: { json: value },
})

/** Bytes the handler vouches for, in parts that nobody changes any more. */
export const partsOf = (
  parts: readonly Uint8Array[],
  type: string,
  headers: AnswerHeaders = {},
): Answer<never> => ({ headers, body: { parts, type } })

/** The same in one piece. */
export const bytesOf = (
  bytes: Uint8Array,
  type: string,
  headers: AnswerHeaders = {},
): Answer<never> => partsOf([bytes], type, headers)

export const textOf = (text: string, type: string, headers: AnswerHeaders = {}): Answer<never> =>
  bytesOf(Buffer.from(text), type, headers)

/** 302; the address may hold what no log should see. */
export const redirectTo = (location: string, headers: AnswerHeaders = {}): Answer<never> => ({
  status: 302,
  headers: { ...headers, Location: location },
  body: { empty: true },
})

/** The caller has this already. */
export const notModified = (headers: AnswerHeaders): Answer<never> => ({
  status: 304,
  headers,
  body: { empty: true },
})

/**
 * One JSON object in parts: plain fields, then fields whose JSON is given in pieces. Neither may be
 * empty. What the views of a document share is not copied for each reader.
 */
export function jsonObject(
  fields: Readonly<Record<string, unknown>>,
  raw: Readonly<Record<string, readonly (Uint8Array | string)[]>>,
): readonly Uint8Array[] {
  const parts: Uint8Array[] = [Buffer.from(JSON.stringify(fields).slice(0, -1))]
  for (const [name, pieces] of Object.entries(raw)) {
    parts.push(Buffer.from(`,${JSON.stringify(name)}:`))
    for (const piece of pieces) parts.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  }
  parts.push(Buffer.from('}'))
  return parts
}
