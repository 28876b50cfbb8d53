/**
 * When secrets and agents were used, and links how often, without a write for each request: counted
 * in memory and written together, some seconds later or when somebody asks. What is not written
 * when the process is killed is not known; of anybody's rights only idle lives of a month rest on
 * it.
 */
import { agentKey, agentUseKey, tokenBySha256, useKey } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { readRecords, records } from './records.ts'

/** Something whose uses are noted. */
export interface Used {
  /** Where they are noted: beside its record, on which somebody's rights rest. */
  readonly note: string
  /** Its record, without which nothing is noted of it. */
  readonly of: string
}

/** By the SHA-256 of the token, or of another secret. */
export const tokenUse = (sha256: string): Used => ({
  note: useKey(sha256),
  of: tokenBySha256(sha256),
})

export const agentUse = (agentId: string): Used => ({
  note: agentUseKey(agentId),
  of: agentKey(agentId),
})

/** In the order of `notes`, as far as it is stored; null: never. */
export async function lastUses(store: Store, notes: readonly string[]): Promise<(number | null)[]> {
  const found = await readRecords(store, notes, records.use)
  return found.map((use) => use?.record.usedAt ?? null)
}

interface Noted {
  readonly of: string
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

  /** Past so many things others go unnoted until these are written. */
  note({ note, of }: Used, times = 0): void {
    const noted = this.#noted.get(note)
    const at = this.#parts.runtime.now()
    if (noted !== undefined) {
      noted.at = at
      noted.times += times
      return
    }
    if (this.#noted.size >= limits.usesNotedMax) return
    this.#noted.set(note, { of, at, times })
    this.#timer ??= this.#parts.runtime.after(limits.usesStoredEveryMs, () => {
      this.#timer = undefined
      void this.store()
    })
  }

  /** When this was used last, stored or not; `undefined`: never. */
  async lastUse({ note }: Used): Promise<number | undefined> {
    const noted = this.#noted.get(note)?.at
    const [stored] = await lastUses(this.#parts.store, [note])
    return noted === undefined ? (stored ?? undefined) : Math.max(noted, stored ?? 0)
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

  /** Of what has ended nothing is written. */
  async #storeSome(some: readonly (readonly [string, Noted])[]): Promise<void> {
    const { store } = this.#parts
    for (;;) {
      const [used, known] = await Promise.all([
        store.getMany(some.map(([, { of }]) => of)),
        readRecords(
          store,
          some.map(([key]) => key),
          records.use,
        ),
      ])
      const checks: Check[] = []
      const puts: { key: string; value: Uint8Array }[] = []
      for (const [index, [key, { of, at, times }]] of some.entries()) {
        const record = used[index]
        if (record === undefined) continue
        const before = known[index]
        checks.push({ key: of, version: record.version }, { key, version: before?.version })
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
