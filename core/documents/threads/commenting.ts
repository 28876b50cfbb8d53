/**
 * A new comment, reply or suggestion (interface §4.6), judged on the document as it is: what it is
 * about, whether that still stands as its author has read it, and what it would replace.
 */
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import { shortened } from '../../../schema/shortened.ts'
import { isPositional } from '../edits/plan/block-targets.ts'
import { planEdits } from '../edits/plan/plan.ts'
import type { Edit } from '../edits/request/edit.ts'
import { type Anchor, blockWordsChars } from './anchor.ts'
import { placedThread, tracked } from './placed.ts'
import {
  firstBlock,
  type NamedPlace,
  type Naming,
  namedBlock,
  pointedAt,
  quoted,
  type Target,
  wholeBlock,
} from './targets.ts'
import type { Notify, Suggestion, Thread } from './thread.ts'
import {
  type Act,
  comment,
  type DiscussionMoment,
  type Fields,
  resolve,
  standingThread,
  withAnswer,
} from './thread-acts.ts'
import { isInOneBlock, wireAnchor } from './wire-anchor.ts'

/** Of an anchor, told to who has not sent its words. */
const anchorShownMaxChars = 8_192

export interface NewComment {
  readonly by: ActorId
  readonly text: string
  /** What it is about: one of these, or without any the whole document. */
  readonly quote?: string | undefined
  readonly blockId?: string | undefined
  readonly place?: NamedPlace | undefined
  readonly replyTo?: string | undefined
  readonly threadId?: string | undefined
  /** What is proposed in place of what it is about. */
  readonly newString?: string | undefined
  readonly expectedRevision?: number | undefined
  readonly isResolution: boolean
  readonly notify?: Notify | undefined
  readonly mentions?: readonly ActorId[] | undefined
  /** What its author is told beside. */
  readonly warning?: string | undefined
}

export interface CommentingContext extends Naming {
  readonly moment: DiscussionMoment
  /** Blocks that are not as they were in the expected revision; undefined: nobody looked. */
  readonly stale: ReadonlySet<BlockId> | undefined
}

type About = Thread | Target

/** Of a block's markdown only the beginning: its anchor says which block it is. */
const kept = (about: About): About =>
  about.anchor.scope === 'range'
    ? about
    : { ...about, quote: shortened(about.quote, blockWordsChars) }

export function commentAct(context: CommentingContext, said: NewComment): Act<Fields> {
  const about = aboutOf(context, said)
  if (said.isResolution) return resolution(context, about, said)
  const { newString } = said
  const suggestion = newString === undefined ? undefined : suggest(context, about, said, newString)
  const { anchor, quote } = about
  const act = comment(context.moment, kept(about), { ...said, suggestion })
  const maxChars = said.quote === undefined ? anchorShownMaxChars : Number.POSITIVE_INFINITY
  const wire = wireAnchor(context.text, anchor, { quote: said.quote ?? quote, maxChars })
  const isNamed = suggestion === undefined && isInOneBlock(context.text, anchor)
  const fields = {
    anchor: wire,
    ...(isNamed && { anchor_block_id: anchor.block }),
  }
  return withAnswer(act, ({ comment: made, thread }) => {
    const created = new Date(made.at).toISOString()
    const answer = { comment_id: made.id, created_at: created, thread_id: thread.id, ...fields }
    const warning = warningOf(said.warning, made.depth, act.said?.unheard)
    return warning === undefined ? answer : { ...answer, warning }
  })
}

/** Agents that answer each other for long are not told of it any more (extensions §13). */
function warningOf(
  warning: string | undefined,
  depth: number,
  unheard: readonly ActorId[] = [],
): string | undefined {
  const often = 'agents have replied to each other too often in this thread:'
  const quiet =
    depth >= limits.agentsDepthMax
      ? `${often} no agent is notified`
      : unheard.length > 0 && `${often} not notified: ${unheard.join(', ')}`
  return [warning, quiet].filter((part) => part).join('; ') || undefined
}

function assertExpected({ revision }: Naming, { expectedRevision: expected }: NewComment): void {
  if (expected !== undefined && expected > revision) {
    throw new Refusal('EXPECTED_REVISION_FUTURE', { revision })
  }
}

function aboutOf(context: CommentingContext, said: NewComment): About {
  const { quote, blockId, replyTo, threadId } = said
  if (replyTo !== undefined || threadId !== undefined) return answered(context, said)
  assertExpected(context, said)
  if (quote !== undefined) return quoted(context, quote, said.newString === undefined)
  if (said.place !== undefined) return pointedAt(context, said.place)
  if (blockId === undefined) return firstBlock(context)
  // A position says which block that was only in the revision it was read of (interface §2.1).
  const isOld = (said.expectedRevision ?? context.revision) < context.revision
  if (isOld && isPositional(blockId)) {
    throw new Refusal('BLOCK_NOT_FOUND', { revision: context.revision })
  }
  const id = namedBlock(context, blockId, said.newString !== undefined)
  return wholeBlock(context.text, id)
}

/** The thread that is answered: first whether it is there, then whether it may be. */
function answered(context: CommentingContext, said: NewComment): Thread {
  const { threads } = context.moment
  const { replyTo, threadId } = said
  const named = threadId === undefined ? undefined : standingThread(threads, threadId)
  const target = replyTo === undefined ? undefined : threads.ofComment(replyTo)
  if (replyTo !== undefined) {
    if (target === undefined) throw new Refusal('REPLY_TARGET_NOT_FOUND')
    if (named !== undefined && target.thread.id !== named.id) {
      throw new Refusal('THREAD_TARGET_MISMATCH')
    }
    if (target.comment.deleted) throw new Refusal('REPLY_TARGET_DELETED')
  }
  const thread = named ?? target?.thread
  if (thread === undefined) throw new TypeError('an answer to nothing')
  assertExpected(context, said)
  if (thread.resolution !== undefined && !said.isResolution) throw new Refusal('THREAD_RESOLVED')
  return thread
}

function resolution(
  { moment, revision, text }: CommentingContext,
  about: About,
  said: NewComment,
): Act<Fields> {
  if (!('id' in about)) throw new TypeError('a resolution of what is no thread')
  if (about.anchor.isLost && about.resolution === undefined) {
    throw new Refusal('MARK_ANCHOR_NOT_FOUND', { revision })
  }
  const act = resolve(moment, about, said)
  const shown = { quote: about.quote, maxChars: anchorShownMaxChars }
  const anchor = wireAnchor(text, about.anchor, shown)
  return withAnswer(act, ({ id, at }) => {
    const made = { comment_id: id, created_at: new Date(at).toISOString() }
    const warning = warningOf(said.warning, 0, act.said?.unheard)
    return { ...made, thread_id: about.id, resolved: true, anchor, ...(warning && { warning }) }
  })
}

/** What it would replace as it stands now; refuses what could not be accepted now either. */
function suggest(
  context: CommentingContext,
  about: About,
  { expectedRevision, by }: NewComment,
  newString: string,
): Suggestion {
  const { text, revision } = context
  const stands = whatStands(context, about)
  const { range, lead, trail } = stands
  const current = text.slice(range.from, range.to)
  const limit = limits.suggestionMaxBytes
  const size = Buffer.byteLength(current)
  if (size > limit) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })
  const isStale = context.stale?.has(about.anchor.block) === true
  if (expectedRevision !== undefined && isStale) {
    throw new Refusal('BLOCK_STALE', { revision, current_text: current })
  }
  planEdits({
    text,
    revision,
    baseRevision: revision,
    edits: [replacing(about.anchor, { oldString: current, newString }, range)],
    actor: by,
    tombstones: context.tombstones,
  })
  return {
    kind: 'replace',
    oldString: current,
    newString,
    status: 'pending',
    createdAgainst: revision,
    lead,
    trail,
  }
}

interface Standing {
  readonly range: TextRange
  readonly lead: number
  readonly trail: number
}

/** The markdown of what it is about, with the markup that was named around it where that stands. */
function whatStands({ text, revision }: CommentingContext, about: About): Standing {
  const bare = 'id' in about ? about : { ...about, comments: [] }
  const { range } = placedThread(text, bare as Thread)
  if (range === undefined) throw new Refusal('ORPHANED_ANCHOR', { revision })
  const { quote: oldString, lead, trail } = about
  const marked = tracked(text, range, { oldString, lead, trail })
  return marked === undefined ? { range, lead: 0, trail: 0 } : { range: marked, lead, trail }
}

/**
 * A suggestion as an edit: the same when made and when accepted. A whole block that gives way to
 * nothing is deleted.
 */
export function replacing(
  anchor: Anchor,
  { oldString, newString }: { readonly oldString: string; readonly newString: string },
  { from }: TextRange,
): Edit {
  const isGone = anchor.scope === 'block' && newString === ''
  if (isGone) return { form: 'delete_block', block: anchor.block }
  return { form: 'replace', oldString, newString, at: from }
}
