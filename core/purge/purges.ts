/**
 * Documents deleted for good (interface §3, extensions §3). What is to be deleted is noted in the
 * store before anything goes, goes in small commits, and is taken up again when the service starts;
 * two who delete the same document do no harm. The time of archived documents is looked up in an
 * index by when it is over. Knows what happens when, not what there is to delete (`traces.ts`).
 */
import {
  docHead,
  docRange,
  kindRange,
  metaKey,
  parseKey,
  purgeKey,
  purgesDueBy,
} from '../../persistence/keys.ts'
import type { PurgedList } from '../../persistence/purged-list.ts'
import type { Range, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type { KeptBlobs } from '../assets/kept-blobs.ts'
import type { Documents, Permission } from '../documents/contract.ts'
import { alone, type OnDuty, type Work } from '../nodes/duties.ts'
import { type SecretKey, sha256Hex } from '../records/secrets.ts'
import { steadyRuntime } from '../runtime/steady-runtime.ts'
import { lastTrace, type Trace, traces } from './traces.ts'

/** Who deletes a document waits so long for the end of it. */
const purgeAwaitedMs = 5_000

const purgeKeysPerCommit = 500

/** Of one look for documents whose time is over. */
const purgesBegunAtOnce = 1_000

const purgeSweepEveryMs = 1_800_000

export interface PurgesParts {
  readonly store: Store
  readonly documents: Pick<Documents, 'retire'>
  readonly runtime: Runtime
  readonly secretKey: SecretKey
  /** Absent: documents have none. */
  readonly blobs?: Pick<KeptBlobs, 'release'> | undefined
  /** Absent: there are no backups. */
  readonly list?: PurgedList | undefined
  /** What is due is looked for by one process of those that share the store. */
  readonly onDuty?: OnDuty | undefined
  /** Told of what failed (for the log); it is tried again. */
  readonly onTrouble: (error: unknown) => void
}

export class Purges {
  readonly #parts: PurgesParts
  /** What time is over goes by elapsed time. */
  readonly #steady: Runtime
  readonly #running = new Map<Slug, Promise<void>>()
  /** One at a time, so that deleting much holds up nobody. */
  #line = Promise.resolve()
  #sweep: Timer | undefined
  #looking: Work | undefined
  #isOnDuty = false
  #isClosed = false

  constructor(parts: PurgesParts) {
    this.#parts = parts
    this.#steady = steadyRuntime(parts.runtime)
  }

  /**
   * What a backup brought back is out of service when this resolves; the rest of what is to be done
   * is begun then, and looked for again and again.
   */
  async start(): Promise<void> {
    await this.#retireReturned()
    const { onDuty = alone } = this.#parts
    this.#looking = onDuty('purges', () => {
      this.#isOnDuty = true
      this.#look()
      return { close: async () => this.#offDuty() }
    })
  }

  /**
   * Deletes an archived document for good; true: it is done, false: it goes on, for it takes longer
   * than one waits. Refuses NOT_ARCHIVED, and what the permission refuses.
   */
  async delete(slug: Slug, permission: Permission | undefined): Promise<boolean> {
    const { documents, runtime } = this.#parts
    await documents.retire(slug, { permission })
    const done = this.#run(slug)
    let timer: Timer | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = runtime.after(purgeAwaitedMs, () => resolve(false))
    })
    const isDone = await Promise.race([done.then(() => true), late])
    timer?.cancel()
    return isDone && !(await this.#isLeft(slug))
  }

  /** What is begun and what is due; resolves when that is done, or cannot go on for now. */
  async sweep(): Promise<void> {
    for (let retired = purgesBegunAtOnce; retired === purgesBegunAtOnce; ) {
      retired = await this.#retireDue()
      for (const { slug } of await this.#found(kindRange('purge'))) await this.#run(slug)
    }
  }

  /** Resolves when nothing of it touches the store any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#looking?.close()
    await Promise.all(this.#running.values())
  }

  #look(): void {
    void this.sweep()
      .catch(this.#parts.onTrouble)
      .finally(() => {
        if (!this.#isOnDuty) return
        this.#sweep = this.#parts.runtime.after(purgeSweepEveryMs, () => this.#look())
      })
  }

  #offDuty(): void {
    this.#isOnDuty = false
    this.#sweep?.cancel()
  }

  async #isLeft(slug: Slug): Promise<boolean> {
    return (await this.#parts.store.get(purgeKey(slug))) !== undefined
  }

  /** Not looked for again: lines that this store, or the one it is a copy of, has seen. */
  async #retireReturned(): Promise<void> {
    const { store, documents, list } = this.#parts
    const slugs = list?.slugs ?? []
    if (slugs.length === 0) return
    const seen = await store.get(seenKey)
    const [count = '', last] = Buffer.from(seen?.value ?? [])
      .toString()
      .split(' ')
    const isSame = last !== undefined && hashAt(slugs, Number(count)) === last
    if (isSame && Number(count) === slugs.length) return
    for (let from = isSame ? Number(count) : 0; from < slugs.length; ) {
      const some = slugs.slice(from, from + purgesBegunAtOnce)
      const heads = await store.getMany(some.map(docHead))
      for (const [index, slug] of some.entries()) {
        if (heads[index] !== undefined) await documents.retire(slug, { forced: true })
      }
      from += some.length
    }
    const value = Buffer.from(`${slugs.length} ${hashAt(slugs, slugs.length)}`)
    await store.commit({ puts: [{ key: seenKey, value }] })
  }

  /** Archived documents whose time is over: how many went out of service, so many at most. */
  async #retireDue(): Promise<number> {
    const { store, documents, onTrouble } = this.#parts
    const due = await this.#found(purgesDueBy(Math.floor(this.#steady.now() / 1000)))
    let retired = 0
    for (const { key, slug } of due) {
      if (this.#isClosed) return 0
      try {
        await documents.retire(slug)
        retired += 1
      } catch (error) {
        if (!(error instanceof Refusal)) onTrouble(error)
        // Brought back, or gone, in this very moment.
        else await store.commit({ deletes: [key] })
      }
    }
    return retired
  }

  /** Of so many documents; a scan that went on while they are deleted would hold on to them. */
  async #found(range: Range): Promise<readonly PurgeEntry[]> {
    const found: PurgeEntry[] = []
    const limit = purgesBegunAtOnce
    for await (const { key } of this.#parts.store.scan({ ...range, limit })) {
      const slug = parseKey(key)?.path.at(-1) ?? ''
      if (isSlug(slug)) found.push({ key, slug })
    }
    return found
  }

  /** Resolves when it is done or has failed; never rejects. */
  #run(slug: Slug): Promise<void> {
    const running = this.#running.get(slug)
    if (running !== undefined) return running
    const run = this.#line
      .then(() => this.#purge(slug))
      .catch(this.#parts.onTrouble)
      .finally(() => this.#running.delete(slug))
    this.#line = run
    this.#running.set(slug, run)
    return run
  }

  async #purge(slug: Slug): Promise<void> {
    const { store, documents, list, runtime } = this.#parts
    if (this.#isClosed || !(await this.#isLeft(slug))) return
    // Where two run at once, or it was begun before a crash, it may be open here.
    await documents.retire(slug, { forced: true }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
    await list?.add(slug, runtime.now())
    while ((await this.#pass(slug)) > 0) if (this.#isClosed) return
    await store.compact(docRange(slug))
    const { deletes } = await lastTrace(this.#parts, slug)
    await store.commit({ deletes: [...deletes, purgeKey(slug)] })
  }

  /** Answers how many keys went. */
  async #pass(slug: Slug): Promise<number> {
    let gone = 0
    for (const trace of traces) {
      let batch: Trace[] = []
      let keys = 0
      for await (const found of trace(this.#parts, slug)) {
        if (this.#isClosed) return gone
        batch.push(found)
        keys += found.deletes.length
        if (keys < purgeKeysPerCommit) continue
        gone += await this.#take(batch)
        batch = []
        keys = 0
      }
      gone += await this.#take(batch)
    }
    return gone
  }

  /** What was written meanwhile is looked at again in the next pass. */
  async #take(batch: readonly Trace[]): Promise<number> {
    if (batch.length === 0) return 0
    const deletes = [...new Set(batch.flatMap((trace) => trace.deletes))]
    await this.#parts.store.commit({
      checks: batch.flatMap(({ checks = [] }) => checks),
      deletes,
    })
    await this.#parts.blobs?.release(batch.flatMap(({ blobs = [] }) => blobs))
    return deletes.length
  }
}

interface PurgeEntry {
  readonly key: string
  readonly slug: Slug
}

/** Of the line there, so that no name of a document is kept for it. */
const hashAt = (slugs: readonly Slug[], count: number): string => sha256Hex(slugs[count - 1] ?? '')

/** How far the list of what was deleted has been looked through, and its line there. */
const seenKey = metaKey('purged-seen')
