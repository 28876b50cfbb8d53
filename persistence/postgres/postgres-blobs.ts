/**
 * Blobs in PostgreSQL, a row for each piece of 64 KiB and one with the hashes of all, so that what
 * is read is verified piece by piece as that of a file is. What is on its way lies in a directory
 * of this machine. Blobs are published and deleted in one transaction each.
 *
 * Other nodes keep and delete the same blobs. So a commit that refers to a blob checks a record of
 * its presence, and whoever deletes the blob locks that record, looks for references, and deletes
 * both: either the commit comes first and is seen, or it fails.
 */
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { randomName } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type BlobId, hashOfPiece, idOf, isBlobId, isPiece, pieceBytes } from '../blob-pieces.ts'
import type { Blob, BlobStore, NewBlob } from '../blob-store.ts'
import { makeDirectory } from '../durable-file.ts'
import { blobPresence, blobReferences } from '../keys.ts'
import { ScratchFile } from '../scratch-file.ts'
import { type Check, StoreDamage } from '../store.ts'
import { type CommitAttempts, insertAttempt } from './attempts.ts'
import { byteaArray } from './binary-array.ts'
import {
  beginDurable,
  type Connections,
  type HeldConnection,
  type Statement,
} from './connections.ts'
import { sealValue, versionBytes, versionOfBytes } from './sealed-value.ts'

/** Read or written by one statement. */
const piecesAtOnce = 16
const listedAtOnce = 1_000

const temporaryPrefix = '.new-'

export interface PostgresBlobParts {
  readonly connections: Connections
  readonly attempts: CommitAttempts
  readonly runtime: Runtime
  /** What is on its way. */
  readonly directory: string
}

export class PostgresBlobs implements BlobStore {
  readonly #parts: PostgresBlobParts
  readonly #turns = new Map<BlobId, Promise<void>>()

  private constructor(parts: PostgresBlobParts) {
    this.#parts = parts
  }

  /** Clears what a crash left half-written. */
  static async open(parts: PostgresBlobParts): Promise<PostgresBlobs> {
    const { directory } = parts
    await makeDirectory(directory)
    for (const name of await readdir(directory)) {
      if (name.startsWith(temporaryPrefix)) await unlink(join(directory, name))
    }
    return new PostgresBlobs(parts)
  }

  scratch(): Promise<ScratchFile> {
    const { directory, runtime } = this.#parts
    return ScratchFile.create(join(directory, temporaryPrefix + randomName(runtime, 20)))
  }

  async create(): Promise<NewBlob> {
    return new PostgresNewBlob(await this.scratch(), (id, send) => this.#inTurn(id, send))
  }

  async open(id: BlobId): Promise<Blob | undefined> {
    const key = bytesOf(id)
    const { connections } = this.#parts
    const [row] = await connections.read<{ size: string; hashes: Buffer }>({
      text: 'SELECT size, hashes FROM scriptorium.blobs WHERE id = $1',
      values: [key],
    })
    if (row === undefined) return undefined
    const [size, { hashes }] = [Number(row.size), row]
    const damage = (reason: string) => new StoreDamage(`blob ${id}`, reason)
    if (idOf(size, hashes) !== id) throw damage('its hashes are wrong')
    return {
      size,
      async *read(from, to) {
        const end = Math.ceil(Math.min(to, size) / pieceBytes)
        let index = Math.floor(from / pieceBytes)
        while (index < end) {
          const values = [key, index, Math.min(end, index + piecesAtOnce)]
          for (const { at, bytes } of await connections.read<PieceRow>({ text: readSql, values })) {
            if (at !== index) throw damage('a part of it is missing')
            if (!isPiece(bytes, index, hashes)) throw damage('its checksum is wrong')
            const start = index * pieceBytes
            yield bytes.subarray(Math.max(0, from - start), Math.min(bytes.length, to - start))
            index += 1
          }
          if (index < Number(values[2])) throw damage('a part of it is missing')
        }
      },
    }
  }

  async delete(id: BlobId): Promise<void> {
    const key = bytesOf(id)
    await this.#inTurn(id, (held, attempt) =>
      held.pipeline([
        beginDurable,
        said(attempt),
        { text: 'SELECT FROM scriptorium.blobs WHERE id = $1 FOR UPDATE', values: [key] },
        { text: 'SELECT FROM scriptorium.kv WHERE key = $1 FOR UPDATE', values: [presenceOf(id)] },
        // Statements of their own, which see what was committed before the locks were there.
        remove(id),
        removePresence(id),
        commit,
      ]),
    )
  }

  async presence(id: BlobId): Promise<Check | undefined> {
    const { connections, runtime } = this.#parts
    const [key, version] = [blobPresence(id), Buffer.from(runtime.randomBytes(versionBytes))]
    const values = [bytesOf(id), presenceOf(id), sealValue(key, version, noBytes), version]
    const make = (held: HeldConnection) =>
      held.query<{ version: Buffer }>({ text: presenceSql, values })
    const [row] = await connections.waitingOut(() => connections.writing(make))
    return row && { key, version: versionOfBytes(row.version) }
  }

  /** A write of a blob begins when the one before is settled, whoever still waits for that. */
  async #inTurn(id: BlobId, send: Send): Promise<void> {
    const before = this.#turns.get(id)
    const { promise, resolve } = withResolver()
    this.#turns.set(id, promise)
    await before
    const { answer, settled } = this.#parts.attempts.runFor({ isLong: true, send, done: undefined })
    void settled.then(() => {
      resolve()
      if (this.#turns.get(id) === promise) this.#turns.delete(id)
    })
    await answer
  }

  async *list(): AsyncGenerator<BlobId> {
    const text = 'SELECT id FROM scriptorium.blobs WHERE id > $1 ORDER BY id LIMIT $2'
    let last: Buffer = Buffer.alloc(0)
    for (;;) {
      const values = [last, listedAtOnce]
      const rows = await this.#parts.connections.read<{ id: Buffer }>({ text, values })
      for (const { id } of rows) {
        last = id
        yield id.toString('hex') as BlobId
      }
      if (rows.length < listedAtOnce) return
    }
  }
}

type Send = (held: HeldConnection, attempt: Buffer) => Promise<unknown>

function withResolver() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

interface PieceRow {
  readonly at: number
  readonly bytes: Buffer
}

const readSql = `SELECT at, bytes FROM scriptorium.blob_pieces
  WHERE blob = $1 AND at >= $2 AND at < $3 ORDER BY at`

const commit: Statement = { text: 'COMMIT' }
const said = (attempt: Buffer): Statement => ({ text: insertAttempt, values: [attempt] })
const noBytes = new Uint8Array()
const presenceOf = (id: BlobId): Buffer => Buffer.from(blobPresence(id))

/** Made where the blob is there, whose row is locked: nobody deletes it meanwhile. */
const presenceSql = `INSERT INTO scriptorium.kv (key, value, version)
  SELECT $2, $3, $4 FROM (SELECT FROM scriptorium.blobs WHERE id = $1 FOR SHARE) blob
  ON CONFLICT (key) DO UPDATE SET version = kv.version RETURNING version`

function remove(id: BlobId): Statement {
  const { gte = '', lt = '' } = blobReferences(id)
  return {
    text: `DELETE FROM scriptorium.blobs WHERE id = $1
      AND NOT EXISTS (SELECT FROM scriptorium.kv WHERE key >= $2 AND key < $3)`,
    values: [bytesOf(id), Buffer.from(gte), Buffer.from(lt)],
  }
}

const removePresence = (id: BlobId): Statement => ({
  text: `DELETE FROM scriptorium.kv WHERE key = $2
    AND NOT EXISTS (SELECT FROM scriptorium.blobs WHERE id = $1)`,
  values: [bytesOf(id), presenceOf(id)],
})

function bytesOf(id: string): Buffer {
  if (!isBlobId(id)) throw new TypeError(`not a blob id: ${id}`)
  return Buffer.from(id, 'hex')
}

interface Finished {
  readonly id: BlobId
  readonly size: number
  readonly hashes: Buffer
}

class PostgresNewBlob implements NewBlob {
  readonly #scratch: ScratchFile
  readonly #write: (id: BlobId, send: Send) => Promise<void>
  readonly #hashes: Buffer[] = []
  /** Of the piece that is not whole yet. */
  #rest: Buffer = Buffer.alloc(0)
  #finished: Finished | undefined

  constructor(scratch: ScratchFile, write: (id: BlobId, send: Send) => Promise<void>) {
    this.#scratch = scratch
    this.#write = write
  }

  async add(bytes: Uint8Array): Promise<void> {
    await this.#scratch.add(bytes)
    const all = Buffer.concat([this.#rest, bytes])
    let at = 0
    for (; at + pieceBytes <= all.length; at += pieceBytes) {
      this.#hashes.push(hashOfPiece(all.subarray(at, at + pieceBytes)))
    }
    this.#rest = all.subarray(at)
  }

  async finish(): Promise<{ readonly id: BlobId; readonly size: number }> {
    if (this.#rest.length > 0) this.#hashes.push(hashOfPiece(this.#rest))
    const { size } = this.#scratch
    const hashes = Buffer.concat(this.#hashes)
    this.#finished = { id: idOf(size, hashes), size, hashes }
    return this.#finished
  }

  async publish(): Promise<void> {
    const finished = this.#finished
    if (finished === undefined) {
      throw new TypeError('a blob was published before it was finished')
    }
    await this.#write(finished.id, (held, attempt) => this.#send(held, attempt, finished))
  }

  async discard(): Promise<void> {
    await this.#scratch.discard()
  }

  /** The row with the hashes keeps others who write or delete the same away until the end. */
  async #send(
    held: HeldConnection,
    attempt: Buffer,
    { id, size, hashes }: Finished,
  ): Promise<void> {
    const key = bytesOf(id)
    await held.pipeline([
      beginDurable,
      said(attempt),
      {
        text: `INSERT INTO scriptorium.blobs (id, size, hashes) VALUES ($1, $2, $3)
          ON CONFLICT (id) DO UPDATE SET size = excluded.size, hashes = excluded.hashes`,
        values: [key, size, hashes],
      },
      // What was damaged is written anew.
      { text: 'DELETE FROM scriptorium.blob_pieces WHERE blob = $1', values: [key] },
    ])
    for (let at = 0; at < size; at += piecesAtOnce * pieceBytes) {
      const bytes = await this.#scratch.read(at, piecesAtOnce * pieceBytes)
      const pieces: Buffer[] = []
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        pieces.push(bytes.subarray(from, from + pieceBytes))
      }
      await held.query({
        text: `INSERT INTO scriptorium.blob_pieces (blob, at, bytes)
          SELECT $1, $2::int + place - 1, bytes
          FROM unnest($3::bytea[]) WITH ORDINALITY AS pieces (bytes, place)`,
        values: [key, at / pieceBytes, byteaArray(pieces)],
      })
    }
    await held.query(commit)
  }
}
