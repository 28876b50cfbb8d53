/**
 * One list of documents as it comes in pages. What was taken out stays out until the list is asked
 * for anew; a page that was asked for before that is dropped.
 */
import { ApiError } from '../api/http.ts'
import type { DocumentPage, Folder, ListedDocument } from '../api/library.ts'
import { troubleWords } from '../api/trouble.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface ListState {
  /** From the root to the folder that is listed; and those in it. */
  readonly path: readonly Folder[]
  readonly folders: readonly Folder[]
  readonly documents: readonly ListedDocument[]
  /** When it was asked for from the beginning; milliseconds since the epoch, by this device. */
  readonly askedAt: number
  /** There are no more of them. */
  readonly isWhole: boolean
  readonly isLoading: boolean
  /** Why the next page did not come. */
  readonly problem: string | undefined
}

const nothingYet: ListState = {
  path: [],
  folders: [],
  documents: [],
  askedAt: 0,
  isWhole: false,
  isLoading: false,
  problem: undefined,
}

export class DocumentList {
  readonly #fetch: (after?: string) => Promise<DocumentPage>
  readonly #state = createStore(nothingYet)
  #next: string | undefined
  /** Counts how often the list was begun anew. */
  #turn = 0

  constructor(fetch: (after?: string) => Promise<DocumentPage>) {
    this.#fetch = fetch
  }

  get state(): Readable<ListState> {
    return this.#state
  }

  /** The next page; nothing where there is none, or it is under way. */
  async more(): Promise<void> {
    const { isWhole, isLoading } = this.#state.get()
    if (!isWhole && !isLoading) await this.#load(this.#next)
  }

  /** From the beginning; until that is here the old one is shown. */
  async refresh(): Promise<void> {
    this.#turn += 1
    await this.#load(undefined)
  }

  /** Pages until there are `max` documents. */
  async upTo(max: number): Promise<void> {
    for (;;) {
      const { documents, isWhole } = this.#state.get()
      if (isWhole || documents.length >= max) return
      await this.more()
      const { documents: now, problem, isLoading } = this.#state.get()
      if (problem !== undefined || isLoading || now.length === documents.length) return
    }
  }

  /** Takes a document out; returns how it comes back. */
  take(slug: string): () => void {
    const before = this.#state.get().documents
    const at = before.findIndex((document) => document.slug === slug)
    const taken = before[at]
    if (taken === undefined) return () => {}
    this.#change({ documents: before.filter((document) => document !== taken) })
    return () => {
      const { documents } = this.#state.get()
      if (documents.some((document) => document.slug === slug)) return
      this.#change({ documents: documents.toSpliced(at, 0, taken) })
    }
  }

  async #load(after: string | undefined): Promise<void> {
    const turn = this.#turn
    this.#change({ isLoading: true, problem: undefined })
    const askedAt = after === undefined ? Date.now() : this.#state.get().askedAt
    try {
      const page = await this.#fetch(after)
      if (turn !== this.#turn) return
      this.#next = page.next
      const before = after === undefined ? [] : this.#state.get().documents
      const known = new Set(before.map(({ slug }) => slug))
      const documents = [...before, ...page.documents.filter(({ slug }) => !known.has(slug))]
      const others = after === undefined ? [] : this.#state.get().folders
      const folders = [...others, ...page.folders]
      const isWhole = page.next === undefined
      const { path } = page
      this.#change({ path, folders, documents, askedAt, isWhole, isLoading: false })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (turn !== this.#turn) return
      this.#change({ isLoading: false, problem: troubleWords(error) })
    }
  }

  #change(change: Partial<ListState>): void {
    this.#state.set({ ...this.#state.get(), ...change })
  }
}
