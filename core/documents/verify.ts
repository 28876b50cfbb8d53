/**
 * Whether a stored document is whole: records fit together, it loads, its history is dense, its
 * newest text as rebuilt from history is the text that the document has, plain reads are told what
 * it says, and its characters are marked as theirs whom the records name. For scrub.
 */
import {
  docFarThreads,
  docHistory,
  docSectionRange,
  docText,
  docView,
} from '../../persistence/keys.ts'
import { type Store, StoreDamage } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { DocumentDamage, intact } from '../commit/damage.ts'
import type { Head } from '../commit/head.ts'
import { factsOf } from '../commit/head.ts'
import { openHistoryRow } from '../commit/history-row.ts'
import { rebuildText } from '../commit/history-text.ts'
import { chainHash } from '../commit/log-record.ts'
import { loadDocument, textPrintedBefore } from './open/load.ts'
import type { DocumentState } from './state/document-state.ts'
import { decodeView, encodeView } from './views/stored-view.ts'
import { Views } from './views/views.ts'

/** What is wrong with it, for an operator; undefined: nothing. */
export async function verifyDocument(
  store: Store,
  slug: Slug,
  runtime: Runtime,
): Promise<string | undefined> {
  try {
    const loaded = await loadDocument(store, slug, { runtime })
    const { state, journal } = loaded
    const { revision, chars } = journal.head
    await verifyHistory(store, slug, revision)
    const before = await textPrintedBefore(store, loaded)
    const text = await rebuildText(store, slug, revision)
    const isText = before === undefined ? text === state.text.toString() : text?.length === chars
    intact(slug, isText, 'the history does not lead to the present text')
    const falseMark = state.authorship.falseMark(state.fragment)
    intact(slug, falseMark === undefined, `an author's mark is false: ${falseMark}`)
    const view = await viewOf(store, slug, journal.head)
    // Where an earlier version printed the text otherwise, its view does too, until somebody comes.
    if (view !== undefined && before === undefined) {
      await verifyView(store, slug, { state, head: journal.head, view })
    }
    for (const participant of state.participants) {
      const problem = participant.verify?.()
      intact(slug, problem === undefined, problem ?? '')
    }
    state.destroy()
    return undefined
  } catch (error) {
    if (error instanceof DocumentDamage) return error.found
    // It is being purged: what is left of it need not fit together.
    if (error instanceof Refusal && error.code === 'DOC_NOT_FOUND') return undefined
    if (error instanceof StoreDamage) return error.message
    throw error
  }
}

/** What plain reads are told, if it is there. */
async function viewOf(store: Store, slug: Slug, head: Head): Promise<Uint8Array | undefined> {
  if (head.view === undefined) return undefined
  const stored = await store.get(docView(slug))
  intact(slug, stored !== undefined, 'the stored view is missing')
  intact(slug, chainHash(stored.value) === head.view.hash, 'the stored view is another one')
  // Of an older format: nobody reads it any more.
  return decodeView(stored.value) === undefined ? undefined : stored.value
}

interface ViewToVerify {
  readonly state: DocumentState
  readonly head: Head
  readonly view: Uint8Array
}

async function verifyView(
  store: Store,
  slug: Slug,
  { state, head, view }: ViewToVerify,
): Promise<void> {
  const { revision, changedAt } = head
  const { writers } = state.authorship
  const threads = state.threads.now()
  const moment = { revision, changedAt, facts: factsOf(slug, head), writers, threads }
  const views = new Views(state, () => moment)
  const said = encodeView(views.current().describe())
  intact(slug, Buffer.compare(said.view, view) === 0, 'the stored view says something else')
  if (said.far === undefined) return
  const far = await store.get(docFarThreads(slug))
  const isSame = far !== undefined && Buffer.compare(said.far, far.value) === 0
  intact(slug, isSame, 'the stored view says something else of threads')
}

async function verifyHistory(store: Store, slug: Slug, newest: number): Promise<void> {
  let next = 1
  for await (const { key, value } of store.scan(docSectionRange(slug, 'history'))) {
    const { revision, original } = openHistoryRow(value)
    const isNext = key === docHistory(slug, next) && revision === next
    intact(slug, isNext, `the history row of revision ${next} is missing`)
    const isReadable =
      original === undefined || (await store.get(docText(slug, original))) !== undefined
    intact(slug, isReadable, `the text of revision ${original}, which is copied, is missing`)
    next++
  }
  intact(slug, next === newest + 1, `the history row of revision ${next} is missing`)
}
