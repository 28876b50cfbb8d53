/**
 * Which layout of keys a store has, and how an older one becomes this one when it is opened. A
 * store says so in `meta/format`; one with records and without it has layout 1. A migration first
 * writes all records of the new layout beside the old ones; the commit that says so makes the new
 * ones count, and only then the old ones go. Cut off before that commit, it begins anew; after it,
 * it goes on. A service that does not know a layout does not open it.
 */
import type { Runtime } from '../schema/runtime.ts'
import { epochKey, newEpoch } from './epoch.ts'
import { metaKey } from './keys.ts'
import { toLayout2 } from './layout-2.ts'
import { type Store, StoreDamage } from './store.ts'
import { StoreNotEmpty, UnfinishedCopy, UnknownLayout } from './store-errors.ts'

export const formatKey = metaKey('format')

/** The one that keys.ts spells. */
export const layout = 2

interface Format {
  readonly layout: number
  /** Keys of the layout before are still there. */
  readonly hasLeftovers?: true
  /** A copy is being written into it. */
  readonly isCopying?: true
}

/** Says that the copy in it is whole. */
export const wholeFormat = (): Uint8Array => encode({ layout })

const encode = (format: Format): Uint8Array => Buffer.from(JSON.stringify(format))

const decode = (value: Uint8Array): Format => JSON.parse(Buffer.from(value).toString())

/**
 * Brings a store to today's layout, before anything else reads or writes it; an empty one begins
 * with it, and with an epoch. Throws `UnknownLayout` for a newer one, `UnfinishedCopy` where a copy
 * into it was cut off, and `StoreDamage` where what would have to move is damaged.
 */
export async function ensureLayout(
  store: Store,
  runtime: Runtime,
  { mayBeOlder = true, isCopy = false }: LayoutOptions = {},
): Promise<void> {
  const stored = await store.get(formatKey)
  const format = stored && decode(stored.value)
  if (isCopy) return beginCopy(store, format)
  if (format?.isCopying === true) throw new UnfinishedCopy()
  if (format === undefined && (await isEmpty(store))) {
    await store.commit({
      checks: [{ key: formatKey, version: undefined }],
      puts: [
        { key: formatKey, value: encode({ layout }) },
        { key: epochKey, value: newEpoch(runtime) },
      ],
    })
    return
  }
  if (format !== undefined && format.layout !== layout) throw new UnknownLayout(format.layout)
  if (format === undefined && !mayBeOlder) throw new StoreDamage(formatKey, 'it is missing')
  if (format === undefined) {
    await toLayout2.write(store)
    await store.commit({
      puts: [{ key: formatKey, value: encode({ layout, hasLeftovers: true }) }],
    })
  }
  if (format === undefined || format.hasLeftovers === true) {
    await toLayout2.clean(store)
    await store.commit({ puts: [{ key: formatKey, value: encode({ layout }) }] })
  }
}

export interface LayoutOptions {
  /** False where the engine knows that it says its layout. */
  readonly mayBeOlder?: boolean | undefined
  /** It is opened to copy another store into it. */
  readonly isCopy?: boolean | undefined
}

/**
 * An empty store is marked until its copy is whole; of one whose copy was cut off the records go.
 * Throws `StoreNotEmpty` for any other.
 */
async function beginCopy(store: Store, format: Format | undefined): Promise<void> {
  if (format === undefined ? !(await isEmpty(store)) : format.isCopying !== true) {
    throw new StoreNotEmpty()
  }
  await store.commit({ puts: [{ key: formatKey, value: encode({ layout, isCopying: true }) }] })
  await store.deleteRange({ lt: formatKey })
  await store.deleteRange({ gt: formatKey })
}

async function isEmpty(store: Store): Promise<boolean> {
  for await (const _ of store.scanRaw({ limit: 1 })) return false
  return true
}
