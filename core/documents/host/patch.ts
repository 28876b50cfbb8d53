/**
 * One PATCH (interface §4.5) on an open document: plan on the current text, apply before anyone
 * else reads or writes it, answer when it is on disk. A refusal carries the text it was judged
 * against.
 */
import { Refusal } from '../../../schema/errors.ts'
import type { Limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { outcomeRecords } from '../../commit/kept-outcomes.ts'
import type { Extras } from '../../commit/pending-commit.ts'
import type { HeldPermission } from '../../commit/permission.ts'
import { timed } from '../../runtime/steady-runtime.ts'
import { composed, type TextChange } from '../../text/text-change.ts'
import type { PatchFields } from '../contract.ts'
import { assertFree } from '../edits/free-chars.ts'
import { type Plan, planEdits } from '../edits/plan/plan.ts'
import { type Edit, readEdits } from '../edits/request/edit.ts'
import { refusalWithCandidates, withCandidates } from '../edits/request/near-misses.ts'
import type { OpenDocument } from '../open/open-document.ts'
import type { Fates } from '../threads/threads.ts'
import type { TextView } from '../views/text-view.ts'
import { type Settlement, settlementsOf, writesOfSettlements } from './comment-outcomes.ts'
import { resultsOf } from './patch-results.ts'
import type { PatchAsk, Patched } from './protocol.ts'

/** Revisions that an insert on a stale base looks back over to keep the order of commits. */
const rebaseRevisionsMax = 5_000

export interface PatchHost {
  readonly runtime: Runtime
  readonly limits: Limits
  assertPermitted(permission: HeldPermission | undefined, facts: DocumentFacts): void
  /** Told of the time that planning and applying took, as it passes. */
  readonly onWork: (ms: number) => void
  /** Does this in the caller's turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** From the text of one durable revision to that of a later one. */
  changeBetween(base: number, until: number): Promise<TextChange>
}

/** Refuses with the codes of interface §7; then nothing was committed. */
export async function patchDocument(
  document: OpenDocument,
  request: PatchAsk,
  host: PatchHost,
): Promise<Patched> {
  const edits = readEdits(request.edits, { asItWas: request.back !== undefined })
  const attempt: Attempt = { edits, request, older: undefined, reads: 0 }
  for (;;) {
    attempt.reads++
    attempt.older = await olderChange(document, edits, { request, host })
    const outcome = await host.inTurn(() =>
      document.stored(() =>
        timed(host.runtime, host.onWork, () => planAndApply(document, attempt, host)),
      ),
    )
    if (outcome === undefined) continue
    if (outcome instanceof Refusal) throw outcome
    const { view, fields, writtenBytes } = outcome
    const { revision } = view
    return { outcome: { revision, markdownJson: view.markdownJson(), fields }, writtenBytes }
  }
}

/** How often the rows are read that an insert looks back over, when others write meanwhile. */
const readsMax = 4

interface Attempt {
  readonly edits: readonly Edit[]
  readonly request: PatchAsk
  older: OlderChange | undefined
  reads: number
}

/** What was made, or would be by a dry run. */
interface PatchResult {
  readonly view: TextView
  readonly fields: PatchFields
  readonly writtenBytes: number
}

/**
 * Plans and applies, before anybody else reads or writes. Undefined: nothing was done, since what
 * the edits look back over was forgotten meanwhile.
 */
function planAndApply(
  document: OpenDocument,
  attempt: Attempt,
  host: PatchHost,
): PatchResult | Refusal | undefined {
  const { request } = attempt
  const view = document.settle()
  // Flags may be others by now; what the caller rests on beside them, the commit checks.
  host.assertPermitted(request.permission, view.facts)
  if (attempt.reads < readsMax && isForgotten(document, attempt)) return undefined
  const planned = plan(document, view, attempt)
  if (planned instanceof Refusal) {
    const { markdown, revision } = view
    return new Refusal(planned.code, { ...planned.details, markdown, revision }, planned.message)
  }
  const settlements = settle(document, view, planned, request)
  if (settlements instanceof Refusal) return settlements
  const fields = resultsOf(planned, request, view)
  if (request.dryRun) return { view: view.withText(planned.text), fields, writtenBytes: 0 }
  const { keeping, permission, writer, back, freeChars } = request
  const now = host.runtime.now()
  const threadWrites = writesOfSettlements(document, settlements, { writer, now })
  let answered = fields
  const extras = (revision: number, fates: Fates | undefined): Extras => {
    if (fates !== undefined) answered = { ...fields, comments: fates }
    if (keeping === undefined) return { checks: [], puts: [], permission }
    const outcome = { slug: document.slug, revision, answer: { fields: answered } }
    return { checks: [keeping.check], puts: outcomeRecords(keeping, outcome), permission }
  }
  assertFree(freeChars, view.text, planned.text)
  let writtenBytes = 0
  const onWritten = (bytes: number) => {
    writtenBytes = bytes
  }
  document.writes.edit(planned, { writer, back, threadWrites, extras, onWritten })
  return { view: document.view, fields: answered, writtenBytes }
}

/** What becomes of comments whose words go; a refusal is answered with the text. */
function settle(
  document: OpenDocument,
  view: TextView,
  plan: Plan,
  { commentOutcomes = [] }: PatchAsk,
): readonly Settlement[] | Refusal {
  try {
    return settlementsOf(document, view, plan, commentOutcomes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { markdown, revision } = view
    return new Refusal(error.code, { ...error.details, markdown, revision }, error.message)
  }
}

/** A change from the base up to a revision from which on the open document knows the rest. */
interface OlderChange {
  readonly until: number
  readonly change: TextChange
}

/**
 * Only for inserts behind something, on a base older than what the open document remembers. None
 * for a base that is too old: its inserts go right beside their anchors (extensions §4).
 */
async function olderChange(
  document: OpenDocument,
  edits: readonly Edit[],
  { request, host }: { readonly request: PatchAsk; readonly host: PatchHost },
): Promise<OlderChange | undefined> {
  const { baseRevision: base } = request
  if (base === undefined || !edits.some(goesBehind)) return undefined
  const { revision } = await document.stored(() => document.settle())
  const { keptFrom } = document.recentChanges
  if (base >= keptFrom || !isLookedBackOver(base, revision)) return undefined
  // Some way into what is remembered, since more is forgotten while the rows are read.
  const until = Math.min(revision, keptFrom + host.limits.recentChangesMax / 2)
  return { until, change: await host.changeBetween(base, until) }
}

const isLookedBackOver = (base: number, revision: number): boolean =>
  base >= 1 && revision - base <= rebaseRevisionsMax

function isForgotten(
  { recentChanges, revision }: OpenDocument,
  { edits, request: { baseRevision: base }, older }: Attempt,
): boolean {
  if (base === undefined || !edits.some(goesBehind)) return false
  return isLookedBackOver(base, revision) && (older?.until ?? base) < recentChanges.keptFrom
}

const goesBehind = (edit: Edit): boolean =>
  (edit.form === 'anchor_insert' && typeof edit.after === 'string') ||
  (edit.form === 'block_insert' && typeof edit.afterBlock === 'string')

function changeSince(
  { recentChanges }: OpenDocument,
  base: number,
  older: OlderChange | undefined,
): TextChange | undefined {
  const recent = recentChanges.since(older?.until ?? base)
  return recent && older ? composed(older.change, recent) : recent
}

/** Refusals about the content are outcomes here, for they are answered with the text. */
function plan(
  document: OpenDocument,
  { text, revision }: TextView,
  { edits, request, older }: Attempt,
): Plan | Refusal {
  const { baseRevision, maxMarkdownBytes, writer } = request
  const isBehind = baseRevision !== undefined && baseRevision < revision && edits.some(goesBehind)
  const since = isBehind ? changeSince(document, baseRevision, older) : undefined
  try {
    const made = planEdits({
      text,
      revision,
      edits,
      actor: writer.actor,
      tombstones: document.state.tombstones,
      commented: (block) => document.state.threads.wordsIn(block),
      ...(baseRevision !== undefined && { baseRevision }),
      ...(since && { changeSinceBase: since }),
      ...(maxMarkdownBytes !== undefined && { maxBytes: maxMarkdownBytes }),
    })
    return { ...made, outcomes: withCandidates(made.outcomes, { edits, text: made.text }) }
  } catch (error) {
    if (error instanceof Refusal && carriesText(error)) {
      return refusalWithCandidates(error, { edits, text })
    }
    throw error
  }
}

const carriesText = ({ code, status }: Refusal): boolean =>
  status === 409 || status === 422 || code === 'BLOCK_ID_NOT_FOUND' || code === 'PAYLOAD_TOO_LARGE'
