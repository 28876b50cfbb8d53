/**
 * The text as the edits of one request make it, one after the other, and what became of each.
 * Invariant: an edit that fails leaves no trace in the text. Decides nothing about where edits go.
 */

import { limits } from '../../../schema/limits.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { findText, snippets } from '../../../schema/markdown/matching.ts'
import type { TextSplice } from '../../../schema/markdown/textblock-splice.ts'
import type { Steps } from '../../../schema/steps.ts'
import { commanding } from './block-steps.ts'
import { type EditOutcome, rolledBack } from './outcomes.ts'
import type { Failed, Placed } from './placed.ts'
import { splicing } from './splice-step.ts'
import type { EditStep, Made } from './step.ts'
import { replacing } from './whole-document.ts'

export class Draft {
  readonly steps: EditStep[] = []
  readonly #outcomes: EditOutcome[] = []
  /** Failed searches that are to show their places in the final text. */
  readonly #shown = new Map<number, string>()
  readonly #isBatch: boolean
  #text: DocumentText
  /** UTF-16 units of blocks read again so far: what the request costs. */
  #work = 0

  constructor(text: DocumentText, isBatch: boolean) {
    this.#text = text
    this.#isBatch = isBatch
  }

  get text(): DocumentText {
    return this.#text
  }

  /** In the order of the request. */
  outcomes(): EditOutcome[] {
    return this.#outcomes
      .toSorted((a, b) => a.index - b.index)
      .map((outcome) => this.#withPlaces(outcome))
  }

  /** Makes the edit where it was placed. Throws BROAD_REWRITE when the request costs too much. */
  *make(index: number, placed: Exclude<Placed, Failed>): Steps<void> {
    this.#spend(placed)
    this.#take(index, yield* making(this.#text, placed))
  }

  fail(index: number, { code, reason, shown, tombstone }: Failed): void {
    if (shown !== undefined) this.#shown.set(index, shown)
    const why = reason === undefined ? {} : { reason }
    this.#outcomes.push({ ok: false, index, code, ...why, ...(tombstone && { tombstone }) })
  }

  #take(index: number, result: Made): void {
    if (result.kind === 'refused') {
      const { reason } = result
      const isUndone = this.#isBatch && result.code === 'EDIT_VERIFICATION_FAILED'
      const code = isUndone ? 'EDIT_APPLY_MISMATCH' : result.code
      this.#outcomes.push({ ok: false, index, code, reason })
      return
    }
    this.#outcomes.push({ ok: true, index })
    if (result.kind === 'unchanged') return
    this.steps.push(result.step)
    this.#text = result.step.text
  }

  #spend(placed: Exclude<Placed, Failed>): void {
    if (placed.kind !== 'splice') return
    this.#work += placed.splice.insert.length + lengthOfTouched(this.#text, placed.splice)
    if (this.#work <= limits.editedBlocksMaxChars || this.steps.length === 0) return
    throw rolledBack('BROAD_REWRITE', this.outcomes())
  }

  #withPlaces(outcome: EditOutcome): EditOutcome {
    const wanted = this.#shown.get(outcome.index)
    if (wanted === undefined) return outcome
    const { total, matches } = findText(this.#text, wanted)
    const listed = matches.slice(0, limits.snippetsPerEdit)
    return { ...outcome, occurrences: total, snippets: snippets(this.#text, listed) }
  }
}

function making(text: DocumentText, placed: Exclude<Placed, Failed>): Steps<Made> {
  if (placed.kind === 'splice') return splicing(text, placed.splice)
  if (placed.kind === 'command') return commanding(text, placed.command)
  return replacing(text, placed.markdown)
}

const lengthOfTouched = (text: DocumentText, { from, to }: TextSplice): number =>
  text.blockCount === 0 ? 0 : text.end(text.indexAt(to)) - text.start(text.indexAt(from))
