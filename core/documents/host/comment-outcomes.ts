/**
 * What becomes of comments whose words an edit takes (interface §4.5, comment preservation): the
 * edit is refused unless each of them is declared, and then done as declared, in the same commit.
 */
import { type ErrorCode, Refusal } from '../../../schema/errors.ts'
import { type CommentId, isBlockId, type ThreadId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { onlyOccurrence } from '../../../schema/occurrences.ts'
import { shortened } from '../../../schema/shortened.ts'
import type { RecordWriter } from '../../commit/participant.ts'
import type { Writer } from '../../commit/permission.ts'
import type { CommentOutcome } from '../contract.ts'
import type { Plan } from '../edits/plan/plan.ts'
import { failed, rolledBack } from '../edits/request/outcomes.ts'
import type { OpenDocument } from '../open/open-document.ts'
import { wordsIn } from '../threads/naming-words.ts'
import { placedThreads } from '../threads/placed.ts'
import { threadsAtRisk } from '../threads/risk.ts'
import { wholeBlock } from '../threads/targets.ts'
import { isStanding, type Thread } from '../threads/thread.ts'
import type { TextView } from '../views/text-view.ts'
import { blockAt, type CandidateBlock, CandidateBlocks } from './candidate-blocks.ts'

const affectedTextMaxChars = 1_000

/** What is to be done with one thread. */
export interface Settlement {
  readonly thread: ThreadId
  readonly action: CommentOutcome['action']
  /** Where a remapped one goes: the index among the `content_blocks` that the edit makes. */
  readonly place?: number
}

/**
 * Refuses EDITS_AFFECT_COMMENTS and the sub-codes of comment_outcomes; answers what is to be done
 * with the words gone.
 */
export function settlementsOf(
  document: OpenDocument,
  view: TextView,
  plan: Plan,
  declared: readonly CommentOutcome[],
): readonly Settlement[] {
  const planned = { before: view.text, operations: plan.operations, after: plan.text }
  const atRisk = threadsAtRisk(planned, document.state.threads)
  if (atRisk.length === 0 && declared.length === 0) return []
  const judged = new OutcomeCheck(view, plan, atRisk)
  if (declared.length === 0) throw judged.affected()
  const settlements: Settlement[] = []
  for (const [index, outcome] of declared.entries()) {
    settlements.push(settlement(document, judged, outcome, index))
  }
  const named = new Set(settlements.map(({ thread }) => thread))
  const undeclared = atRisk.filter(({ id }) => !named.has(id))
  if (undeclared.length > 0) {
    throw judged.refusal('UNDECLARED_ORPHAN', { ids: undeclared.map(rootOf) })
  }
  return settlements
}

function settlement(
  { state: { threads } }: OpenDocument,
  judged: OutcomeCheck,
  outcome: CommentOutcome,
  index: number,
): Settlement {
  const id = outcome.id.toLowerCase()
  const thread = threads.ofComment(id)?.thread ?? threads.get(outcome.id)
  if (thread === undefined || !isStanding(thread)) {
    throw judged.refusal('COMMENT_NOT_FOUND', { index })
  }
  if (!judged.isAtRisk(thread)) throw judged.refusal('COMMENT_NOT_AT_RISK', { index })
  const { action } = outcome
  if (action !== 'remap') return { thread: thread.id, action }
  return { thread: thread.id, action, place: judged.placeFor(outcome, index) }
}

/** An edit beside what it does to comments; the parts of a refusal are made when there is one. */
class OutcomeCheck {
  readonly #view: TextView
  readonly #plan: Plan
  readonly #atRisk: readonly Thread[]
  readonly #ids: ReadonlySet<ThreadId>
  #candidates: CandidateBlocks | undefined

  constructor(view: TextView, plan: Plan, atRisk: readonly Thread[]) {
    this.#view = view
    this.#plan = plan
    this.#atRisk = atRisk
    this.#ids = new Set(atRisk.map(({ id }) => id))
  }

  isAtRisk({ id }: Thread): boolean {
    return this.#ids.has(id)
  }

  get candidates(): CandidateBlocks {
    this.#candidates ??= new CandidateBlocks(this.#view, this.#plan.text)
    return this.#candidates
  }

  affected(): Refusal {
    const { text, outcomes } = this.#plan
    const affected = this.#affectedComments()
    return rolledBack('EDITS_AFFECT_COMMENTS', outcomes, {
      current_markdown: this.#view.markdown,
      candidate_markdown: text.toString(),
      affected_comments: affected,
      suggested_outcomes: affected.map((one) => suggested(one)),
      instruction:
        'Send the same request again with comment_outcomes: for each id of affected_comments ' +
        'remap (new_block_idx of a candidate block, or new_block_quote), remove, or keep.',
    })
  }

  refusal(code: ErrorCode, details: Readonly<Record<string, unknown>>): Refusal {
    const affected = { affected_comments: this.#affectedComments() }
    return new Refusal(code, { ...failed([]), ...details, ...affected })
  }

  /** Refuses NEW_BLOCK_IDX_OUT_OF_RANGE, NEW_BLOCK_QUOTE_NOT_FOUND, NEW_BLOCK_QUOTE_AMBIGUOUS. */
  placeFor({ new_block_idx: idx, new_block_quote: quote }: CommentOutcome, index: number): number {
    const { candidates } = this
    const found = quote === undefined ? candidates.at(idx) : candidates.quoted(quote)
    const [block] = found
    if (found.length > 1) throw this.refusal('NEW_BLOCK_QUOTE_AMBIGUOUS', { index })
    if (block !== undefined) return block.idx
    const code = quote === undefined ? 'NEW_BLOCK_IDX_OUT_OF_RANGE' : 'NEW_BLOCK_QUOTE_NOT_FOUND'
    throw this.refusal(code, { index })
  }

  #affectedComments() {
    const { candidateBlocksMax, candidateBlocksPerComment } = limits
    const fair = Math.floor(candidateBlocksMax / this.#atRisk.length)
    const shown = Math.max(1, Math.min(candidateBlocksPerComment, fair))
    return placedThreads(this.#view.text, this.#atRisk).map(({ thread, range }) => ({
      id: rootOf(thread),
      thread_id: thread.id,
      text: cut(thread.comments.find(({ deleted }) => !deleted)?.text ?? ''),
      quote: cut(range ? this.#view.text.slice(range.from, range.to) : thread.quote),
      resolved: thread.resolution !== undefined,
      candidate_blocks: this.candidates.near(
        thread.anchor.block,
        thread.anchor.scope === 'range' ? thread.quote : '',
        shown,
      ),
    }))
  }
}

const cut = (text: string): string => shortened(text, affectedTextMaxChars)

const rootOf = ({ comments, id }: Thread): CommentId | ThreadId => comments[0]?.id ?? id

/** What keeps most: its own block or the nearest; of what is resolved nothing is needed. */
function suggested({
  id,
  resolved,
  candidate_blocks: [first],
}: {
  readonly id: string
  readonly resolved: boolean
  readonly candidate_blocks: readonly CandidateBlock[]
}): CommentOutcome {
  if (resolved || first === undefined) return { id, action: 'keep' }
  return { id, action: 'remap', new_block_idx: first.idx }
}

/** What stores, when the edit is written, what becomes of the threads that it names. */
export function writesOfSettlements(
  document: OpenDocument,
  settlements: readonly Settlement[],
  { writer, now }: { readonly writer: Writer; readonly now: number },
): ((records: RecordWriter, revision: number) => readonly ThreadId[]) | undefined {
  if (settlements.length === 0) return undefined
  return (records, revision) =>
    settlements.map((one) => {
      const thread = document.state.threads.get(one.thread)
      if (thread === undefined) throw new TypeError('a settled thread that is not there')
      const after = settled(document, thread, one, { writer, now, revision })
      if (after !== thread) document.state.threads.put(after, records)
      return one.thread
    })
}

function settled(
  document: OpenDocument,
  thread: Thread,
  { action, place }: Settlement,
  by: { readonly writer: Writer; readonly now: number; readonly revision: number },
): Thread {
  if (action === 'keep') return thread
  if (action === 'remap') return place === undefined ? thread : remapped(document, thread, place)
  const deleted = { at: by.now, by: by.writer.actor }
  return {
    ...thread,
    changedRevision: by.revision,
    comments: thread.comments.map((comment) =>
      comment.deleted ? comment : { ...comment, deleted },
    ),
  }
}

/** The old quote where it stands there once, else the whole block (extensions §13). */
function remapped(document: OpenDocument, thread: Thread, place: number): Thread {
  const { text } = document.view
  const range = blockAt(text, place)
  if (range === undefined || !isBlockId(range.id)) {
    throw new TypeError(`no block at ${place} of the text that was planned`)
  }
  const markdown = text.slice(range.from, range.to)
  const at = onlyOccurrence(markdown, thread.quote)
  const from = range.from + (at ?? 0)
  const words =
    at === undefined ? undefined : wordsIn(text, { from, to: from + thread.quote.length })
  const anchor = words && document.state.threads.anchoring().range(words.from, words.to)
  if (words && anchor) return { ...thread, anchor, lead: words.lead, trail: words.trail }
  return { ...thread, ...wholeBlock(text, range.id), quote: thread.quote }
}
