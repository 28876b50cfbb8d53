/**
 * A value that outlives React: set by what happens, read by the components that show it. A
 * component that selects a part is drawn again only when that part changes.
 */
import { useSyncExternalStore } from 'react'

export interface Readable<T> {
  get(): T
  /** Calls `listener` after each change; returns how to stop. */
  subscribe(listener: () => void): () => void
}

export interface Store<T> extends Readable<T> {
  /** Tells the listeners unless `next` is the value already there. */
  set(next: T): void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The store's value in a component. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** A part of the store's value; `select` must return the same object for the same value. */
export function useSelected<T, S>(store: Readable<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}
