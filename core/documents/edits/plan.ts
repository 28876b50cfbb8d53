/**
 * What a PATCH does to a document's text (interface §4.5): which places the edits name, and the
 * steps that make them. With a current base, edits apply one after the other, and each sees what
 * the ones before it made; with a stale base, all are matched against the text as it is now. Pure:
 * no Yjs, no clock; nothing happens until the steps are applied.
 */
import { type ErrorCode, Refusal } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { TextRange } from '../../../schema/markdown/escape-view.ts'
import { findText, type Snippet, snippets } from '../../../schema/markdown/matching.ts'
import type { Edit, ReplaceEdit } from './request.ts'
import { type EditStep, type Splice, spliceStep } from './splice-step.ts'

export type { EditStep } from './splice-step.ts'

export interface PlanInput {
  readonly text: DocumentText
  readonly revision: number
  /** Absent: the edits are meant for the text as it is. */
  readonly baseRevision?: number
  readonly edits: readonly Edit[]
  readonly actor: ActorId
}

/** What became of one edit, as the wire spells it; where several places match, which. */
export interface EditOutcome {
  readonly index: number
  readonly ok: boolean
  readonly code?: ErrorCode
  readonly reason?: string
  /** Matches in the text that the answer carries. */
  readonly occurrences?: number
  readonly snippets?: readonly Snippet[]
}

export interface Plan {
  readonly steps: readonly EditStep[]
  /** The text after all steps. */
  readonly text: DocumentText
  readonly outcomes: readonly EditOutcome[]
  readonly failedIndexes: readonly number[]
  /** The base was stale and every edit was placed anew. */
  readonly rebased: boolean
}

/**
 * At least one edit of the plan applies (or none was asked for). Throws Refusal, with nothing to
 * commit: EDIT_STALE_FUTURE, EDIT_STALE, BASE_REVISION_REQUIRED, INVALID_REQUEST for the request; a
 * single failing edit's own code, ALL_EDITS_FAILED for several. Where edits were tried, details
 * carry `edits` and `failed_edit_indexes`; the caller adds the text and its revision.
 */
export function planEdits(input: PlanInput): Plan {
  const rebased = isStale(input)
  const edits = input.edits.map((edit, index) => checkForm(input, edit, { index, rebased }))
  const planner = new Planner(input.text)
  if (rebased) planner.placeAll(edits)
  else planner.placeInTurn(edits)
  const plan = { ...planner.result(), rebased }
  if (plan.failedIndexes.length === edits.length && edits.length > 0) throw failure(plan.outcomes)
  return plan
}

/** Is the base behind? Refuses one that is ahead. */
function isStale({ revision, baseRevision = revision }: PlanInput): boolean {
  if (baseRevision > revision) throw new Refusal('EDIT_STALE_FUTURE')
  return baseRevision < revision
}

function checkForm(
  { baseRevision }: PlanInput,
  edit: Edit,
  { index, rebased }: { readonly index: number; readonly rebased: boolean },
): ReplaceEdit {
  if (edit.form !== 'replace') throw notBuilt(index)
  if (edit.oldString === '') {
    const issues = [{ path: `/edits/${index}/old_string`, message: 'empty text matches nothing' }]
    throw new Refusal('INVALID_REQUEST', { issues })
  }
  if (edit.at === undefined) return edit
  if (baseRevision === undefined)
    throw new Refusal('BASE_REVISION_REQUIRED', { edits: [{ index }] })
  if (rebased) throw new Refusal('EDIT_STALE', failed([{ ok: false, index, code: 'EDIT_STALE' }]))
  return edit
}

/** The one place that turns away the forms this planner does not take. */
function notBuilt(index: number): Refusal {
  const details = failed([{ ok: false, index, code: 'EDIT_FAILED' }])
  return new Refusal('EDIT_FAILED', details, 'This form of edit is not available.')
}

const failed = (outcomes: readonly EditOutcome[]) => ({
  edits: outcomes,
  failed_edit_indexes: outcomes.map(({ index }) => index),
})

/** One failing edit speaks for the request; of several none does. */
function failure(outcomes: readonly EditOutcome[]): Refusal {
  const [only] = outcomes
  if (only?.code === undefined || outcomes.length > 1) {
    return new Refusal('ALL_EDITS_FAILED', failed(outcomes))
  }
  const { ok: _ok, index: _index, code, ...own } = only
  return new Refusal(code, { ...failed(outcomes), ...own })
}

type Placed =
  | { readonly kind: 'found'; readonly match: TextRange }
  | { readonly kind: 'missing' | 'several' }

/** Carries the text from edit to edit and keeps what became of each. */
class Planner {
  readonly #steps: EditStep[] = []
  readonly #outcomes: EditOutcome[] = []
  /** Failed searches that are to show their places in the final text. */
  readonly #shown = new Map<number, string>()
  readonly #moved: Shift[] = []
  #text: DocumentText
  /** UTF-16 units of blocks read again so far: what the plan costs. */
  #work = 0

  constructor(text: DocumentText) {
    this.#text = text
  }

  result(): Omit<Plan, 'rebased'> {
    const outcomes = this.#outcomes
      .toSorted((a, b) => a.index - b.index)
      .map((outcome) => this.#withPlaces(outcome))
    const failedIndexes = outcomes.filter(({ ok }) => !ok).map(({ index }) => index)
    return { steps: this.#steps, text: this.#text, outcomes, failedIndexes }
  }

  /** Interface §4.5, batch rule 1: in request order; later edits see earlier results. */
  placeInTurn(edits: readonly ReplaceEdit[]): void {
    for (const [index, edit] of edits.entries()) {
      const placed = this.#place(edit)
      if (placed.kind === 'found') this.#splice(index, { ...placed.match, insert: edit.newString })
      else this.#fail(index, placed.kind, edit)
    }
  }

  /** Interface §4.5, stale rule 5: all against the text as it is; from its end, so offsets hold. */
  placeAll(edits: readonly ReplaceEdit[]): void {
    const captured = this.#text
    const taken: (Splice & { readonly index: number })[] = []
    for (const [index, edit] of edits.entries()) {
      const placed = this.#place(edit)
      if (placed.kind !== 'found') this.#fail(index, placed.kind, edit)
      else if (taken.some((other) => overlaps(other, placed.match))) {
        this.#outcomes.push({ ok: false, index, code: 'EDIT_OVERLAP' })
      } else taken.push({ ...placed.match, insert: edit.newString, index })
    }
    for (const { index, ...splice } of taken.sort((a, b) => b.from - a.from)) {
      const { from, to } = splice
      if (this.#text.slice(0, to) === captured.slice(0, to)) this.#splice(index, splice)
      else
        this.#outcomes.push({ ok: false, index, code: 'EDIT_DRIFT_UNRESOLVED', reason: `${from}` })
    }
  }

  #place({ oldString, at }: ReplaceEdit): Placed {
    const offset = at === undefined ? undefined : shifted(this.#moved, at)
    const { total, matches, chosen } = findText(this.#text, oldString, offset)
    const match = at === undefined ? matches[0] : chosen
    if (match === undefined) return { kind: 'missing' }
    return total > 1 && at === undefined ? { kind: 'several' } : { kind: 'found', match }
  }

  #splice(index: number, splice: Splice): void {
    this.#work += splice.insert.length + lengthOfTouched(this.#text, splice)
    if (this.#work > limits.editedBlocksMaxChars && this.#steps.length > 0) {
      this.#outcomes.push({ ok: false, index, code: 'BROAD_REWRITE' })
      return
    }
    const made = spliceStep(this.#text, splice)
    if (made.kind === 'refused') {
      this.#outcomes.push({ ok: false, index, code: made.code, reason: made.reason })
      return
    }
    this.#outcomes.push({ ok: true, index })
    if (made.kind === 'unchanged') return
    this.#moved.push({ at: splice.to, by: made.step.text.length - this.#text.length })
    this.#steps.push(made.step)
    this.#text = made.step.text
  }

  #fail(index: number, kind: 'missing' | 'several', edit: ReplaceEdit): void {
    const code = kind === 'missing' ? 'EDIT_NOT_FOUND' : 'EDIT_AMBIGUOUS'
    this.#outcomes.push({ ok: false, index, code })
    if (kind === 'several' || edit.at !== undefined) this.#shown.set(index, edit.oldString)
  }

  #withPlaces(outcome: EditOutcome): EditOutcome {
    const wanted = this.#shown.get(outcome.index)
    if (wanted === undefined) return outcome
    const { total, matches } = findText(this.#text, wanted)
    const listed = matches.slice(0, limits.snippetsPerEdit)
    return { ...outcome, occurrences: total, snippets: snippets(this.#text, listed) }
  }
}

const lengthOfTouched = (text: DocumentText, { from, to }: Splice): number =>
  text.blockCount === 0 ? 0 : text.end(text.indexAt(to)) - text.start(text.indexAt(from))

/** What stood at or behind `at` now stands `by` further. */
interface Shift {
  readonly at: number
  readonly by: number
}

const shifted = (shifts: readonly Shift[], offset: number): number =>
  shifts.reduce((at, shift) => (at >= shift.at ? at + shift.by : at), offset)

/** Touching is no overlap. */
const overlaps = (a: TextRange, b: TextRange): boolean => a.from < b.to && b.from < a.to
