/**
 * The rows of one list, page after page as one scrolls; while one searches, what was found in all
 * lists. Something always stands there: rows, their outline while they come, or what to do.
 */
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { Account } from '../api/account.ts'
import type { Folder, ListedDocument } from '../api/library.ts'
import type { RecentDocument } from '../platform/recent-documents.ts'
import { useStore } from '../platform/store.ts'
import type { DocumentList, ListState } from './document-list.ts'
import { currentFolder, type Lists, type ListTab } from './home-lists.ts'
import { type ListEntry, shownTitle } from './list-entry.ts'
import { DocumentRow } from './row.tsx'
import { goThroughRows } from './row-keys.ts'
import { bestFirst, type Span, titleSearch } from './search.ts'
import { order, sorted } from './sorting.ts'

const load = () => import('./folder-row.tsx')
/** Loaded once the list is there. */
const part = <Name extends keyof Awaited<ReturnType<typeof load>>>(name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))
const FolderRow = part('FolderRow')
const FolderPath = part('FolderPath')
const EmptyFolder = part('EmptyFolder')
const Empty = part('Empty')
const NothingFound = part('NothingFound')

export interface DocumentRowsProps {
  readonly lists: Lists
  readonly place: ListTab
  readonly recent: readonly RecentDocument[]
  readonly query: string
  readonly account: Account | undefined
}

/** As many titles are looked through. */
const searchedMax = 1_000

export function DocumentRows(props: DocumentRowsProps) {
  const { lists, place, query } = props
  const isSearch = query.trim() !== ''
  const by = useStore(order)
  // One's own come in the order in which they were made; others take all of them.
  const isWhole = isSearch || by !== 'created' || place === 'shared'
  const wanted = placesShown(props)
  const states: Record<Exclude<ListTab, 'recent'>, ListState> = {
    // A search looks into all folders.
    mine: useList(isSearch ? lists.everywhere : lists.mine, wanted.includes('mine'), isWhole),
    shared: useList(lists.shared, wanted.includes('shared'), isWhole),
    archived: useList(lists.archived, wanted.includes('archived'), isWhole),
  }
  const shown = wanted.flatMap((name) => (name === 'recent' ? [] : [states[name]]))
  const unsorted = wanted.flatMap((name): ListEntry[] =>
    name === 'recent'
      ? props.recent.map((one) => ({ ...one, place: name, role: 'viewer' }))
      : renamed(states[name], props.recent).map((one) => ({ ...one, place: name })),
  )
  const isAsTheyCome = place === 'recent' ? by !== 'name' : by === 'created' && place !== 'shared'
  const rows = isAsTheyCome ? unsorted : sorted(unsorted, by)
  const search = titleSearch(query)
  const found = isSearch ? bestFirst(distinct(rows), query) : rows
  const hits = found.flatMap((row) => {
    const spans = search(shownTitle(row))
    return spans === undefined ? [] : [{ row, spans }]
  })
  const { path, folders } = !isSearch && place === 'mine' ? states.mine : noFolders
  const isInFolder = useStore(currentFolder) !== undefined && place === 'mine' && !isSearch
  const problem = shown.find((state) => state.problem !== undefined)?.problem
  const isLoading = shown.some((state) => state.isLoading)
  const isComing = shown.some(({ isWhole, problem }) => !isWhole && problem === undefined)
  const more = () => {
    if (!isSearch && place !== 'recent') void lists[place].more()
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {isSearch && !isComing ? `${hits.length} found` : ''}
      </p>
      <Suspense>{isInFolder ? <FolderPath path={path} /> : null}</Suspense>
      <Rows hits={hits} folders={folders} lists={lists} onEnd={more} isBusy={isComing} />
      {problem !== undefined ? (
        <Trouble
          problem={problem}
          onAgain={() => again(isSearch ? { ...lists, mine: lists.everywhere } : lists, wanted)}
        />
      ) : isComing ? (
        <Coming
          isFirst={hits.length + folders.length === 0}
          key={`${rows.length} ${isLoading}`}
          onSeen={more}
        />
      ) : hits.length + folders.length > 0 ? null : (
        <Suspense>
          {isSearch ? (
            <NothingFound query={query} />
          ) : isInFolder ? (
            <EmptyFolder />
          ) : (
            <Empty place={place} account={props.account} />
          )}
        </Suspense>
      )}
    </>
  )
}

/** What was changed in this browser right before may not be saved yet. */
const savedWithinMs = 10_000

/** With titles that this browser saw later than the list was asked for. */
function renamed(
  { documents, askedAt }: ListState,
  recent: readonly RecentDocument[],
): readonly ListedDocument[] {
  const later = recent.filter(({ at }) => at + savedWithinMs > askedAt)
  const titles = new Map(later.map(({ slug, title }) => [slug, title]))
  return documents.map((one) => ({ ...one, title: titles.get(one.slug) ?? one.title }))
}

/** A search goes over all lists but what is archived, which is searched by itself. */
function placesShown({ place, query, account }: DocumentRowsProps): readonly ListTab[] {
  if (query.trim() === '' || place === 'archived') return [place]
  return account === undefined ? ['recent'] : ['mine', 'shared', 'recent']
}

/** Each document once, as the first list has it. */
function distinct(rows: readonly ListEntry[]): ListEntry[] {
  return [...new Map(rows.toReversed().map((row) => [row.slug, row])).values()].reverse()
}

function again(lists: Lists, places: readonly ListTab[]): void {
  for (const name of places) if (name !== 'recent') void lists[name].refresh()
}

/** Comes back to the page are worth a look whether anything is new, but not each of them. */
const freshForMs = 15_000

/** The list's state; its first page is asked for when the list is wanted, all when it is searched. */
function useList(list: DocumentList, isWanted: boolean, isSearched: boolean): ListState {
  const state = useStore(list.state)
  const isEmpty = state.documents.length + state.folders.length === 0
  const isUntouched = isEmpty && !state.isWhole && state.problem === undefined
  useEffect(() => {
    if (isWanted && isUntouched) void list.more()
  }, [list, isWanted, isUntouched])
  useEffect(() => {
    if (isWanted && isSearched && !state.isLoading) void list.upTo(searchedMax)
  }, [list, isWanted, isSearched, state.isLoading])
  useEffect(() => {
    if (!isWanted) return
    // It was left, and may be another by now; until that is here it is shown as it was.
    if (list.state.get().askedAt > 0) void list.refresh()
    let at = performance.now()
    const look = () => {
      if (document.visibilityState !== 'visible' || performance.now() < at + freshForMs) return
      at = performance.now()
      void list.refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [list, isWanted])
  return state
}

const noFolders: Pick<ListState, 'path' | 'folders'> = { path: [], folders: [] }

interface RowsProps {
  readonly folders: readonly Folder[]
  readonly hits: readonly { readonly row: ListEntry; readonly spans: readonly Span[] }[]
  readonly lists: Lists
  readonly onEnd: () => void
  readonly isBusy: boolean
}

const Rows = ({ hits, folders, lists, onEnd, isBusy }: RowsProps) =>
  hits.length + folders.length === 0 ? null : (
    <ul
      className="rows"
      aria-label="Documents"
      aria-busy={isBusy}
      onKeyDown={(event) => goThroughRows(event, onEnd)}
    >
      <Suspense>
        {folders.map((folder) => (
          <FolderRow key={folder.id} folder={folder} list={lists.mine} />
        ))}
      </Suspense>
      {hits.map(({ row, spans }) => (
        <DocumentRow key={`${row.place} ${row.slug}`} document={row} spans={spans} lists={lists} />
      ))}
    </ul>
  )

interface ComingProps {
  readonly isFirst: boolean
  /** It came into sight. */
  readonly onSeen: () => void
}

/** The outline of rows that are on their way; a screen and a half ahead they are asked for. */
function Coming({ isFirst, onSeen }: ComingProps) {
  const place = useRef<HTMLDivElement>(null)
  const seen = useRef(onSeen)
  seen.current = onSeen
  useEffect(() => {
    if (place.current === null) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) seen.current()
      },
      { rootMargin: '0px 0px 150%' },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={place} className="rows-coming" aria-hidden>
      {Array.from({ length: isFirst ? 6 : 2 }, (_, at) => (
        <div key={at} className="row-outline">
          <span style={{ width: `${52 - ((at * 17) % 29)}%` }} />
        </div>
      ))}
    </div>
  )
}

interface TroubleProps {
  readonly problem: string
  readonly onAgain: () => void
}

const Trouble = ({ problem, onAgain }: TroubleProps): ReactNode => (
  <p className="rows-trouble" role="alert">
    {problem}
    <button type="button" className="button button-line" onClick={onAgain}>
      Try again
    </button>
  </p>
)
