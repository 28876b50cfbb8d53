/**
 * Which documents are open. A document is loaded once however many ask at the same time, is never
 * served before it has loaded, leaves when nobody used it for a while (live editors stay, and it
 * comes back for them), and is loaded anew after its object died.
 */
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { Dormant } from './dormant.ts'
import type { OpenDocument, OpenDocumentParts } from './open-document.ts'

interface Entry {
  readonly opened: Promise<OpenDocument>
  idle: Timer | undefined
}

type RegistryHooks = Pick<OpenDocumentParts, 'onDead' | 'onLeft'>

export interface RegistryHost {
  readonly runtime: Runtime
  load(slug: Slug, hooks: RegistryHooks, dormant: Dormant | undefined): Promise<OpenDocument>
  onDead(slug: Slug, error: unknown): void
}

export class Registry {
  readonly #host: RegistryHost
  readonly #entries = new Map<Slug, Entry>()
  /** Documents on their way out, so that a new load waits for the last commit of the old one. */
  readonly #leaving = new Map<Slug, Promise<void>>()
  /** Documents that left, but not the live editors that are in them. */
  readonly #dormant = new Map<Slug, Dormant>()

  constructor(host: RegistryHost) {
    this.#host = host
  }

  get count(): number {
    return this.#entries.size
  }

  /** The open document; loads it when needed. Rejects with what loading refuses. */
  async open(slug: Slug): Promise<OpenDocument> {
    const known = this.#entries.get(slug)
    if (known !== undefined) {
      this.#rest(slug, known)
      return known.opened
    }
    const entry: Entry = { opened: this.#load(slug), idle: undefined }
    return this.#keep(slug, entry)
  }

  /** Takes in a document that was just created. */
  async adopt(
    slug: Slug,
    make: (hooks: RegistryHooks) => Promise<OpenDocument>,
  ): Promise<OpenDocument> {
    const entry: Entry = { opened: make(this.#hooks(slug)), idle: undefined }
    return this.#keep(slug, entry)
  }

  async close(): Promise<void> {
    const slugs = [...this.#entries.keys()]
    await Promise.all(slugs.map((slug) => this.#unload(slug)))
    await Promise.all(this.#leaving.values())
  }

  async #keep(slug: Slug, entry: Entry): Promise<OpenDocument> {
    this.#entries.set(slug, entry)
    try {
      const document = await entry.opened
      this.#rest(slug, entry)
      return document
    } catch (error) {
      if (this.#entries.get(slug) === entry) this.#entries.delete(slug)
      throw error
    }
  }

  async #load(slug: Slug): Promise<OpenDocument> {
    await this.#leaving.get(slug)
    const dormant = this.#dormant.get(slug)
    const document = await this.#host.load(slug, this.#hooks(slug), dormant)
    this.#dormant.delete(slug)
    return document
  }

  #hooks(slug: Slug): RegistryHooks {
    return {
      onDead: (error, quiet) => {
        const entry = this.#entries.get(slug)
        entry?.idle?.cancel()
        this.#entries.delete(slug)
        this.#host.onDead(slug, error)
        void this.#leave(slug, quiet)
      },
      onLeft: () => {
        const entry = this.#entries.get(slug)
        if (entry !== undefined) this.#rest(slug, entry)
        else if (this.#dormant.get(slug)?.peers.count === 0) this.#dormant.delete(slug)
      },
    }
  }

  /** Starts the time after which the document leaves unless somebody uses it. */
  #rest(slug: Slug, entry: Entry, ms: number = limits.openDocumentIdleMs): void {
    entry.idle?.cancel()
    entry.idle = this.#host.runtime.after(ms, () => void this.#evict(slug))
  }

  async #evict(slug: Slug): Promise<void> {
    const entry = this.#entries.get(slug)
    if (entry === undefined) return
    const document = await entry.opened
    if (this.#entries.get(slug) !== entry) return
    const left = limits.openDocumentIdleMs - document.peers.idleMs
    if (document.isBusy) this.#rest(slug, entry)
    else if (document.peers.count === 0) await this.#unload(slug)
    else if (left > 0) this.#rest(slug, entry, left)
    else {
      this.#dormant.set(slug, document.dormant())
      await this.#unload(slug)
    }
  }

  async #unload(slug: Slug): Promise<void> {
    const entry = this.#entries.get(slug)
    if (entry === undefined) return
    entry.idle?.cancel()
    this.#entries.delete(slug)
    const unloaded = entry.opened.then(
      (document) => document.unload(),
      () => undefined,
    )
    await this.#leave(
      slug,
      unloaded.catch((error: unknown) => {
        this.#dormant.get(slug)?.peers.closeAll(1013, 'UNAVAILABLE')
        this.#dormant.delete(slug)
        this.#host.onDead(slug, error)
      }),
    )
  }

  /** A load that begins meanwhile waits, so that it finds all or nothing of the last commit. */
  async #leave(slug: Slug, gone: Promise<void>): Promise<void> {
    this.#leaving.set(slug, gone)
    await gone
    if (this.#leaving.get(slug) === gone) this.#leaving.delete(slug)
  }
}
