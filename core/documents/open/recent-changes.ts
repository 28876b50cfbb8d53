/**
 * What the newest revisions changed in the text, so that an edit on a stale base can be told where
 * others have written since. Bounded; older revisions are read from their history rows. Most are
 * of a key or two, and many documents are open: those are kept as a few bytes each.
 */
import { type Limits, limits } from '../../../schema/limits.ts'
import { composed, type TextChange, type TextSplice } from '../../text/text-change.ts'

interface Entry {
  readonly revision: number
  readonly change: TextChange
}

/** As JSON: the revision, then `at`, `remove` and `insert` of each splice. */
type Packed = string

/** Of a change that is packed. */
const smallSplices = 4
const smallChars = 64

export class RecentChanges {
  readonly #limits: Limits
  /** Everything after this revision is kept. */
  #from: number
  /** May still be told anew. */
  #newest: Entry | undefined
  readonly #older: (Packed | Entry)[] = []
  #chars = 0

  constructor(revision: number, bounds: Limits = limits) {
    this.#limits = bounds
    this.#from = revision
  }

  get keptFrom(): number {
    return this.#from
  }

  /** All that `revision`, the newest, has changed so far: one that is open changes more. */
  push(revision: number, change: TextChange): void {
    const last = this.#newest
    // Of an edit in several writes each says all of it.
    if (last?.revision === revision && last.change === change) return
    if (last?.revision === revision) this.#chars -= charsOf(last.change)
    else if (last !== undefined) this.#older.push(packed(last))
    this.#newest = { revision, change }
    this.#chars += charsOf(change)
    const { recentChangesMax: most, recentChangesMaxChars: mostChars } = this.#limits
    while (this.#older.length >= most || this.#chars > mostChars) this.#forgetOldest()
  }

  /** From the text of that revision to the text now; undefined when it is too old to be known. */
  since(base: number): TextChange | undefined {
    if (base < this.#from) return undefined
    let since: TextChange = []
    const newest = this.#newest === undefined ? [] : [this.#newest]
    for (const kept of [...this.#older, ...newest]) {
      const { revision, change } = unpacked(kept)
      if (revision > base) since = composed(since, change)
    }
    return since
  }

  #forgetOldest(): void {
    const kept = this.#older.shift() ?? this.#newest
    if (kept === undefined) return
    if (kept === this.#newest) this.#newest = undefined
    const { revision, change } = unpacked(kept)
    this.#chars -= charsOf(change)
    this.#from = revision
  }
}

function packed(entry: Entry): Packed | Entry {
  const { revision, change } = entry
  if (change.length > smallSplices || charsOf(change) > smallChars) return entry
  const flat: (number | string)[] = [revision]
  for (const { at, remove, insert } of change) flat.push(at, remove, insert)
  return JSON.stringify(flat)
}

function unpacked(kept: Packed | Entry): Entry {
  if (typeof kept !== 'string') return kept
  const [revision, ...flat] = JSON.parse(kept)
  const change: TextSplice[] = []
  for (let index = 0; index < flat.length; index += 3) {
    const [at, remove, insert] = flat.slice(index, index + 3)
    change.push({ at, remove, insert })
  }
  return { revision, change }
}

const charsOf = (change: TextChange): number =>
  change.reduce((sum, { insert }) => sum + insert.length, 0)
