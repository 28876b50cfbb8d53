/**
 * Which blobs there are against which are referred to, in one walk over both in their order, so
 * that it takes no memory however many there are.
 */
import type { BlobId } from './blob-pieces.ts'
import type { BlobStore } from './blob-store.ts'
import { blobReferences, parseKey } from './keys.ts'
import type { Store } from './store.ts'

export interface BlobFinding {
  readonly id: string
  readonly problem: 'missing' | 'unreferenced'
}

/** In the order of ids. Throws `StoreDamage` where it cannot be told what is referred to. */
export async function* compareBlobs(
  store: Store,
  blobs: Pick<BlobStore, 'list'>,
): AsyncGenerator<BlobFinding> {
  const referred = referredIds(store)
  const there = blobs.list()
  let wanted = await referred.next()
  let found = await there.next()
  while (wanted.done !== true || found.done !== true) {
    if (found.done === true || (wanted.done !== true && wanted.value < found.value)) {
      yield { id: String(wanted.value), problem: 'missing' }
      wanted = await referred.next()
    } else if (wanted.done === true || found.value < wanted.value) {
      yield { id: found.value, problem: 'unreferenced' }
      found = await there.next()
    } else {
      wanted = await referred.next()
      found = await there.next()
    }
  }
}

/** Each once. */
async function* referredIds(store: Store): AsyncGenerator<string> {
  let last = ''
  for await (const { key } of store.scan(blobReferences())) {
    const id = parseKey(key)?.path[1] ?? ''
    if (id !== last) yield id
    last = id
  }
}

/** Whether anything refers to it. */
export async function isReferred(store: Store, id: BlobId): Promise<boolean> {
  for await (const _ of store.scan({ ...blobReferences(id), limit: 1 })) return true
  return false
}
