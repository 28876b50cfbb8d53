/**
 * Sends an answer within the memory that it may take. What is not sent yet is counted, and gives
 * way where others need the room; a reader who takes nothing for a while loses its connection.
 * Pieces are asked for one at a time.
 */
import type { ServerResponse } from 'node:http'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { ByteShare } from '../quotas/byte-shares.ts'
import { type Answer, jsonType } from './answer.ts'

export interface Sending {
  readonly runtime: Runtime
  /** Where the answer does not name one. */
  readonly status: number
  /** Undefined: the answer is small, and goes out whatever else waits. */
  readonly room: ByteShare | undefined
}

/**
 * The headers of every response are on it already. Resolves when all of the answer was given to the
 * connection, which takes as long as its reader likes. Refuses BUSY before anything is sent.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  { runtime, status, room }: Sending,
): Promise<void> {
  const { body } = answer
  const isWanted = response.req.method !== 'HEAD'
  // What cannot be read is known before anything is said.
  const pieces = 'pieces' in body && isWanted ? await begun(body.pieces) : undefined
  const parts = 'json' in body ? [Buffer.from(JSON.stringify(body.json))] : partsOf(answer)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const counted = isWanted && length >= limits.answerCountedFromBytes ? length : 0
  if (pieces === undefined) room?.resize(counted)
  response.statusCode = answer.status ?? status
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (!('empty' in body)) {
    response.setHeader('Content-Type', 'json' in body ? jsonType : body.type)
    const size = 'pieces' in body ? body.size : length
    if (size !== undefined) response.setHeader('Content-Length', size)
  }
  const outlet = new Outlet(response, { runtime, room })
  if (pieces !== undefined) await outlet.pieces(pieces)
  else await outlet.parts(isWanted ? parts : [])
}

const partsOf = ({ body }: Answer): readonly Uint8Array[] => ('parts' in body ? body.parts : [])

interface Begun {
  readonly piece: IteratorResult<Uint8Array>
  readonly rest: AsyncIterator<Uint8Array>
}

async function begun(pieces: AsyncIterable<Uint8Array>): Promise<Begun> {
  const rest = pieces[Symbol.asyncIterator]()
  return { piece: await rest.next(), rest }
}

/** The response, of which its reader takes what it likes. */
class Outlet {
  readonly #response: ServerResponse
  readonly #parts: Omit<Sending, 'status'>

  constructor(response: ServerResponse, parts: Omit<Sending, 'status'>) {
    this.#response = response
    this.#parts = parts
  }

  /** A small answer is one write. */
  async parts(parts: readonly Uint8Array[]): Promise<void> {
    let together: Uint8Array[] = []
    let bytes = 0
    for (const part of parts) {
      for (let at = 0; at < part.length; at += limits.answerWriteBytes) {
        const slice = part.subarray(at, at + limits.answerWriteBytes)
        if (bytes + slice.length > limits.answerWriteBytes) {
          await this.#write(together)
          if (this.#isGone) return
          together = []
          bytes = 0
        }
        together.push(slice)
        bytes += slice.length
      }
    }
    await this.#end(together)
  }

  /** One piece is in memory at a time, however slow the reader is. */
  async pieces({ piece, rest }: Begun): Promise<void> {
    for (let next = piece; next.done !== true; next = await rest.next()) {
      await this.#write([next.value])
      if (this.#isGone) break
    }
    // Who makes the pieces is told that nobody takes them any more.
    await rest.return?.()
    await this.#end([])
  }

  get #isGone(): boolean {
    return this.#response.destroyed || this.#response.req.socket.destroyed
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    if (!this.#response.write(joined(parts))) await this.#settled('drain')
  }

  async #end(parts: readonly Uint8Array[]): Promise<void> {
    this.#response.end(joined(parts))
    await this.#settled('finish')
  }

  /**
   * Until the reader has taken what was written or is gone. Meanwhile the answer can be told to
   * give way. Nobody waits for the reader while another answer of its connection is being sent.
   */
  #settled(event: 'drain' | 'finish'): Promise<void> {
    const response = this.#response
    const { socket } = response.req
    const { runtime, room } = this.#parts
    if (this.#isGone || (event === 'finish' && response.writableFinished)) return Promise.resolve()
    return new Promise((resolve) => {
      const hangUp = () => void socket.destroy()
      const watch = () => runtime.after(limits.answerStalledMs, hangUp)
      let stalled = response.socket === null ? undefined : watch()
      const onSocket = () => {
        stalled = watch()
      }
      const settle = () => {
        stalled?.cancel()
        room?.whole()
        response.off(event, settle).off('close', settle).off('socket', onSocket)
        socket.off('close', settle)
        resolve()
      }
      response.on(event, settle).on('close', settle)
      // A response that waits for others of its connection is not told that this closed.
      socket.on('close', settle)
      if (stalled === undefined) response.on('socket', onSocket)
      room?.begin(hangUp)
    })
  }
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const [only = empty, ...others] = parts
  return others.length === 0 ? only : Buffer.concat(parts)
}

const empty = new Uint8Array()
