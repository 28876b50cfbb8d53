/**
 * What the newest revisions changed in the text, so that an edit on a stale base can be told where
 * others have written since. Bounded; older revisions are read from their history rows.
 */
import { type Limits, limits } from '../../../schema/limits.ts'
import { composed, type TextChange } from '../../text/text-change.ts'

interface RevisionChange {
  readonly revision: number
  readonly change: TextChange
}

export class RecentChanges {
  readonly #limits: Limits
  /** Everything after this revision is kept. */
  #from: number
  /** The oldest first; the last may still be told anew. */
  readonly #entries: RevisionChange[] = []
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
    const entries = this.#entries
    const last = entries.at(-1)
    if (last?.revision === revision) {
      this.#chars -= charsOf(last.change)
      entries.pop()
    }
    entries.push({ revision, change })
    this.#chars += charsOf(change)
    const { recentChangesMax, recentChangesMaxChars } = this.#limits
    while (entries.length > recentChangesMax || this.#chars > recentChangesMaxChars) {
      const oldest = entries.shift()
      if (oldest === undefined) break
      this.#chars -= charsOf(oldest.change)
      this.#from = oldest.revision
    }
  }

  /** From the text of that revision to the text now; undefined when it is too old to be known. */
  since(base: number): TextChange | undefined {
    if (base < this.#from) return undefined
    return this.#entries
      .filter(({ revision }) => revision > base)
      .reduce<TextChange>((since, { change }) => composed(since, change), [])
  }
}

const charsOf = (change: TextChange): number =>
  change.reduce((sum, { insert }) => sum + insert.length, 0)
