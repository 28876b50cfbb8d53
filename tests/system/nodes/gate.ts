/** A store that others use too, as one node reaches it: the way to it can be shut. */
import type { Commit, Range, Store } from '../../../persistence/store.ts'

export class Gate implements Store {
  readonly #store: Store
  #isShut = false
  #opened: (() => void)[] = []

  constructor(store: Store) {
    this.#store = store
  }

  /** Whatever is asked from now on waits. */
  shut(): void {
    this.#isShut = true
  }

  open(): void {
    this.#isShut = false
    for (const go of this.#opened.splice(0)) go()
  }

  async commit(commit: Commit) {
    await this.#pass()
    return this.#store.commit(commit)
  }

  async get(key: string) {
    await this.#pass()
    return this.#store.get(key)
  }

  async getMany(keys: readonly string[]) {
    await this.#pass()
    return this.#store.getMany(keys)
  }

  async *scan(range: Range) {
    await this.#pass()
    yield* this.#store.scan(range)
  }

  async *scanRaw(range: Range) {
    await this.#pass()
    yield* this.#store.scanRaw(range)
  }

  async deleteRange(range: Range) {
    await this.#pass()
    return this.#store.deleteRange(range)
  }

  compact(range: Parameters<Store['compact']>[0]) {
    return this.#store.compact(range)
  }

  watch(prefix: string, listener: (key: string) => void) {
    return this.#store.watch(prefix, listener)
  }

  /** The others go on with it. */
  async close() {}

  async #pass(): Promise<void> {
    if (this.#isShut) await new Promise<void>((resolve) => this.#opened.push(resolve))
  }
}
