/**
 * The store as a host in another thread reaches it: by questions to the front, which is the only
 * one that writes. What a commit makes visible is told by the front, once it is durable.
 */
import type {
  Commit,
  CommitResult,
  DamagedRecords,
  KeyedValue,
  Range,
  StoredValue,
} from '../../../persistence/store.ts'
import { StoreClosed } from '../../../persistence/store-errors.ts'
import type { ShowingStore } from '../../commit/showing-store.ts'
import type { Page, SessionBroadcast, StoreAnswer, StoreQuestion } from './messages.ts'

interface PendingQuestion {
  resolve(answer: StoreAnswer): void
  reject(error: unknown): void
}

export interface RemoteStoreParts {
  ask(id: number, question: StoreQuestion): void
  /** What `show` tells sessions, kept instead. */
  kept(show: () => void): readonly SessionBroadcast[]
}

export class RemoteStore implements ShowingStore {
  readonly #parts: RemoteStoreParts
  readonly #asked = new Map<number, PendingQuestion>()
  #ids = 0
  #scans = 0

  constructor(parts: RemoteStoreParts) {
    this.#parts = parts
  }

  async commit(commit: Commit, show?: () => void): Promise<CommitResult> {
    const shown = show === undefined ? [] : this.#parts.kept(show)
    return (await this.#answer({ op: 'commit', commit, shown })) as CommitResult
  }

  async get(key: string): Promise<StoredValue | undefined> {
    return (await this.#answer({ op: 'get', key })) as StoredValue | undefined
  }

  async getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    return (await this.#answer({ op: 'getMany', keys })) as (StoredValue | undefined)[]
  }

  async *scan(range: Range): AsyncIterable<KeyedValue> {
    const scan = ++this.#scans
    let page = (await this.#answer({ op: 'scan', scan, range })) as Page
    let isOver = page.isLast
    try {
      for (;;) {
        yield* page.records
        if (isOver) return
        page = (await this.#answer({ op: 'next', scan })) as Page
        isOver = page.isLast
      }
    } finally {
      if (!isOver) await this.#answer({ op: 'end', scan })
    }
  }

  scanRaw(): AsyncIterable<KeyedValue | DamagedRecords> {
    throw notHere()
  }

  deleteRange(): Promise<number> {
    throw notHere()
  }

  compact(): Promise<void> {
    throw notHere()
  }

  watch(): () => void {
    throw notHere()
  }

  /** Nothing is answered any more. */
  async close(): Promise<void> {
    for (const { reject } of this.#asked.values()) reject(new StoreClosed())
    this.#asked.clear()
  }

  answered(id: number, answer: StoreAnswer): void {
    this.#take(id)?.resolve(answer)
  }

  failed(id: number, error: unknown): void {
    this.#take(id)?.reject(error)
  }

  #take(id: number): PendingQuestion | undefined {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    return asked
  }

  #answer(question: StoreQuestion): Promise<StoreAnswer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#ids
      this.#asked.set(id, { resolve, reject })
      this.#parts.ask(id, question)
    })
  }
}

const notHere = () => new TypeError('documents do not ask this of the store')
