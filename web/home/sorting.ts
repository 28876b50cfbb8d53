/** In which order documents stand on home; remembered on this device. */
import { readItem, writeItem } from '../platform/device-storage.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { type ListEntry, shownTitle } from './list-entry.ts'

export type Order = 'created' | 'edited' | 'name'

export const orderNames: Readonly<Record<Order, string>> = {
  created: 'Newest first',
  edited: 'Last edited',
  name: 'Name',
}

const key = 'home-order'
const isOrder = (name: string | undefined): name is Order =>
  name !== undefined && Object.hasOwn(orderNames, name)

const kept = readItem(key)
const chosen = createStore<Order>(isOrder(kept) ? kept : 'created')

export const order: Readable<Order> = chosen

export function setOrder(next: string): void {
  if (!isOrder(next)) return
  writeItem(key, next)
  chosen.set(next)
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** As they came where they are the same. */
export function sorted(rows: readonly ListEntry[], by: Order): readonly ListEntry[] {
  switch (by) {
    case 'created':
      return rows.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
    case 'edited':
      return rows.toSorted((a, b) => b.at - a.at)
    case 'name':
      return rows.toSorted((a, b) => byName.compare(shownTitle(a), shownTitle(b)))
  }
}
