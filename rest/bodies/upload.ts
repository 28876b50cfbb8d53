/**
 * Bodies that are bytes of a media type (interface §4.8): judged by their headers before anything
 * is read, then written to the disk as they come, so that none is in memory whole. Few are received
 * at once; the others wait unread.
 */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Assets } from '../../core/assets/assets.ts'
import type { UploadSlot } from '../../core/assets/upload-slots.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Source } from '../../schema/fair-line.ts'
import { limits } from '../../schema/limits.ts'
import type { Services } from '../services.ts'

/** What is received: read anywhere until it is discarded, which `receive` sees to. */
export type Received = Awaited<ReturnType<Assets['scratch']>>

export interface Upload {
  /** The media type that its sender says it is. */
  readonly type: string
  /**
   * Receives all of it, and works with it; `fingerprint` is a hash of the request with the bytes
   * that came. Refuses RATE_LIMITED, PAYLOAD_TOO_LARGE, BUSY, INVALID_REQUEST, and what the work
   * refuses.
   */
  receive<T>(work: (file: Received, fingerprint: string) => Promise<T>): Promise<T>
}

const typeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Refuses UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE. */
export function requireUpload(request: IncomingMessage, { types, maxBytes }: UploadDeclaration) {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (!types.includes(typeOf(request)) || encoding !== 'identity') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { accepted: types })
  }
  const size = Number(request.headers['content-length'] ?? 0)
  if (size > maxBytes) throw new Refusal('PAYLOAD_TOO_LARGE', { limit: maxBytes, size })
}

interface Host {
  readonly source: Source
  /** Whose day it counts in. */
  readonly address: string
  readonly services: Pick<Services, 'assets' | 'quotas'>
}

export const uploadOf = (
  request: IncomingMessage,
  { maxBytes }: UploadDeclaration,
  { source, address, services: { assets, quotas } }: Host,
): Upload => ({
  type: typeOf(request),
  async receive(work) {
    const eviction = new Eviction()
    const place = await enter(request, { source, eviction }, assets)
    let file: Received | undefined
    try {
      // Those that waited before it have come meanwhile.
      const day = quotas.look('uploadMb', address)
      if (day?.exceeded) throw new Refusal('RATE_LIMITED', { retry_after: day.resetSeconds })
      file = await assets.scratch()
      const hash = hashFor(request)
      await receiveInto(file, { request, maxBytes, place, eviction, hash }, assets)
      return await work(file, hash?.digest('hex') ?? '')
    } finally {
      quotas.charge('uploadMb', address, (file?.size ?? 0) / 1_000_000)
      await file?.discard()
      place.leave()
    }
  },
})

/** Where a retry has to be told from another request with the same key. */
const hashFor = ({ headers, method, url }: IncomingMessage): Hash | undefined =>
  headers['idempotency-key'] === undefined
    ? undefined
    : createHash('sha256').update(`${method} ${url}\n`)

/** A refusal that may come at any time while a body is received. */
class Eviction {
  #refusal: Refusal | undefined
  #heard: (() => void) | undefined

  give(refusal: Refusal): void {
    this.#refusal = refusal
    this.#heard?.()
  }

  onGiven(heard: (() => void) | undefined): void {
    this.#heard = heard
  }

  throwIfGiven(): void {
    if (this.#refusal !== undefined) throw this.#refusal
  }
}

/** Fails when the sender leaves before its turn. */
function enter(
  request: IncomingMessage,
  { source, eviction }: { readonly source: Source; readonly eviction: Eviction },
  { places }: Assets,
): Promise<UploadSlot> {
  return new Promise((resolve, reject) => {
    const visitor = { source, onEvicted: (refusal: Refusal) => eviction.give(refusal) }
    let leaveLine = () => {}
    const gone = () => {
      leaveLine()
      reject(new Error('the sender left before its body was read'))
    }
    if (request.destroyed) return gone()
    request.on('close', gone)
    void places
      .enter(visitor, (leave) => {
        leaveLine = leave
      })
      .then((place) => {
        request.off('close', gone)
        resolve(place)
      })
  })
}

interface Receiving {
  readonly request: IncomingMessage
  readonly maxBytes: number
  readonly place: UploadSlot
  readonly eviction: Eviction
  readonly hash: Hash | undefined
}

/** What came is on its way to the disk before more is read. */
async function receiveInto(
  file: Received,
  { request, maxBytes, place, eviction, hash }: Receiving,
  { writing }: Assets,
): Promise<void> {
  let pieces = 0
  for (;;) {
    eviction.throwIfGiven()
    const piece = request.read() as Buffer | null
    if (piece === null) {
      if (request.readableEnded) return
      await bodyReadable(request, eviction)
      continue
    }
    const size = file.size + piece.length
    if (size > maxBytes) throw new Refusal('PAYLOAD_TOO_LARGE', { limit: maxBytes, size })
    pieces += 1
    if (pieces > limits.bodyPiecesMax) throw tooManyPieces()
    place.received(piece.length)
    hash?.update(piece)
    await writing.run(() => file.add(piece))
  }
}

/** More of the body, its end, or an eviction; fails when the sender left. */
function bodyReadable(request: IncomingMessage, eviction: Eviction): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      request.off('readable', came).off('end', came).off('error', gone).off('close', gone)
      eviction.onGiven(undefined)
      done()
    }
    const came = () => settle(resolve)
    const gone = () => {
      settle(() => reject(new Error('the sender left before its body was whole')))
    }
    // Also one that came whole and was not read in time: nothing more comes of it.
    if (request.destroyed) return gone()
    request.on('readable', came).on('end', came).on('error', gone).on('close', gone)
    eviction.onGiven(came)
  })
}

function tooManyPieces(): Refusal {
  const message = `comes in more than ${limits.bodyPiecesMax} pieces`
  return new Refusal('INVALID_REQUEST', { issues: [{ path: '', message }] })
}

/** Of a route that declares one. */
export function uploadIn({ upload }: { readonly upload: Upload | undefined }): Upload {
  if (upload === undefined) throw new TypeError('a route without an upload was asked for one')
  return upload
}

export interface UploadDeclaration {
  readonly types: readonly string[]
  readonly maxBytes: number
}
