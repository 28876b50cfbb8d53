/** What the service does in steps, done at once. */
import { type Plan, type PlanInput, planning } from '../core/documents/edits/plan/plan.ts'
import { splicing } from '../core/documents/edits/plan/splice-operation.ts'
import { type ApplyHost, applying } from '../core/documents/edits/write/blocks.ts'
import type { Correspondence } from '../schema/diff/correspondence.ts'
import { type Candidate, seekingCandidates } from '../schema/markdown/candidates.ts'
import type { DocumentText } from '../schema/markdown/document-text.ts'
import { findingText, type TextMatches } from '../schema/markdown/matching.ts'
import { type AuthorRun, findingRuns, type LeafAuthor } from '../schema/markdown/runs.ts'
import { finish } from '../schema/steps.ts'

export const planEdits = (input: PlanInput): Plan => finish(planning(input))

export const spliceOperation = (...given: Parameters<typeof splicing>) => finish(splicing(...given))

export function applyBlocks(host: ApplyHost, change: Correspondence): void {
  const writing = applying(host, change)
  while (writing.next().done !== true);
}

export const nearestCandidates = (text: DocumentText, wanted: string): readonly Candidate[] =>
  finish(seekingCandidates(text, wanted))

export const findText = (text: DocumentText, wanted: string, at?: number): TextMatches =>
  finish(findingText(text, wanted, { at }))

export const documentRuns = (text: DocumentText, leafAuthor: LeafAuthor): readonly AuthorRun[] =>
  finish(findingRuns(text, leafAuthor))
