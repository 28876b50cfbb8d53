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

export function writeItem(key: string, value: string, storage: StorageName = 'localStorage'): void {
  try {
    window[storage].setItem(key, value)
  } catch {
    return
  }
}
