/**
 * What an error says beside its code (interface §7): for an edit whose text or anchor is not in the
 * document, the places that it may have meant. It changes no outcome, and no edit is placed by it.
 */
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { type Candidate, nearestCandidates } from '../../../schema/markdown/candidates.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { findText } from '../../../schema/markdown/matching.ts'
import type { Edit } from './request.ts'

/** An outcome as the wire spells it, as far as this looks at it. */
interface Outcome {
  readonly index: number
  readonly code?: string
}

/** What was asked for, and the text that the answer carries. */
export interface Asked {
  readonly edits: readonly Edit[]
  readonly text: DocumentText
}

const codes: ReadonlySet<string | undefined> = new Set(['EDIT_NOT_FOUND', 'ANCHOR_NOT_FOUND'])

/** The outcomes, the first failed ones with `candidates` where there are any. */
export function withCandidates<One extends Outcome>(
  outcomes: readonly One[],
  asked: Asked,
): readonly (One & { readonly candidates?: readonly Candidate[] })[] {
  const missed = outcomes.filter(({ code }) => codes.has(code))
  if (missed.length === 0) return outcomes
  const sought = new Set(missed.slice(0, limits.candidateSearchesPerPatch))
  return outcomes.map((outcome) => {
    const edit = asked.edits[outcome.index]
    const wanted = sought.has(outcome) && edit ? missingText(edit, asked.text) : undefined
    const candidates = wanted === undefined ? [] : nearestCandidates(asked.text, wanted)
    return candidates.length === 0 ? outcome : { ...outcome, candidates }
  })
}

/** The refusal with candidates beside the outcomes of its edits, and beside its own code. */
export function refusalWithCandidates(refusal: Refusal, asked: Asked): Refusal {
  const { code, details, message } = refusal
  const { edits } = details
  if (!Array.isArray(edits)) return refusal
  const outcomes = withCandidates(edits as readonly Outcome[], asked)
  const candidates = codes.has(code) && outcomes[0]?.candidates
  return new Refusal(
    code,
    { ...details, edits: outcomes, ...(candidates && { candidates }) },
    message,
  )
}

/** The text of an edit that does not occur; undefined when all of it does by now. */
function missingText(edit: Edit, text: DocumentText): string | undefined {
  const named = edit.form === 'replace' ? [edit.oldString] : []
  if (edit.form === 'anchor_insert') {
    for (const anchor of [edit.after, edit.before]) if (anchor) named.push(anchor)
  }
  return named.find((one) => findText(text, one).total === 0)
}
