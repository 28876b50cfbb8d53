/**
 * Accepting a suggestion (interface §3): an edit of the words that it is about, planned and written
 * as any other, credited to who suggested it, in one commit with the decision. Other threads of the
 * replaced words go over to the new ones.
 */
import { Refusal } from '../../../schema/errors.ts'
import type { ThreadId } from '../../../schema/ids.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import type { RecordWriter } from '../../commit/participant.ts'
import type { HeldPermission, Writer } from '../../commit/permission.ts'
import type { Answered } from '../discussion.ts'
import { assertFree } from '../edits/free-chars.ts'
import { planEdits } from '../edits/plan/plan.ts'
import type { OpenDocument } from '../open/open-document.ts'
import { replacing } from '../threads/commenting.ts'
import { placedThread, tracked } from '../threads/placed.ts'
import { followReplaced } from '../threads/replaced.ts'
import type { Thread } from '../threads/thread.ts'
import { type DiscussionMoment, decide, type SaidAct } from '../threads/thread-acts.ts'
import type { Fates } from '../threads/threads.ts'
import type { TextView } from '../views/text-view.ts'

export interface Accepting {
  readonly id: string
  readonly writer: Writer
  readonly permission: HeldPermission | undefined
  readonly markdownMaxBytes: number
  /** How many characters may come; undefined: any. */
  readonly freeChars: number | undefined
  /** Told about how many bytes the commit has because of it. */
  readonly onWritten: (bytes: number) => void
  /** The records that tell others of it. */
  also(act: SaidAct): readonly { readonly key: string; readonly value: Uint8Array }[]
}

export function accept(
  held: HeldDocument,
  { id, writer, permission, markdownMaxBytes, also, freeChars, onWritten }: Accepting,
): Answered {
  const { document, view, moment } = held
  const decision = decide(moment, id, 'accepted')
  const { thread: decided, from: thread, suggestion } = decision
  const fields = { comment_id: id, status: 'accepted' }
  if (decided === undefined) {
    return { ...fields, markdown: view.markdown, revision: view.revision }
  }
  const range = whatItReplaces(held, thread, suggestion)
  const author = thread.comments.find((comment) => comment.id === id)?.by ?? writer.actor
  const plan = planEdits({
    text: view.text,
    revision: view.revision,
    baseRevision: view.revision,
    edits: [replacing(thread.anchor, suggestion, range)],
    actor: author,
    tombstones: document.state.tombstones,
    commented: (block) => document.state.threads.wordsIn(block, thread.id),
    maxBytes: markdownMaxBytes,
  })
  assertFree(freeChars, view.text, plan.text)
  const follow = followReplaced(moment.threads, view.text, range)
  let orphaned: readonly ThreadId[] = []
  const threadWrites = (records: RecordWriter, revision: number): readonly ThreadId[] => {
    const { anchor } = moment.threads.get(thread.id) ?? thread
    moment.threads.put({ ...decided(revision), anchor }, records)
    orphaned = follow(document.view.text, records)
    return [thread.id]
  }
  let became: Fates | undefined
  const extras = (revision: number, fates?: Fates) => {
    became = fates
    const heard = decision.said && also({ ...decision.said, thread: decided(revision) })
    return { checks: [], puts: heard ?? [], permission }
  }
  if (plan.operations.length === 0) {
    document.writes.say('edit', (records, revision) => threadWrites(records, revision), {
      writer,
      extras,
    })
  } else document.writes.edit(plan, { writer, author, threadWrites, extras, onWritten })
  const { markdown, revision } = document.view
  const others = orphaned.filter((one) => one !== thread.id)
  return {
    ...fields,
    markdown,
    revision,
    ...(became && { comments: became }),
    ...(others.length > 0 && { orphaned_threads: others }),
  }
}

function whatItReplaces(
  { view }: HeldDocument,
  thread: Thread,
  suggestion: Parameters<typeof tracked>[2],
): TextRange {
  const { text, revision } = view
  const { range } = placedThread(text, thread)
  if (range === undefined) {
    if (thread.anchor.scope === 'range') throw new Refusal('ORPHANED_ANCHOR', { revision })
    throw new Refusal('BLOCK_STALE', { revision, current_text: null, block_deleted: true })
  }
  const found = tracked(text, range, suggestion)
  if (found !== undefined) return found
  const current = text.slice(range.from, range.to)
  throw new Refusal('BLOCK_STALE', { revision, current_text: current })
}

/** The document at the moment of an act. */
export interface HeldDocument {
  readonly document: OpenDocument
  readonly view: TextView
  readonly moment: DiscussionMoment
}
