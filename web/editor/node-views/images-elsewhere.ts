/**
 * Whether images from other hosts may load in this document: the reader says so once, this browser
 * remembers it for the document. Until then no host learns that the document was read.
 */
import { readItem, writeItem } from '../../platform/device-storage.ts'
import { createStore, type Readable } from '../../platform/store.ts'

export interface ImagesElsewhere {
  readonly isAllowed: Readable<boolean>
  allow(): void
}

export function imagesElsewhere(slug: string): ImagesElsewhere {
  const key = `images:${slug}`
  const isAllowed = createStore(readItem(key) === 'load')
  return {
    isAllowed,
    allow() {
      isAllowed.set(true)
      // A browser without storage asks again next time.
      writeItem(key, 'load')
    },
  }
}
