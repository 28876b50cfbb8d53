/**
 * Answers what a host in another thread asks of the store. Scans are read a page at a time, as far
 * as the host has asked, over the snapshot of their beginning.
 */
import type { KeyedValue, Store } from '../../../persistence/store.ts'
import type { Page, StoreAnswer, StoreQuestion, Told } from './messages.ts'

/** Of the values in one page, about. */
const pageBytes = 256 * 1024

export class StoreService {
  readonly #store: Store
  readonly #tell: (told: Told) => void
  readonly #scans = new Map<number, AsyncIterator<KeyedValue>>()
  #isOver = false

  constructor(store: Store, tell: (told: Told) => void) {
    this.#store = store
    this.#tell = tell
  }

  /** Rejects with the store's error. */
  async answer(question: StoreQuestion): Promise<StoreAnswer> {
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
        const result = await this.#store.commit(question.commit)
        // Of a host that is gone nobody is told: its sessions ask what they lack.
        if (result.ok && !this.#isOver) for (const told of question.shown) this.#tell(told)
        return result
      }
    }
  }

  /** The host is gone. */
  async close(): Promise<void> {
    this.#isOver = true
    await Promise.all([...this.#scans.keys()].map((scan) => this.#end(scan)))
  }

  async #page(scan: number): Promise<Page> {
    const iterator = this.#scans.get(scan)
    const records: KeyedValue[] = []
    for (let bytes = 0; iterator !== undefined && bytes < pageBytes; ) {
      const next = await iterator.next()
      if (next.done === true) break
      records.push(next.value)
      bytes += next.value.value.length + next.value.key.length
      if (bytes >= pageBytes) return { records, isLast: false }
    }
    this.#scans.delete(scan)
    return { records, isLast: true }
  }

  async #end(scan: number): Promise<void> {
    const iterator = this.#scans.get(scan)
    this.#scans.delete(scan)
    await iterator?.return?.()
  }
}
