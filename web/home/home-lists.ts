/**
 * What home shows: one's lists, kept for as long as the page is open, and which of them is shown.
 * The address says it behind the #, so that going back and a reload lead to the same.
 */
import { documentPage, type ListName } from '../api/library.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { DocumentList } from './document-list.ts'

/** `recent`: what was opened in this browser. */
export type ListTab = Exclude<ListName, 'everywhere'> | 'recent'

export const tabNames: Readonly<Record<ListTab, string>> = {
  mine: 'My documents',
  shared: 'Shared with me',
  recent: 'Recent',
  archived: 'Archived',
}

export type Lists = Readonly<Record<ListName, DocumentList>>

/** Those that are the same in whatever folder one is. */
export function openLists(): Omit<Lists, 'mine'> {
  const list = (name: ListName) => new DocumentList((after) => documentPage(name, { after }))
  return { everywhere: list('everywhere'), shared: list('shared'), archived: list('archived') }
}

/** What stands right in a folder of one's own, or in none. */
export const listIn = (folder: string | undefined): DocumentList =>
  new DocumentList((after) => documentPage('mine', { after, folder }))

const isPlace = (name: string): name is ListTab => Object.hasOwn(tabNames, name)

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** What the address asks for. */
export const currentTab: Readable<ListTab | undefined> = {
  get() {
    const [name = ''] = location.hash.slice(1).split('/')
    return isPlace(name) ? name : undefined
  },
  subscribe,
}

/** The folder of one's own that it asks for. */
export const currentFolder: Readable<string | undefined> = {
  get: () => /^#mine\/(lf_[\w-]+)$/.exec(location.hash)?.[1],
  subscribe,
}

export const addressOfFolder = (id: string | undefined): string =>
  id === undefined ? '#mine' : `#mine/${id}`

/** Counts changes of what this browser remembers. */
export const recentChanges = createStore(0)
