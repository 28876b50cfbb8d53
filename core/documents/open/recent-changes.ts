/**
 * What the newest revisions changed in the text, so that an edit on a stale base can be told where
 * others have written since. Bounded; older revisions are read from their history rows. Most are
 * of a key or two, and many documents are open: those are kept as text, many in one piece.
 */
import { type Limits, limits } from '../../../schema/limits.ts'
import { composed, type TextChange, type TextSplice } from '../../text/text-change.ts'

interface Entry {
  readonly revision: number
  readonly change: TextChange
}

/** As JSON: the revision, then `at`, `remove` and `insert` of each splice. */
type Packed = string

/** Consecutive entries, forgotten together. */
interface Passage {
  /** Packed with commas between, or one that is too large for that. */
  readonly kept: Packed | Entry
  readonly count: number
  readonly chars: number
  /** Of the last. */
  readonly revision: number
}

/** Of a change that is packed. */
const smallSplices = 4
const smallChars = 64

/** Of all that are kept, as much is in one passage. */
const passageShare = 1 / 16

export class RecentChanges {
  readonly #limits: Limits
  /** Everything after this revision is kept. */
  #from: number
  readonly #passages: Passage[] = []
  /** Behind them, until they are enough for a passage. */
  #small: Packed[] = []
  /** May still be told anew. */
  #newest: Entry | undefined
  /** Before the newest. */
  #count = 0
  /** With the newest. */
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
    else if (last !== undefined) this.#keep(last)
    this.#newest = { revision, change }
    this.#chars += charsOf(change)
    const { recentChangesMax: most, recentChangesMaxChars: mostChars } = this.#limits
    while (this.#count >= most || this.#chars > mostChars) this.#forgetOldest()
  }

  /** From the text of that revision to the text now; undefined when it is too old to be known. */
  since(base: number): TextChange | undefined {
    if (base < this.#from) return undefined
    const later = this.#passages.filter(({ revision }) => revision > base)
    const kept = [...later.map((passage) => passage.kept), ...this.#small]
    if (this.#newest !== undefined) kept.push(this.#newest)
    let since: TextChange = []
    for (const { revision, change } of kept.flatMap(unpacked)) {
      if (revision > base) since = composed(since, change)
    }
    return since
  }

  #keep(entry: Entry): void {
    const { revision, change } = entry
    const chars = charsOf(change)
    this.#count++
    const isSmall = change.length <= smallSplices && chars <= smallChars
    if (isSmall) this.#small.push(packed(entry))
    const enough = Math.floor(this.#limits.recentChangesMax * passageShare)
    if (!isSmall || this.#small.length >= enough) this.#endPassage()
    if (!isSmall) this.#passages.push({ kept: entry, count: 1, chars, revision })
  }

  #endPassage(): void {
    const kept = this.#small.join()
    this.#small = []
    const entries = unpacked(kept)
    const revision = entries.at(-1)?.revision
    if (revision === undefined) return
    const chars = entries.reduce((sum, { change }) => sum + charsOf(change), 0)
    this.#passages.push({ kept, count: entries.length, chars, revision })
  }

  #forgetOldest(): void {
    if (this.#passages.length === 0) this.#endPassage()
    const oldest = this.#passages.shift()
    if (oldest !== undefined) {
      this.#count -= oldest.count
      this.#chars -= oldest.chars
      this.#from = oldest.revision
    } else if (this.#newest !== undefined) {
      this.#chars -= charsOf(this.#newest.change)
      this.#from = this.#newest.revision
      this.#newest = undefined
    }
  }
}

function packed({ revision, change }: Entry): Packed {
  const flat: (number | string)[] = [revision]
  for (const { at, remove, insert } of change) flat.push(at, remove, insert)
  return JSON.stringify(flat)
}

function unpacked(kept: Packed | Entry): readonly Entry[] {
  if (typeof kept !== 'string') return [kept]
  const rows: [number, ...(number | string)[]][] = JSON.parse(`[${kept}]`)
  return rows.map(([revision, ...flat]) => {
    const change: TextSplice[] = []
    for (let index = 0; index < flat.length; index += 3) {
      const [at, remove, insert] = flat.slice(index, index + 3)
      change.push({ at: at as number, remove: remove as number, insert: insert as string })
    }
    return { revision, change }
  })
}

const charsOf = (change: TextChange): number =>
  change.reduce((sum, { insert }) => sum + insert.length, 0)
