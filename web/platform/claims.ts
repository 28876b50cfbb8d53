/**
 * What became of documents that this browser claimed by their creator's share address: it is said
 * until it was read, and what was given back is not claimed again.
 */
import { readItem, writeItem } from './device-storage.ts'
import { createStore, type Readable } from './store.ts'

const givenBack = 'given back'
/** As long as the service takes it back. */
const shownForMs = 24 * 3_600_000

const keyOf = (slug: string): string => `claimed:${slug}`
const changes = createStore(0)

/** Counts up with each change. */
export const claimChanges: Readable<number> = changes

function write(slug: string, value: string): void {
  writeItem(keyOf(slug), value)
  changes.set(changes.get() + 1)
}

/** Whether there is still something to say. */
export function isNewlyClaimed(slug: string): boolean {
  const at = Number(readItem(keyOf(slug)) ?? Number.NaN)
  return at > 0 && Date.now() - at < shownForMs
}

export const wasGivenBack = (slug: string): boolean => readItem(keyOf(slug)) === givenBack

export const rememberClaim = (slug: string): void => write(slug, String(Date.now()))
export const rememberGivenBack = (slug: string): void => write(slug, givenBack)
/** It was read. */
export const settleClaim = (slug: string): void => write(slug, '0')
