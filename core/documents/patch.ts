/**
 * One PATCH (interface §4.5) on an open document: plan on the current text, apply in the same tick,
 * answer when it is on disk. A refusal carries the text it was judged against.
 */

import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { PatchOutcome, PatchRequest } from './contract.ts'
import { refusalWithCandidates, withCandidates } from './edits/near-misses.ts'
import { type Plan, planEdits } from './edits/plan.ts'
import { readEdits } from './edits/request.ts'
import type { Idempotency, KeptOutcome } from './idempotency.ts'
import type { OpenDocument } from './open/open-document.ts'
import type { TextView } from './open/view.ts'

type Fields = Readonly<Record<string, unknown>>

/** Refuses with the codes of interface §7; then nothing was committed. */
export async function patchDocument(
  document: OpenDocument,
  request: PatchRequest,
  retry: { readonly checks: readonly Check[]; readonly idempotency: Idempotency },
): Promise<PatchOutcome> {
  const view = document.settle()
  const planned = plan(view, request)
  if (planned instanceof Refusal) {
    await document.durable()
    const { markdown, revision } = view
    throw new Refusal(planned.code, { ...planned.details, markdown, revision }, planned.message)
  }
  const fields = fieldsOf(planned, request, view)
  if (request.dryRun) {
    await document.durable()
    return outcomeOf(view.withText(planned.text), fields)
  }
  const { idempotency: claim, writer } = request
  const after = document.edit(planned, writer, (revision) => {
    if (claim === undefined) return { checks: [], puts: [] }
    const outcome = { slug: document.slug, revision, answer: { fields } }
    return { checks: retry.checks, puts: [retry.idempotency.record(claim, outcome)] }
  })
  await document.durable()
  return outcomeOf(after, fields)
}

/** The answer of the first time: its revision and that revision's text. */
export async function replayPatch(
  kept: KeptOutcome,
  textAt: (revision: number) => Promise<string>,
): Promise<PatchOutcome> {
  const { fields } = kept.answer as { fields: Fields }
  const markdown = await textAt(kept.revision)
  return {
    revision: kept.revision,
    markdown,
    markdownJson: () => [Buffer.from(JSON.stringify(markdown))],
    fields,
  }
}

/** Refusals about the content are outcomes here, for they are answered with the text. */
function plan(view: TextView, request: PatchRequest): Plan | Refusal {
  const { text, revision } = view
  const { baseRevision, writer } = request
  const edits = readEdits(request.edits)
  try {
    const made = planEdits({
      text,
      revision,
      edits,
      actor: writer.actor,
      ...(baseRevision === undefined ? {} : { baseRevision }),
    })
    return { ...made, outcomes: withCandidates(made.outcomes, { edits, text: made.text }) }
  } catch (error) {
    if (error instanceof Refusal && (error.status === 409 || error.status === 422)) {
      return refusalWithCandidates(error, { edits, text })
    }
    throw error
  }
}

/** Beside `markdown` and `revision`: nothing for one edit on the current base, else per-edit results. */
function fieldsOf(plan: Plan, request: PatchRequest, view: TextView): Fields {
  const results = { edits: plan.outcomes, failed_edit_indexes: plan.failedIndexes }
  if (!plan.rebased) return request.edits.length === 1 ? {} : results
  const applied = plan.outcomes.filter((outcome) => outcome.ok).map((outcome) => outcome.index)
  return {
    ...results,
    rebased: true,
    base_revision: request.baseRevision,
    applied_to_revision: view.revision,
    applied_to_markdown_sha256: view.contentHash(),
    applied,
    failed: plan.failedIndexes,
  }
}

const outcomeOf = (view: TextView, fields: Fields): PatchOutcome => ({
  revision: view.revision,
  get markdown() {
    return view.markdown
  },
  markdownJson: () => view.markdownJson(),
  fields,
})
