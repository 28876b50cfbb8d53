/**
 * What a handler gives back: a body in its declared shape, or bytes that already are that shape's
 * JSON (a large document is not serialised twice), with the headers that go with it.
 */
import type { ServerResponse } from 'node:http'

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

/**
 * Sends the answer; the headers of every response are on it already. Resolves when all of it was
 * given to the connection, which takes as long as its reader likes where it comes in pieces.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  successStatus: number,
): Promise<void> {
  const { body } = answer
  // What cannot be read is known before anything is said.
  const first = 'pieces' in body && !isHead(response) ? await firstOf(body.pieces) : undefined
  response.statusCode = answer.status ?? successStatus
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if ('empty' in body) {
    response.end()
  } else if ('pieces' in body) {
    response.setHeader('Content-Type', body.type)
    if (body.size !== undefined) response.setHeader('Content-Length', body.size)
    if (first === undefined) response.end()
    else await sendPieces(response, first)
  } else {
    const parts = 'json' in body ? [Buffer.from(JSON.stringify(body.json))] : body.parts
    response.setHeader('Content-Type', 'json' in body ? jsonType : body.type)
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    response.setHeader('Content-Length', length)
    if (isHead(response)) response.end()
    else sendTogether(response, length < joinedBelowBytes ? [Buffer.concat(parts)] : parts)
  }
}

/** Less is copied sooner than it is written part by part. */
const joinedBelowBytes = 64 * 1024

/** In one write to the connection. */
function sendTogether(response: ServerResponse, parts: readonly Uint8Array[]): void {
  response.cork()
  for (const part of parts.slice(0, -1)) response.write(part)
  response.end(parts.at(-1))
}

const isHead = ({ req }: ServerResponse): boolean => req.method === 'HEAD'

interface Begun {
  readonly piece: IteratorResult<Uint8Array>
  readonly rest: AsyncIterator<Uint8Array>
}

async function firstOf(pieces: AsyncIterable<Uint8Array>): Promise<Begun> {
  const rest = pieces[Symbol.asyncIterator]()
  return { piece: await rest.next(), rest }
}

/** One piece is in memory at a time, however slow the reader is. */
async function sendPieces(response: ServerResponse, { piece, rest }: Begun): Promise<void> {
  for (let next = piece; next.done !== true && !response.destroyed; next = await rest.next()) {
    if (!response.write(next.value)) await writable(response)
  }
  // Who makes the pieces is told that nobody takes them any more.
  await rest.return?.()
  response.end()
}

function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    response.on('drain', settle).on('close', settle)
    if (response.destroyed) settle()
  })
}
