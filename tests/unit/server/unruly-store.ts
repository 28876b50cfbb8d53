/** A store that can be told to wait or to fail, in front of a real one. */
import type {
  Below,
  Commit,
  CommitResult,
  KeyedValue,
  Range,
  Store,
} from '../../../persistence/store.ts'

export class UnrulyStore implements Store {
  readonly #store: Store
  #commits: Promise<void> = Promise.resolve()
  #reads: Promise<void> = Promise.resolve()
  /** What every commit fails with. */
  failure: Error | undefined
  /** What every commit waits for beside. */
  eachWrite: (() => Promise<void>) | undefined
  /** Reads of documents' snapshots: how often one was loaded. */
  loads = 0
  /** How often something was to be written. */
  writes = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** Commits wait until the answer is called. */
  holdCommits(): () => void {
    return this.#hold((gate) => {
      this.#commits = gate
    })
  }

  /** Reads wait until the answer is called. */
  holdReads(): () => void {
    return this.#hold((gate) => {
      this.#reads = gate
    })
  }

  async commit(commit: Commit): Promise<CommitResult> {
    this.writes++
    await this.#commits
    await this.eachWrite?.()
    if (this.failure !== undefined) throw this.failure
    return this.#store.commit(commit)
  }

  async get(key: string) {
    if (key.endsWith('/snap')) this.loads++
    await this.#reads
    return this.#store.get(key)
  }

  async getMany(keys: readonly string[]) {
    await this.#reads
    return this.#store.getMany(keys)
  }

  scan(range: Range): AsyncIterable<KeyedValue> {
    return this.#store.scan(range)
  }

  scanRaw(range: Range) {
    return this.#store.scanRaw(range)
  }

  deleteRange(range: Range): Promise<number> {
    return this.#store.deleteRange(range)
  }

  compact(range: Below): Promise<void> {
    return this.#store.compact(range)
  }

  watch(prefix: string, listener: (key: string) => void): () => void {
    return this.#store.watch(prefix, listener)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #hold(set: (gate: Promise<void>) => void): () => void {
    let open = () => {}
    set(
      new Promise<void>((resolve) => {
        open = resolve
      }),
    )
    return () => open()
  }
}
