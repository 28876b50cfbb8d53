/** Reads of single records. Those that are asked for in one turn are one statement. */
import type { StoredValue } from '../store.ts'
import { byteaArray } from './binary-array.ts'
import type { Connections } from './connections.ts'
import { openRow, type StoredRow } from './sealed-value.ts'

/** In one statement. */
const keysMax = 100

interface PendingRead {
  resolve(found: StoredValue | undefined): void
  reject(error: unknown): void
}

export class Reads {
  readonly #connections: Connections
  #asked = new Map<string, PendingRead[]>()

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** The bytes are the caller's own. */
  get(key: string): Promise<StoredValue | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#asked.size === 0) queueMicrotask(() => this.#ask())
      const others = this.#asked.get(key)
      if (others === undefined) this.#asked.set(key, [{ resolve, reject }])
      else others.push({ resolve, reject })
    })
  }

  #ask(): void {
    const asked = [...this.#asked]
    this.#asked = new Map()
    for (let at = 0; at < asked.length; at += keysMax) {
      void this.#read(new Map(asked.slice(at, at + keysMax)))
    }
  }

  async #read(asked: ReadonlyMap<string, readonly PendingRead[]>): Promise<void> {
    const text = 'SELECT key, value, version FROM scriptorium.kv WHERE key = ANY ($1::bytea[])'
    const keys = [...asked.keys()].map((key) => Buffer.from(key))
    try {
      const rows = await this.#connections.read<StoredRow>({ text, values: [byteaArray(keys)] })
      const found = new Map(rows.map((row) => [row.key.toString(), row]))
      for (const [key, waiting] of asked) answer(waiting, found.get(key))
    } catch (error) {
      for (const { reject } of [...asked.values()].flat()) reject(error)
    }
  }
}

function answer(waiting: readonly PendingRead[], row: StoredRow | undefined): void {
  for (const { resolve, reject } of waiting) {
    try {
      if (row === undefined) resolve(undefined)
      else {
        const { value, version } = openRow(row)
        resolve({ value, version })
      }
    } catch (error) {
      reject(error)
    }
  }
}
