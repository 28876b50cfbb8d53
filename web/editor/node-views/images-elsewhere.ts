/**
 * Whether images from other hosts may load in this document: the reader says so once, this browser
 * remembers it for the document. Until then no host learns that the document was read.
 */
import { createStore, type Readable } from '../../platform/store.ts'

export interface ImagesElsewhere {
  readonly isAllowed: Readable<boolean>
  allow(): void
}

export function imagesElsewhere(slug: string): ImagesElsewhere {
  const key = `images:${slug}`
  const isAllowed = createStore(remembered(key))
  return {
    isAllowed,
    allow() {
      isAllowed.set(true)
      try {
        localStorage.setItem(key, 'load')
      } catch {
        // A browser without storage asks again next time.
      }
    },
  }
}

function remembered(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'load'
  } catch {
    return false
  }
}
