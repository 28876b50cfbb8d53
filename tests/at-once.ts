/** What the service does in steps, done at once. */
import { type Plan, type PlanInput, planning } from '../core/documents/edits/plan/plan.ts'
import { splicing } from '../core/documents/edits/plan/splice-operation.ts'
import { type ApplyHost, applying } from '../core/documents/edits/write/blocks.ts'
import type { Correspondence } from '../schema/diff/correspondence.ts'
import { type Candidate, seekingCandidates } from '../schema/markdown/candidates.ts'
import type { DocumentText } from '../schema/markdown/document-text.ts'
import { findingText, type TextMatches } from '../schema/markdown/matching.ts'
import { type AuthorRun, findingRuns, type LeafAuthor } from '../schema/markdown/runs.ts'

export const planEdits = (input: PlanInput): Plan => planning(input)

export const spliceOperation = (...given: Parameters<typeof splicing>) => splicing(...given)

export const applyBlocks = (host: ApplyHost, change: Correspondence): void => applying(host, change)

export const nearestCandidates = (text: DocumentText, wanted: string): readonly Candidate[] =>
  seekingCandidates(text, wanted)

export const findText = (text: DocumentText, wanted: string, at?: number): TextMatches =>
  findingText(text, wanted, { at })

export const documentRuns = (text: DocumentText, leafAuthor: LeafAuthor): readonly AuthorRun[] =>
  findingRuns(text, leafAuthor)
