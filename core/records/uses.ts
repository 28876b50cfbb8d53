/**
 * When shared tokens were used, and links how often, without a write for each request: counted in
 * memory and written together, some seconds later or when somebody asks. What is not written when
 * the process is killed is not known; nobody's rights rest on it.
 */
import { tokenBySha256, useKey } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { readRecords, records } from './records.ts'

interface Noted {
  at: number
  /** How often a link was followed; 0: its token was used. */
  times: number
}

export interface UsesParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly onTrouble: (error: unknown) => void
}

const storedAtOnce = 500

export class Uses {
  readonly #parts: UsesParts
  #noted = new Map<string, Noted>()
  #timer: Timer | undefined
  #storing = Promise.resolve()

  constructor(parts: UsesParts) {
    this.#parts = parts
  }

  /** By the SHA-256 of the token. Past so many tokens others go unnoted until these are written. */
  note(sha256: string, times = 0): void {
    const noted = this.#noted.get(sha256)
    const at = this.#parts.runtime.now()
    if (noted !== undefined) {
      noted.at = at
      noted.times += times
      return
    }
    if (this.#noted.size >= limits.usesNotedMax) return
    this.#noted.set(sha256, { at, times })
    this.#timer ??= this.#parts.runtime.after(limits.usesStoredEveryMs, () => {
      this.#timer = undefined
      void this.store()
    })
  }

  /** Resolves when all that was noted before is written; what cannot be is told to `onTrouble`. */
  store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#storeAll()).catch(this.#parts.onTrouble)
    return this.#storing
  }

  async close(): Promise<void> {
    this.#timer?.cancel()
    await this.store()
  }

  async #storeAll(): Promise<void> {
    const all = [...this.#noted]
    this.#noted = new Map()
    for (let from = 0; from < all.length; from += storedAtOnce) {
      await this.#storeSome(all.slice(from, from + storedAtOnce))
    }
  }

  /** Of a token that has ended nothing is written. */
  async #storeSome(some: readonly (readonly [string, Noted])[]): Promise<void> {
    const { store } = this.#parts
    for (let left = some; left.length > 0; ) {
      const tokenKeys = left.map(([sha256]) => tokenBySha256(sha256))
      const useKeys = left.map(([sha256]) => useKey(sha256))
      const [tokens, known] = await Promise.all([
        store.getMany(tokenKeys),
        readRecords(store, useKeys, records.use),
      ])
      const checks: Check[] = []
      const puts: { key: string; value: Uint8Array }[] = []
      for (const [index, [sha256, { at, times }]] of left.entries()) {
        const token = tokens[index]
        if (token === undefined) continue
        const before = known[index]
        const key = useKey(sha256)
        checks.push({ key: tokenBySha256(sha256), version: token.version })
        checks.push({ key, version: before?.version })
        const uses = (before?.record.uses ?? 0) + times
        const usedAt = Math.max(at, before?.record.usedAt ?? 0)
        puts.push({ key, value: records.use.encode({ usedAt, ...(uses > 0 && { uses }) }) })
      }
      if (puts.length === 0) return
      const result = await store.commit({ checks, puts })
      if (result.ok) return
    }
  }
}
