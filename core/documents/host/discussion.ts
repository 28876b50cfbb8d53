/**
 * The discussion of documents, in their host (interface §3, §4.6): each act is judged on the
 * document as it is, stored as one revision with all that belongs to it, and answered when it is on
 * disk, in the spelling of the wire. What is refused leaves nothing behind.
 */
import { assertNever, Refusal } from '../../../schema/errors.ts'
import {
  type ActorId,
  type BlockId,
  newCommentId,
  newThreadId,
  type Slug,
} from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { type Keeping, outcomeRecords } from '../../commit/kept-outcomes.ts'
import type { HeldPermission, Writer } from '../../commit/permission.ts'
import { timed } from '../../runtime/steady-runtime.ts'
import type { Answered } from '../discussion.ts'
import type { BlockChanged } from '../history/comparisons.ts'
import type { Sources } from '../live/live-peer.ts'
import type { OpenDocument } from '../open/open-document.ts'
import { commentAct, type NewComment } from '../threads/commenting.ts'
import type { Sentiment } from '../threads/thread.ts'
import {
  type Act,
  type DiscussionMoment,
  decide,
  type Edited,
  edit,
  type Fields,
  feel,
  plusOne,
  remove,
  resolve,
  type SaidAct,
  standing,
  standingThread,
  threadActsOf,
  type Unheard,
  unresolve,
  withAnswer,
} from '../threads/thread-acts.ts'
import type { TextView } from '../views/text-view.ts'
import { accept, type HeldDocument } from './accepting.ts'
import type { DocumentRules, Notice } from './rules.ts'

/** Something said or decided, as plain data; `id` names a comment. */
export type DiscussionAct =
  | { readonly kind: 'comment'; readonly comment: Omit<NewComment, 'by'> }
  | { readonly kind: 'edit'; readonly id: string; readonly edited: Edited }
  | { readonly kind: 'remove' | 'plus-one' | 'reject'; readonly id: string }
  /** By one of its comments, whose words must stand, or by itself. */
  | {
      readonly kind: 'resolve'
      readonly what: { readonly comment: string } | { readonly thread: string }
      readonly text: string
    }
  | { readonly kind: 'unresolve'; readonly thread: string }
  | { readonly kind: 'feel'; readonly id: string; readonly sentiment: Sentiment }
  /** A reaction of `of` is taken away. Refuses FORBIDDEN those of others. */
  | { readonly kind: 'unfeel' | 'take-plus-one'; readonly id: string; readonly of: ActorId }
  /** With the markdown that it makes; `freeChars` as for a PATCH. */
  | { readonly kind: 'accept'; readonly id: string; readonly freeChars?: number | undefined }

/** An act, who does it, and what is stored with it. */
export interface ActRequest {
  readonly slug: Slug
  readonly act: DiscussionAct
  readonly writer: Writer
  readonly permission: HeldPermission | undefined
  readonly sources: Sources
  /** Agents that are told of nothing more that this one does. */
  readonly unheard: Unheard
  readonly keeping: Keeping | undefined
}

export interface ActResult {
  readonly answered: Answered
  /** Who is told of it. */
  readonly recipients: readonly ActorId[]
  /** About how many bytes its commit has because of it, where it changes the text. */
  readonly writtenBytes: number
}

export interface DiscussionHost {
  readonly runtime: Runtime
  readonly rules: DocumentRules
  readonly markdownMaxBytes: number
  using<T>(
    of: {
      readonly slug: Slug
      readonly sources: Sources
      readonly permission: HeldPermission | undefined
    },
    work: (document: OpenDocument) => Promise<T>,
  ): Promise<T>
  assertPermitted(permission: HeldPermission | undefined, facts: DocumentFacts): void
  /** The blocks that are not as they were in that revision, and up to which one that was asked. */
  changedSince(
    slug: Slug,
    revision: number,
    sources: Sources,
  ): Promise<{ readonly to: number; readonly changes: readonly BlockChanged[] }>
}

/** So often it is looked anew which blocks changed, where others write meanwhile. */
const looksMax = 4

/** Told of the time that an act takes, as it passes. */
type OnWork = (ms: number) => void

export class HostedDiscussion {
  readonly #host: DiscussionHost

  constructor(host: DiscussionHost) {
    this.#host = host
  }

  /** Refuses what the act refuses; throws `StalePermission`. */
  say(spoken: ActRequest, onWork: OnWork): Promise<ActResult> {
    const { act } = spoken
    if (act.kind === 'comment') return this.#comment(spoken, act.comment)
    if (act.kind === 'accept') return this.#accept(spoken, act, onWork)
    const plan = (held: HeldDocument) => planned(held, spoken.writer.actor, act)
    return this.#perform(spoken, plan).then(assertPlanned)
  }

  async #comment(spoken: ActRequest, comment: Omit<NewComment, 'by'>): Promise<ActResult> {
    const said = { ...comment, by: spoken.writer.actor }
    for (let looks = 1; ; looks++) {
      const stale = await this.#staleBlocks(spoken, said.expectedRevision)
      const answered = await this.#perform(spoken, (held) => {
        const { view } = held
        if (stale !== undefined && stale.to < view.revision && looks < looksMax) return undefined
        return commentAct({ ...naming(held), ...held, stale: stale?.blocks }, said)
      })
      if (answered !== undefined) return answered
    }
  }

  #accept(
    spoken: ActRequest,
    { id, freeChars }: Extract<DiscussionAct, { kind: 'accept' }>,
    onWork: OnWork,
  ): Promise<ActResult> {
    const { using, markdownMaxBytes, runtime } = this.#host
    const { writer, permission } = spoken
    return using(spoken, async (document) => {
      let recipients: readonly ActorId[] = []
      let writtenBytes = 0
      const also = (act: SaidAct) => {
        const notice = this.#noticeOf(spoken, act)
        recipients = notice.to
        return notice.puts
      }
      const onWritten = (bytes: number) => {
        writtenBytes = bytes
      }
      const answered = await document.stored(() => {
        const held = this.#hold(document, spoken)
        const how = { id, writer, permission, markdownMaxBytes, also, freeChars, onWritten }
        return timed(runtime, onWork, () => accept(held, how))
      })
      return { answered, recipients, writtenBytes }
    })
  }

  /** Undefined where the plan is: nothing was done. */
  #perform(
    spoken: ActRequest,
    plan: (held: HeldDocument) => Act<Fields> | undefined,
  ): Promise<ActResult | undefined> {
    return this.#host.using(spoken, (document) =>
      document.stored(() => {
        const held = this.#hold(document, spoken)
        const planned = plan(held)
        return planned && this.#write(held, planned, spoken)
      }),
    )
  }

  #write(
    { document, view, moment }: HeldDocument,
    act: Act<Fields>,
    spoken: ActRequest,
  ): ActResult {
    const { writer, permission, keeping } = spoken
    const said = threadActsOf(moment.threads, act)
    const answer = (revision: number): Answered => ({ ...act.answer(revision), revision })
    if (said === undefined)
      return { answered: answer(view.revision), recipients: [], writtenBytes: 0 }
    const { slug } = document
    let recipients: readonly ActorId[] = []
    const extras = (revision: number) => {
      const outcome = { slug, revision, answer: answer(revision) }
      const kept = keeping && outcomeRecords(keeping, outcome)
      const notice =
        act.said &&
        act.thread &&
        this.#noticeOf(spoken, { ...act.said, thread: act.thread(revision) })
      recipients = notice?.to ?? []
      const checks = keeping ? [keeping.check] : []
      return { checks, puts: [...(kept ?? []), ...(notice?.puts ?? [])], permission }
    }
    document.writes.say(act.event, said, { writer, extras })
    return { answered: answer(document.revision), recipients, writtenBytes: 0 }
  }

  #noticeOf({ slug, writer }: ActRequest, act: SaidAct): Notice {
    return this.#host.rules.noticeOf(slug, writer.actor, act)
  }

  #hold(document: OpenDocument, { permission, unheard }: ActRequest): HeldDocument {
    const { runtime } = this.#host
    const view = document.settle()
    this.#host.assertPermitted(permission, view.facts)
    const moment = {
      threads: document.state.threads,
      revision: view.revision,
      now: runtime.now(),
      newThreadId: () => newThreadId(runtime),
      newCommentId: () => newCommentId(runtime),
      unheard,
    }
    return { document, view, moment }
  }

  /** Undefined where nobody asked. */
  async #staleBlocks(
    { slug, sources }: ActRequest,
    expected: number | undefined,
  ): Promise<{ readonly to: number; readonly blocks: ReadonlySet<BlockId> } | undefined> {
    if (expected === undefined || expected < 1) return undefined
    try {
      const { to, changes } = await this.#host.changedSince(slug, expected, sources)
      return { to, blocks: new Set(changes.map(({ id }) => id)) }
    } catch (error) {
      // It is ahead of the document, which the act itself says.
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined
      throw error
    }
  }
}

type ShortAct = Exclude<DiscussionAct, { kind: 'comment' | 'accept' }>

/** What an act comes to on the document as it is, answered in the spelling of the wire. */
function planned({ moment, view }: HeldDocument, by: ActorId, act: ShortAct): Act<Fields> {
  switch (act.kind) {
    case 'edit': {
      const { id, edited } = act
      return withAnswer(
        edit(moment, { ...edited, id, by }),
        ({ text, editedAt, at, suggestion }) => ({
          comment_id: id,
          text,
          edited_at: new Date(editedAt ?? at).toISOString(),
          ...(edited.newString !== undefined && {
            suggestion: { new_string: suggestion?.newString },
          }),
        }),
      )
    }
    case 'remove':
      return withAnswer(remove(moment, act.id, by), () => ({ deleted: true, comment_id: act.id }))
    case 'resolve':
      return resolution(moment, view, { ...act, by })
    case 'unresolve':
      return withAnswer(unresolve(standingThread(moment.threads, act.thread)), (ids) => ({
        thread_id: act.thread,
        resolved: false,
        removed_resolution_ids: ids,
      }))
    case 'feel': {
      const { id, sentiment } = act
      return withAnswer(feel(moment, { id, by, of: by, sentiment }), () => ({
        ...reaction(id, by),
        sentiment,
      }))
    }
    case 'plus-one':
      return withAnswer(plusOne(moment, { id: act.id, by, of: by, isGiven: true }), () =>
        reaction(act.id, by),
      )
    case 'unfeel':
      return withAnswer(feel(moment, { id: act.id, by, of: act.of, sentiment: null }), () =>
        gone(act.id, act.of),
      )
    case 'take-plus-one':
      return withAnswer(plusOne(moment, { id: act.id, by, of: act.of, isGiven: false }), () =>
        gone(act.id, act.of),
      )
    case 'reject':
      return withAnswer(decide(moment, act.id, 'rejected'), () => ({
        comment_id: act.id,
        status: 'rejected',
      }))
    default:
      return assertNever(act)
  }
}

function resolution(
  moment: DiscussionMoment,
  view: TextView,
  { what, text, by }: Extract<ShortAct, { kind: 'resolve' }> & { readonly by: ActorId },
): Act<Fields> {
  const { threads } = moment
  const isComment = 'comment' in what
  const thread = isComment
    ? standing(threads, what.comment).thread
    : standingThread(threads, what.thread)
  const isAnchored = !thread.anchor.isLost || thread.resolution !== undefined
  if (isComment && !isAnchored) {
    throw new Refusal('MARK_ANCHOR_NOT_FOUND', { revision: view.revision })
  }
  const comment = isComment ? what.comment : thread.comments[0]?.id
  const act = resolve(moment, thread, { by, text })
  return withAnswer(act, ({ id }) => ({ comment_id: comment, resolution_id: id, resolved: true }))
}

function assertPlanned(said: ActResult | undefined): ActResult {
  if (said === undefined) throw new TypeError('an act that was not planned')
  return said
}

const naming = ({ document, view }: HeldDocument) => ({
  text: view.text,
  revision: view.revision,
  tombstones: document.state.tombstones,
  anchoring: document.state.threads.anchoring(),
})

const reaction = (id: string, actor: ActorId) => ({ comment_id: id, actor_id: actor })
const gone = (id: string, actor: ActorId) => ({ deleted: true, ...reaction(id, actor) })
