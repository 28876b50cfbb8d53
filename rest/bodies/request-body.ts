/**
 * The bytes of a request's body, within a bound of size, of pieces, and of what its sender may hold
 * in memory. Small pieces are put together as they come: kept one by one they would take a hundred
 * times their size. What is not read comes to an end too, and a sender who makes much work of
 * little ends with its connection.
 */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { ByteShare } from '../quotas/byte-shares.ts'

/** Refuses PAYLOAD_TOO_LARGE, BUSY, INVALID_REQUEST; fails when the sender left. */
export async function readBytes(
  request: IncomingMessage,
  limit: number,
  share: ByteShare,
): Promise<Uint8Array> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size: declared })
  const gathered = new Gathered(limit, share)
  await new Promise<void>((resolve, reject) => {
    const settle = (end: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      share.whole()
      end()
    }
    const fail = (error: unknown) => settle(() => reject(error))
    const onData = (piece: Buffer) => {
      try {
        gathered.add(piece)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => settle(resolve)
    const onGone = () => fail(new Error('the sender left before its body was whole'))
    share.begin(fail)
    if (request.destroyed) return onGone()
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
  return gathered.bytes
}

/** Pieces in one buffer that grows by doubling. */
class Gathered {
  readonly #limit: number
  readonly #share: ByteShare
  #buffer: Buffer = Buffer.alloc(0)
  #size = 0
  #pieces = 0

  constructor(limit: number, share: ByteShare) {
    this.#limit = limit
    this.#share = share
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size)
  }

  add(piece: Buffer): void {
    const size = this.#size + piece.length
    const limit = this.#limit
    if (size > limit) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })
    this.#pieces += 1
    if (this.#pieces > limits.bodyPiecesMax) throw tooManyPieces()
    if (this.#pieces === 1) {
      this.#share.take(size)
      this.#buffer = piece
    } else {
      this.#makeRoom(size)
      piece.copy(this.#buffer, this.#size)
    }
    this.#size = size
  }

  #makeRoom(size: number): void {
    const before = this.#buffer.length
    if (size <= before) return
    const room = Math.min(this.#limit, Math.max(size, 2 * before, leastRoomBytes))
    this.#share.take(room - before)
    const larger = Buffer.allocUnsafeSlow(room)
    this.#buffer.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
  }
}

const leastRoomBytes = 4 * 1024

function tooManyPieces(): Refusal {
  const message = `comes in more than ${limits.bodyPiecesMax} pieces`
  return new Refusal('INVALID_REQUEST', { issues: [{ path: '', message }] })
}

/**
 * After the answer to a request that had not come whole: hears the rest out, so that the sender
 * gets to read the answer, as long as that costs little.
 */
export function hearOut(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let pieces = 0
  let size = 0
  request.on('error', () => {})
  request.on('data', (piece: Buffer) => {
    pieces += 1
    size += piece.length
    if (pieces > limits.bodyPiecesMax || size > limits.unreadBodyMaxBytes) request.destroy()
  })
}
