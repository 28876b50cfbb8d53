/**
 * What an error says beside its code (interface §7): for an edit whose text or anchor is not in the
 * document, the places that it may have meant. It changes no outcome, and no edit's position comes from it.
 */
import { Refusal } from '../../../../schema/errors.ts'
import { type Candidate, nearestCandidates } from '../../../../schema/markdown/candidates.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { findText, type Reading, readingOf } from '../../../../schema/markdown/matching.ts'
import type { Edit } from './edit.ts'

/** Failed edits of a request for which candidates are sought. */
const candidateSearchesPerPatch = 5

/** An outcome as the wire spells it, as far as this looks at it. */
interface FailedEdit {
  readonly index: number
  readonly code?: string
  readonly reason?: string
}

/** What was asked for, and the text that the answer carries. */
export interface EditsOnText {
  readonly edits: readonly Edit[]
  readonly text: DocumentText
}

const codes: ReadonlySet<string | undefined> = new Set(['EDIT_NOT_FOUND', 'ANCHOR_NOT_FOUND'])

type WithCandidates<One> = One & { readonly candidates?: readonly Candidate[] }

/** The outcomes, the first failed ones with `candidates` where there are any. */
export function withCandidates<One extends FailedEdit>(
  outcomes: readonly One[],
  asked: EditsOnText,
): readonly WithCandidates<One>[] {
  const missed = outcomes.filter(({ code }) => codes.has(code))
  const sought = new Set(missed.slice(0, candidateSearchesPerPatch))
  if (sought.size === 0) return outcomes
  const reading = readingOf()
  return outcomes.map((outcome) => {
    const edit = sought.has(outcome) ? asked.edits[outcome.index] : undefined
    const isFound = outcome.reason === 'escape' && edit?.form === 'replace'
    const missing = edit && missingText(edit, asked.text, reading)
    const wanted = isFound ? edit.oldString : missing
    const candidates = wanted === undefined ? [] : nearestCandidates(asked.text, wanted)
    return candidates.length === 0 ? outcome : { ...outcome, candidates }
  })
}

/** The refusal with candidates beside the outcomes of its edits, and beside its own code. */
export function refusalWithCandidates(refusal: Refusal, asked: EditsOnText): Refusal {
  const { code, details, message } = refusal
  const { edits } = details
  if (!Array.isArray(edits)) return refusal
  const outcomes = withCandidates(edits as readonly FailedEdit[], asked)
  const candidates = codes.has(code) && outcomes[0]?.candidates
  return new Refusal(
    code,
    { ...details, edits: outcomes, ...(candidates && { candidates }) },
    message,
  )
}

/** The text of an edit that does not occur; undefined when all of it does by now. */
function missingText(edit: Edit, text: DocumentText, reading: Reading): string | undefined {
  const named = edit.form === 'replace' ? [edit.oldString] : []
  if (edit.form === 'anchor_insert') {
    for (const anchor of [edit.after, edit.before]) if (anchor) named.push(anchor)
  }
  for (const one of named) {
    if (findText(text, one, { reading }).total === 0) return one
  }
  return undefined
}
