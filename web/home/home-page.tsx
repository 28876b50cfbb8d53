/**
 * Home: one's documents in lists, found by their titles as one types. Without an account, what was
 * opened in this browser; in a browser that opened nothing yet, what this is.
 */
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { AccountLayer } from '../account/account-layer.tsx'
import { type Account, waysAndAccount } from '../api/account.ts'
import { ApiError } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import { NoticeRegion } from '../app/notice-region.tsx'
import { HomeWaiting } from '../inbox/home-waiting.tsx'
import { notify } from '../platform/notices.ts'
import { recentFor } from '../platform/recent-documents.ts'
import { useStore } from '../platform/store.ts'
import { nobody, rememberActor, rememberedActor } from '../platform/this-browser.ts'
import { GuestLine } from './guest-line.tsx'
import { HomeBar } from './home-bar.tsx'
import {
  currentFolder,
  currentTab,
  type ListTab,
  listIn,
  openLists,
  recentChanges,
  tabNames,
} from './home-lists.ts'
import { DocumentRows } from './rows.tsx'
import { order, orderNames, setOrder } from './sorting.ts'
import { Welcome } from './welcome.tsx'

const NewFolder = lazy(async () => ({
  default: (await import('./folder-row.tsx')).NewFolder,
}))

/** `undefined`: the service has not said yet. */
export type Present = { readonly account: Account | undefined } | undefined

export function HomePage() {
  const [present, setPresent] = useState<Present>(knownWithoutAsking)
  const folder = useStore(currentFolder)
  const others = useMemo(openLists, [])
  const mine = useMemo(() => listIn(folder), [folder])
  const lists = useMemo(() => ({ ...others, mine }), [others, mine])
  const [query, setQuery] = useState('')
  const asked = useStore(currentTab)
  useStore(recentChanges)
  useEffect(followRecent, [])
  useEffect(() => {
    waysAndAccount().then(
      ({ account }) => {
        rememberActor(account?.actor_id ?? nobody)
        setPresent({ account })
      },
      // Nobody said who this is; what the browser remembers is here all the same.
      (error) => {
        setPresent({ account: undefined })
        const isOffline = error instanceof ApiError && error.code === 'OFFLINE'
        if (!isOffline) notify(troubleWords(error), 'problem')
      },
    )
  }, [])
  const account = present?.account
  const places: readonly ListTab[] =
    present !== undefined && account === undefined
      ? ['recent']
      : ['mine', 'shared', 'recent', 'archived']
  const place = asked !== undefined && places.includes(asked) ? asked : (places[0] ?? 'recent')
  const recent = recentFor(account?.actor_id ?? undefined)
  const isNew = places.length === 1 && recent.length === 0
  const changed = (now: Account) => {
    setPresent({ account: now })
    for (const list of Object.values(lists)) void list.refresh()
  }
  return (
    <>
      <HomeBar
        account={present && (account ?? 'nobody')}
        query={isNew ? undefined : query}
        onQuery={setQuery}
      />
      {isNew ? (
        <Welcome />
      ) : (
        <main className="library" id="documents">
          <h1 className="visually-hidden">Documents</h1>
          {account === undefined ? null : <HomeWaiting actor={account.actor_id} />}
          {account?.guest === true ? <GuestLine account={account} /> : null}
          {places.length === 1 ? (
            <h2 className="library-heading">Recent in this browser</h2>
          ) : (
            <PlaceTabs places={places} place={place}>
              <SortMenu />
              {place === 'mine' && account !== undefined ? (
                <Suspense>
                  <NewFolder folder={folder} list={mine} />
                </Suspense>
              ) : null}
            </PlaceTabs>
          )}
          <DocumentRows
            lists={lists}
            place={place}
            recent={recent}
            query={query}
            account={account}
          />
        </main>
      )}
      <AccountLayer
        account={account}
        onSignedIn={changed}
        onSettled={() => void lists.mine.refresh()}
      />
      <NoticeRegion />
    </>
  )
}

/** What other pages of this browser remember is shown at once. */
function followRecent(): () => void {
  const look = () => recentChanges.set(recentChanges.get() + 1)
  window.addEventListener('storage', look)
  window.addEventListener('pageshow', look)
  return () => {
    window.removeEventListener('storage', look)
    window.removeEventListener('pageshow', look)
  }
}

/** Who was nobody the last time is nobody until the service says otherwise. */
const knownWithoutAsking = (): Present =>
  rememberedActor() === nobody ? { account: undefined } : undefined

const SortMenu = () => (
  <select
    className="sort"
    aria-label="Sort by"
    value={useStore(order)}
    onChange={(event) => setOrder(event.target.value)}
  >
    {Object.entries(orderNames).map(([name, label]) => (
      <option key={name} value={name}>
        {label}
      </option>
    ))}
  </select>
)

interface PlaceTabsProps {
  readonly places: readonly ListTab[]
  readonly place: ListTab
  /** At the end of the line: what can be done in this list. */
  readonly children: ReactNode
}

const PlaceTabs = ({ places, place, children }: PlaceTabsProps) => (
  <div className="places-line">
    <nav className="places" aria-label="Lists">
      {places.map((name) => (
        <a key={name} href={`#${name}`} aria-current={name === place ? 'page' : undefined}>
          {tabNames[name]}
        </a>
      ))}
    </nav>
    <div className="places-actions">{children}</div>
  </div>
)
