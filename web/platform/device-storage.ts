/**
 * Small strings that this browser keeps: `localStorage` for all its pages, `sessionStorage` for
 * one tab. A browser may forbid either; then nothing is found or kept, and that is no error.
 */

export type StorageName = 'localStorage' | 'sessionStorage'

export function readItem(key: string, storage: StorageName = 'localStorage'): string | undefined {
  try {
    return window[storage].getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** A list that was written as JSON, of those of its items that are what they should be. */
export function readList<Item>(key: string, isItem: (value: unknown) => value is Item): Item[] {
  try {
    const found: unknown = JSON.parse(readItem(key) ?? '[]')
    return Array.isArray(found) ? found.filter(isItem) : []
  } catch {
    return []
  }
}

export function writeItem(key: string, value: string, storage: StorageName = 'localStorage'): void {
  try {
    window[storage].setItem(key, value)
  } catch {
    return
  }
}
