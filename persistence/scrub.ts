/**
 * Reads every record of a store and names what is wrong at this level: bytes that fail their
 * checksum, and keys that no layout knows. Whether the records of a document belong together is for
 * core to say.
 */
import { parseKey } from './keys.ts'
import { type Store, StoreDamage } from './store.ts'

export interface ScrubFinding {
  readonly key: string
  readonly problem: 'damaged' | 'quarantined' | 'unknown key'
  /** The last key of those out of service. */
  readonly upTo?: string
}

/** Findings in key order; when the engine cannot read on, one last finding says after which key. */
export async function* scrubStore(store: Store): AsyncGenerator<ScrubFinding> {
  try {
    for await (const record of store.scanRaw({})) {
      const { key } = record
      if ('upTo' in record) yield { key, problem: 'quarantined', upTo: record.upTo }
      else if ('damaged' in record) yield { key, problem: 'damaged' }
      else if (parseKey(key) === undefined) yield { key, problem: 'unknown key' }
    }
  } catch (error) {
    if (!(error instanceof StoreDamage)) throw error
    yield { key: error.key, problem: 'damaged' }
  }
}
