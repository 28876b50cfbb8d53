/**
 * The revisions of a document as the timeline has them: read page by page, the newest first, and
 * kept up with what is written meanwhile. Knows nothing of how they are shown.
 */

import { type HistoryEntry, historyPage } from '../api/history.ts'
import { troubleWords } from '../api/trouble.ts'
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface RevisionListState {
  /** Without a gap from the newest on, descending. */
  readonly entries: readonly HistoryEntry[]
  /** There are older ones. */
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly problem?: string
}

export interface RevisionList {
  readonly state: Readable<RevisionListState>
  /** Reads the next page, if none is under way. */
  readMore(): Promise<void>
  /** Reads the newest again: something was written, or named. */
  refresh(): Promise<void>
  named(revision: number, name: string | null): void
  close(): void
}

const pageSize = 200
const refreshAfterMs = 1_500

export function openRevisionList(session: DocumentSession): RevisionList {
  const { slug } = session
  const state = createStore<RevisionListState>({ entries: [], hasMore: true, isReading: false })
  let cursor: string | undefined
  let timer: number | undefined
  const readMore = async () => {
    const before = state.get()
    if (before.isReading || !before.hasMore) return
    state.set({ entries: before.entries, hasMore: true, isReading: true })
    try {
      const page = await historyPage(slug, { limit: pageSize, cursor })
      cursor = page.next_cursor ?? undefined
      const oldest = state.get().entries.at(-1)?.revision ?? Number.POSITIVE_INFINITY
      const older = page.entries.filter(({ revision }) => revision < oldest)
      const entries = [...state.get().entries, ...older]
      state.set({ entries, hasMore: cursor !== undefined, isReading: false })
    } catch (error) {
      const problem = troubleWords(error)
      state.set({ ...state.get(), isReading: false, problem })
    }
  }
  const refresh = async () => {
    const page = await historyPage(slug, { limit: pageSize }).catch(() => undefined)
    if (page === undefined) return
    const lowest = page.entries.at(-1)?.revision ?? 1
    const { entries, ...rest } = state.get()
    const older = entries.filter(({ revision }) => revision < lowest)
    // More was written than one page holds: what lies between is read again.
    const isWhole = entries.some(({ revision }) => revision >= lowest - 1)
    if (!isWhole) cursor = page.next_cursor ?? undefined
    state.set({
      ...rest,
      entries: isWhole ? [...page.entries, ...older] : page.entries,
      hasMore: isWhole ? rest.hasMore : cursor !== undefined,
    })
  }
  const stop = session.onEvent((event) => {
    if (event.type === 'doc_changed') {
      timer ??= window.setTimeout(() => {
        timer = undefined
        void refresh()
      }, refreshAfterMs)
    }
  })
  return {
    state,
    readMore,
    refresh,
    named(revision, name) {
      const { entries, ...rest } = state.get()
      const renamed = entries.map((entry) => {
        if (entry.revision !== revision) return entry
        const { name: _, ...nameless } = entry
        return name === null ? nameless : { ...nameless, name }
      })
      state.set({ ...rest, entries: renamed })
    },
    close() {
      stop()
      window.clearTimeout(timer)
    },
  }
}
