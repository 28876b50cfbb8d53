/**
 * Opens a stored document: verifies that its records are whole and fit together (snapshot hash, log
 * chain, count of the small records), then rebuilds its state. Anything that does not fit is
 * `DOC_DAMAGED`: the document is out of service and wrong bytes are never served.
 */
import type * as Y from 'yjs'
import {
  type DocSection,
  docHead,
  docLogFrom,
  docRange,
  docSectionRange,
  docSnapshot,
  parseKey,
} from '../../../persistence/keys.ts'
import type { Store, Version } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { costOfStored } from '../../../schema/memory-cost.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { DocumentDamage, intact, undamaged } from '../../commit/damage.ts'
import { decodeHead, type Head } from '../../commit/head.ts'
import { rebuildText } from '../../commit/history-text.ts'
import { DocumentJournal } from '../../commit/journal.ts'
import { chainHash, decodeLogRecord } from '../../commit/log-record.ts'
import type { StoredRecord } from '../../commit/participant.ts'
import { RecordTally } from '../../commit/record-tally.ts'
import { snapshotWrites } from '../../yjs/loading.ts'
import { applyDividing } from '../guard/dividing.ts'
import { DocumentState } from '../state/document-state.ts'

export interface StoredDocument {
  readonly head: Head
  readonly headVersion: Version
  readonly snapshot: Uint8Array
  readonly updates: readonly Uint8Array[]
  readonly logBytes: number
  /** By the participant's section. */
  readonly records: ReadonlyMap<DocSection, readonly StoredRecord[]>
  readonly tally: RecordTally
}

/** What it will cost in memory to open it. Refuses DOC_NOT_FOUND and DOC_DAMAGED. */
export async function weighStored(store: Store, slug: Slug): Promise<number> {
  const stored = await undamaged(slug, () => store.get(docHead(slug)))
  if (stored === undefined) return missing(store, slug)
  const { weight } = servedHead(slug, stored.value)
  // The snapshot is held beside the document.
  if (weight !== undefined) return weight * 1.25
  const snapshot = await undamaged(slug, () => store.get(docSnapshot(slug)))
  return costOfStored(snapshot?.value.length ?? 0)
}

/** What is being purged is not there any more, whatever of it is left. */
function servedHead(slug: Slug, value: Uint8Array): Head {
  const head = decodeHead(slug, value)
  if (head.life.state === 'purging') throw new Refusal('DOC_NOT_FOUND', { slug })
  return head
}

/** Reads and verifies all that opening needs. Refuses DOC_NOT_FOUND and DOC_DAMAGED. */
export const readStored = (
  store: Store,
  slug: Slug,
  sections: readonly DocSection[],
): Promise<StoredDocument> => undamaged(slug, () => readIntact(store, slug, sections))

async function readIntact(
  store: Store,
  slug: Slug,
  sections: readonly DocSection[],
): Promise<StoredDocument> {
  await assertInService(store, slug)
  const stored = await store.get(docHead(slug))
  if (stored === undefined) return missing(store, slug)
  const head = servedHead(slug, stored.value)
  const snapshot = await store.get(docSnapshot(slug))
  intact(slug, snapshot !== undefined, 'the snapshot is missing')
  intact(slug, chainHash(snapshot.value) === head.snapshotHash, 'the snapshot is another one')
  let seq = head.snapshotSeq
  let chain = head.snapshotHash
  let logBytes = 0
  const updates: Uint8Array[] = []
  for await (const { value } of store.scan(docLogFrom(slug, seq + 1))) {
    const record = decodeLogRecord(value)
    seq++
    intact(slug, record.seq === seq, `log record ${seq} is missing`)
    intact(slug, record.previous === chain, `log record ${seq} does not follow the one before`)
    chain = chainHash(value)
    logBytes += value.length
    updates.push(...record.updates)
  }
  intact(slug, seq === head.seq && chain === head.chain, 'the log does not end where the head says')
  const tally = new RecordTally()
  const records = new Map<DocSection, StoredRecord[]>()
  for (const section of sections) {
    const found: StoredRecord[] = []
    for await (const { key, value } of store.scan(docSectionRange(slug, section))) {
      found.push({ path: parseKey(key)?.path ?? [], value })
      tally.put(key, value)
    }
    records.set(section, found)
  }
  intact(slug, tally.equals(head.tally), `a record of ${sections.join(', ')} is missing`)
  const { version: headVersion } = stored
  return { head, headVersion, snapshot: snapshot.value, updates, logBytes, records, tally }
}

/**
 * Throws StoreDamage where the store knows that it lost some of the document's keys, though what is
 * asked next may need none of those.
 */
export async function assertInService(store: Store, slug: Slug): Promise<void> {
  for await (const _ of store.scan({ ...docRange(slug), limit: 1 })) break
}

/** No head: a document that never was, or one whose head is gone while other records are left. */
async function missing(store: Store, slug: Slug): Promise<never> {
  const left = await store.get(docSnapshot(slug))
  if (left !== undefined) throw new DocumentDamage(slug, 'the head is missing')
  throw new Refusal('DOC_NOT_FOUND', { slug })
}

/** A state and its journal out of verified records. `working`: told before it is built. */
export async function loadDocument(
  store: Store,
  slug: Slug,
  { runtime, working }: { readonly runtime: Runtime; readonly working?: (() => void) | undefined },
): Promise<{ state: DocumentState; journal: DocumentJournal }> {
  const state = new DocumentState(runtime)
  const { participants } = state
  const sections = participants.map(({ section }) => section)
  const stored = await readStored(store, slug, sections)
  for (const participant of participants) {
    participant.load(stored.records.get(participant.section) ?? [])
  }
  working?.()
  state.load(writesOf(stored))
  intact(slug, !state.lacksStructs, 'the log refers to what is not there')
  const journal = new DocumentJournal({
    store,
    slug,
    head: stored.head,
    headVersion: stored.headVersion,
    tally: stored.tally,
    logRecords: stored.head.seq - stored.head.snapshotSeq,
    logBytes: stored.logBytes,
    snapshot: stored.snapshot,
  })
  return { state, journal }
}

/**
 * The text of the newest revision where another version of the service printed it otherwise, which
 * its length tells; undefined where nothing changed. A revision that was read stays as it was read.
 */
export async function textPrintedBefore(
  store: Store,
  { state, journal }: { readonly state: DocumentState; readonly journal: DocumentJournal },
): Promise<string | undefined> {
  const { chars, revision } = journal.head
  if (chars === undefined || chars === state.text.length) return undefined
  const before = await rebuildText(store, journal.slug, revision)
  return before === state.text.toString() ? undefined : before
}

function writesOf({ snapshot, updates }: StoredDocument): ((ydoc: Y.Doc) => void)[] {
  return [
    ...snapshotWrites(snapshot),
    ...updates.map((update) => (ydoc: Y.Doc) => applyDividing(ydoc, update)),
  ]
}
