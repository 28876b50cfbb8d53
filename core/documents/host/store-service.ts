/**
 * Answers what a host in another thread asks of the store. Scans are read a page at a time, as far
 * as the host has asked, over the snapshot of their beginning.
 */
import type { Commit, CommitResult, KeyedValue, Store } from '../../../persistence/store.ts'
import { StoreClosed } from '../../../persistence/store-errors.ts'
import type { Page, SessionBroadcast, StoreAnswer, StoreQuestion } from './messages.ts'

/** Of the values in one page, about. */
const pageBytes = 256 * 1024

export class StoreService {
  readonly #store: Store
  readonly #tell: (broadcast: SessionBroadcast) => void
  readonly #scans = new Map<number, AsyncIterator<KeyedValue>>()
  readonly #commits = new Set<Promise<CommitResult>>()
  #isOver = false

  constructor(store: Store, tell: (broadcast: SessionBroadcast) => void) {
    this.#store = store
    this.#tell = tell
  }

  /** Rejects with the store's error, and with `StoreClosed` once the host is gone. */
  async answer(question: StoreQuestion): Promise<StoreAnswer> {
    if (this.#isOver) throw new StoreClosed()
    switch (question.op) {
      case 'get':
        return this.#store.get(question.key)
      case 'getMany':
        return this.#store.getMany(question.keys)
      case 'scan':
        this.#scans.set(question.scan, this.#store.scan(question.range)[Symbol.asyncIterator]())
        return this.#page(question.scan)
      case 'next':
        return this.#page(question.scan)
      case 'end':
        await this.#end(question.scan)
        return undefined
      case 'commit': {
        const result = await this.#commit(question.commit)
        // The sessions of a host that is gone begin again and ask for what they lack.
        if (result.ok && !this.#isOver)
          for (const broadcast of question.shown) this.#tell(broadcast)
        return result
      }
    }
  }

  /** The host is gone. Resolves when each of its commits is durable or has failed. */
  async close(): Promise<void> {
    this.#isOver = true
    const scans = [...this.#scans.keys()].map((scan) => this.#end(scan))
    await Promise.allSettled([...scans, ...this.#commits])
  }

  async #commit(commit: Commit): Promise<CommitResult> {
    const committing = this.#store.commit(commit)
    this.#commits.add(committing)
    try {
      return await committing
    } finally {
      this.#commits.delete(committing)
    }
  }

  async #page(scan: number): Promise<Page> {
    const iterator = this.#scans.get(scan)
    const records: KeyedValue[] = []
    let isLast = true
    try {
      for (let bytes = 0; iterator !== undefined; ) {
        const next = await iterator.next()
        if (next.done === true) break
        records.push(next.value)
        bytes += next.value.value.length + next.value.key.length
        isLast = bytes < pageBytes
        if (!isLast) break
      }
    } finally {
      // Also where the store fails: an iterator that threw is over.
      if (isLast) this.#scans.delete(scan)
    }
    return { records, isLast }
  }

  async #end(scan: number): Promise<void> {
    const iterator = this.#scans.get(scan)
    this.#scans.delete(scan)
    await iterator?.return?.()
  }
}
