/**
 * What home shows: one's lists, kept for as long as the page is open, and which of them is shown.
 * The address says it behind the #, so that going back and a reload lead to the same.
 */
import { documentPage, type ListName } from '../api/library.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { DocumentList } from './document-list.ts'

/** `recent`: what was opened in this browser. */
export type Place = ListName | 'recent'

export const placeNames: Readonly<Record<Place, string>> = {
  mine: 'My documents',
  shared: 'Shared with me',
  recent: 'Recent here',
  archived: 'Archived',
}

export type Lists = Readonly<Record<ListName, DocumentList>>

export function openLists(): Lists {
  const list = (name: ListName) => new DocumentList((after) => documentPage(name, after))
  return { mine: list('mine'), shared: list('shared'), archived: list('archived') }
}

const isPlace = (name: string): name is Place => Object.hasOwn(placeNames, name)

/** What the address asks for. */
export const askedPlace: Readable<Place | undefined> = {
  get() {
    const name = location.hash.slice(1)
    return isPlace(name) ? name : undefined
  },
  subscribe(listener) {
    window.addEventListener('hashchange', listener)
    return () => window.removeEventListener('hashchange', listener)
  },
}

/** Counts changes of what this browser remembers. */
export const recentChanges = createStore(0)
