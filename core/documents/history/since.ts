/**
 * Which blocks are not as they were in an earlier revision (extensions §12): those that came, went
 * or read otherwise now, and who had a hand in it. A change that was taken back is none.
 */
import { docHistory } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { rebuildText, rowsIn } from '../../commit/history-text.ts'
import { fingerprintOf } from '../open/row-blocks.ts'
import type { AuthorRun, DocumentView, ReadWish } from '../views/document-view.ts'
import type { BlockChanged, BlockDifference } from './comparisons.ts'

const historyLookedThroughBytes = 16 * 1024 * 1024

/** Since which revision, and the document as it is now. */
export interface SinceParts {
  readonly revision: number
  /** Does the work and counts its time. */
  timed<T>(work: () => T): T
  read(wish: ReadWish): Promise<DocumentView>
}

/** The blocks that stand in the order of the document, then those that went. */
export async function changedSince(
  store: Store,
  { revision, timed, read }: SinceParts,
): Promise<BlockDifference> {
  const wish = { markdown: true, contentBlocks: true }
  const view = await read(wish)
  const touched = await touchedSince(store, view, revision)
  if (touched !== undefined) {
    return { to: view.revision, changes: timed(() => byRows(view, touched)) }
  }
  // It may be a newer one.
  const credited = await read({ ...wish, authorship: true })
  const text = (await rebuildText(store, view.slug, revision)) ?? ''
  return { to: credited.revision, changes: timed(() => byText(credited, text)) }
}

function byRows(
  view: DocumentView,
  touched: ReadonlyMap<BlockId, Touched>,
): readonly BlockChanged[] {
  const changes: BlockChanged[] = []
  const stand = new Set<BlockId>()
  const { markdown } = view
  for (const { id, range } of view.contentBlocks()) {
    const one = id === null ? undefined : touched.get(id)
    if (id === null || one === undefined) continue
    stand.add(id)
    const { before, actors } = one
    if (before === null) changes.push({ id, kind: 'added', actors: [...actors] })
    else if (before !== fingerprintOf(markdown.slice(range.from, range.to))) {
      changes.push({ id, kind: 'changed', actors: [...actors] })
    }
  }
  for (const [id, { before, actors }] of touched) {
    if (before !== null && !stand.has(id))
      changes.push({ id, kind: 'deleted', actors: [...actors] })
  }
  return changes
}

interface Touched {
  /** What stood there in the earlier revision; null: no such block. */
  readonly before: string | null
  readonly actors: Set<ActorId>
}

/** Undefined: too much happened since, or some rows do not tell. */
async function touchedSince(
  store: Store,
  { slug, revision: newest }: DocumentView,
  revision: number,
): Promise<ReadonlyMap<BlockId, Touched> | undefined> {
  if (newest - revision > limits.historyLookedThroughMax) return undefined
  const touched = new Map<BlockId, Touched>()
  const range = { slug, gte: docHistory(slug, revision + 1), lte: docHistory(slug, newest) }
  let read = 0
  for await (const { row, bytes } of rowsIn(store, range)) {
    read += bytes
    if (read > historyLookedThroughBytes) return undefined
    if (row.blocks === undefined && row.splices.length > 0) return undefined
    for (const [id, before] of row.blocks ?? []) {
      const known = touched.get(id)
      const one = known ?? { before, actors: new Set() }
      if (known === undefined) touched.set(id, one)
      for (const actor of row.actors) one.actors.add(actor)
    }
  }
  return touched
}

/** As well as can be told by the lines of the earlier `text`: of who stands, by its authors. */
function byText(view: DocumentView, text: string): readonly BlockChanged[] {
  const lines = new Set(text.split('\n'))
  const authorship = view.authorship()
  const { markdown } = view
  const changes: BlockChanged[] = []
  for (const { id, range } of view.contentBlocks()) {
    const quote = markdown.slice(range.from, range.to)
    if (id === null || quote.split('\n').every((line) => lines.has(line))) continue
    changes.push({ id, kind: 'changed', actors: authorsIn(authorship, range) })
  }
  return changes
}

function authorsIn(
  runs: readonly AuthorRun[],
  { from, to }: { readonly from: number; readonly to: number },
): ActorId[] {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.to ?? 0) <= from) low = middle + 1
    else high = middle
  }
  const authors = new Set<ActorId>()
  for (let run = runs[low]; run !== undefined && run.from < to; run = runs[++low]) {
    authors.add(run.author)
  }
  return [...authors]
}
