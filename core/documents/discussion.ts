/**
 * What documents offer of their discussion (interface §3, §4.6): each act is judged on the document
 * as it is, stored as one revision with all that belongs to it, and answered when it is on disk, in
 * the spelling of the wire. What is refused leaves nothing behind.
 */
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import {
  type ActorId,
  type BlockId,
  newCommentId,
  newThreadId,
  type Slug,
} from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Steps } from '../../schema/steps.ts'
import type { Permission, Writer } from '../commit/permission.ts'
import { measured } from '../turns/turns.ts'
import { accepting } from './accepting.ts'
import type { EditCosts, IdempotencyClaim } from './contract.ts'
import type { BlockChanged } from './history/since.ts'
import type { Idempotency } from './idempotency.ts'
import type { Sources } from './live/live-peer.ts'
import type { OpenDocument } from './open/open-document.ts'
import { commenting, type NewComment } from './threads/commenting.ts'
import {
  type Act,
  decide,
  type Edited,
  edit,
  type Fields,
  feel,
  type Moment,
  plusOne,
  remove,
  resolve,
  type SaidAct,
  saying,
  standing,
  standingThread,
  told,
  unresolve,
} from './threads/saying.ts'
import type { Sentiment } from './threads/thread.ts'
import type { TextView } from './views/text-view.ts'

export type { SaidAct } from './threads/saying.ts'

/** Who speaks, and what lets them. */
export interface Speaker {
  readonly writer: Writer
  readonly permission?: Permission | undefined
  readonly sources?: Sources | undefined
  readonly idempotency?: IdempotencyClaim | undefined
  /** The agents that are told of nothing more that it does; `to`: whom it calls. */
  readonly unheard?: ((to: ReadonlySet<ActorId>) => readonly ActorId[]) | undefined
  /** Records of others that belong to the act. */
  readonly also?: ((act: SaidAct) => Puts) | undefined
}

export type Puts = readonly { readonly key: string; readonly value: Uint8Array }[]

/** The body of the answer. */
export type Answered = Fields & { readonly revision: number }

export interface Discussion {
  /** `comment` is asked for unless the request was answered before. */
  comment(
    slug: Slug,
    by: Speaker,
    comment: () => Promise<Omit<NewComment, 'by'>>,
  ): Promise<Answered>
  edit(slug: Slug, by: Speaker, id: string, edited: Edited): Promise<Answered>
  remove(slug: Slug, by: Speaker, id: string): Promise<Answered>
  /** By one of its comments, whose words must stand, or by itself. */
  resolve(
    slug: Slug,
    by: Speaker,
    what: { readonly comment: string } | { readonly thread: string },
    text: string,
  ): Promise<Answered>
  unresolve(slug: Slug, by: Speaker, thread: string): Promise<Answered>
  feel(slug: Slug, by: Speaker, id: string, sentiment: Sentiment): Promise<Answered>
  plusOne(slug: Slug, by: Speaker, id: string): Promise<Answered>
  /** Refuses FORBIDDEN those of others. */
  unfeel(slug: Slug, by: Speaker, id: string, of: ActorId): Promise<Answered>
  takePlusOne(slug: Slug, by: Speaker, id: string, of: ActorId): Promise<Answered>
  /** With the markdown that it makes. */
  accept(slug: Slug, by: Speaker & EditCosts, id: string): Promise<Answered>
  reject(slug: Slug, by: Speaker, id: string): Promise<Answered>
}

export interface DiscussionHost {
  readonly runtime: Runtime
  readonly idempotency: Idempotency
  readonly markdownMaxBytes: number
  using<T>(
    slug: Slug,
    by: { readonly sources?: Sources | undefined; readonly permission?: Permission | undefined },
    work: (document: OpenDocument, permission: Permission | undefined) => Promise<T>,
  ): Promise<T>
  /** The blocks that are not as they were in that revision, and up to which one that was asked. */
  changedSince(
    slug: Slug,
    revision: number,
    sources: Sources | undefined,
  ): Promise<{ readonly to: number; readonly changes: readonly BlockChanged[] }>
}

/** The document while nobody else reads or writes it. */
export interface HeldDocument {
  readonly document: OpenDocument
  readonly view: TextView
  readonly moment: Moment
}

export const discussionOf = (host: DiscussionHost): Discussion => new StoredDiscussion(host)

/** So often it is looked anew which blocks changed, where others write meanwhile. */
const looksMax = 4

class StoredDiscussion implements Discussion {
  readonly #host: DiscussionHost

  constructor(host: DiscussionHost) {
    this.#host = host
  }

  async comment(
    slug: Slug,
    by: Speaker,
    comment: () => Promise<Omit<NewComment, 'by'>>,
  ): Promise<Answered> {
    return this.#once(slug, by, async (checks) => {
      const said = { ...(await comment()), by: by.writer.actor }
      for (let looks = 1; ; looks++) {
        const stale = await this.#staleBlocks(slug, by, said.expectedRevision)
        const answered = await this.#acting(slug, { ...by, checks }, function* (held) {
          const { view } = held
          if (stale !== undefined && stale.to < view.revision && looks < looksMax) return undefined
          return yield* commenting({ ...naming(held), ...held, stale: stale?.blocks }, said)
        })
        if (answered !== undefined) return answered
      }
    })
  }

  edit(slug: Slug, by: Speaker, id: string, edited: Edited): Promise<Answered> {
    return this.#act(slug, by, ({ moment }) => {
      const act = edit(moment, { ...edited, id, by: by.writer.actor })
      return told(act, ({ text, editedAt, at, suggestion }) => ({
        comment_id: id,
        text,
        edited_at: iso(editedAt ?? at),
        ...(edited.newString !== undefined && {
          suggestion: { new_string: suggestion?.newString },
        }),
      }))
    })
  }

  remove(slug: Slug, by: Speaker, id: string): Promise<Answered> {
    return this.#act(slug, by, ({ moment }) =>
      told(remove(moment, id, by.writer.actor), () => ({ deleted: true, comment_id: id })),
    )
  }

  resolve(
    slug: Slug,
    by: Speaker,
    what: { readonly comment: string } | { readonly thread: string },
    text: string,
  ): Promise<Answered> {
    return this.#act(slug, by, ({ moment, view }) => {
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
      const act = resolve(moment, thread, { by: by.writer.actor, text })
      return told(act, ({ id }) => ({ comment_id: comment, resolution_id: id, resolved: true }))
    })
  }

  unresolve(slug: Slug, by: Speaker, thread: string): Promise<Answered> {
    return this.#act(slug, by, ({ moment }) =>
      told(unresolve(standingThread(moment.threads, thread)), (ids) => ({
        thread_id: thread,
        resolved: false,
        removed_resolution_ids: ids,
      })),
    )
  }

  feel(slug: Slug, by: Speaker, id: string, sentiment: Sentiment): Promise<Answered> {
    const { actor } = by.writer
    return this.#act(slug, by, ({ moment }) =>
      told(feel(moment, { id, by: actor, of: actor, sentiment }), () => ({
        ...reaction(id, actor),
        sentiment,
      })),
    )
  }

  plusOne(slug: Slug, by: Speaker, id: string): Promise<Answered> {
    const { actor } = by.writer
    return this.#act(slug, by, ({ moment }) =>
      told(plusOne(moment, { id, by: actor, of: actor, isGiven: true }), () => reaction(id, actor)),
    )
  }

  unfeel(slug: Slug, by: Speaker, id: string, of: ActorId): Promise<Answered> {
    return this.#act(slug, by, ({ moment }) =>
      told(feel(moment, { id, by: by.writer.actor, of, sentiment: null }), () => gone(id, of)),
    )
  }

  takePlusOne(slug: Slug, by: Speaker, id: string, of: ActorId): Promise<Answered> {
    return this.#act(slug, by, ({ moment }) =>
      told(plusOne(moment, { id, by: by.writer.actor, of, isGiven: false }), () => gone(id, of)),
    )
  }

  async accept(slug: Slug, by: Speaker & EditCosts, id: string): Promise<Answered> {
    const { using, markdownMaxBytes, runtime } = this.#host
    const { onWork = () => {}, onWritten, beforeWrite } = by
    return using(slug, by, async (document, permission) => {
      const fields = await document.exclusive.run(() => {
        const held = this.#hold(document, { ...by, permission })
        const costs = { onWritten, beforeWrite }
        const accept = { ...by, id, permission, markdownMaxBytes, costs }
        return measured(runtime, accepting(held, accept), onWork)
      })
      await document.durable()
      return fields
    })
  }

  reject(slug: Slug, by: Speaker, id: string): Promise<Answered> {
    return this.#act(slug, by, ({ moment }) =>
      told(decide(moment, id, 'rejected'), () => ({ comment_id: id, status: 'rejected' })),
    )
  }

  async #act(
    slug: Slug,
    by: Speaker,
    plan: (held: HeldDocument) => Act<Fields>,
  ): Promise<Answered> {
    const steps = (held: HeldDocument): Steps<Act<Fields>> => onlyStep(() => plan(held))
    return this.#once(slug, by, async (checks) => {
      const answered = await this.#acting(slug, { ...by, checks }, steps)
      if (answered === undefined) throw new TypeError('an act that was not planned')
      return answered
    })
  }

  /** Undefined where the plan is: nothing was done. */
  #acting(
    slug: Slug,
    { checks, ...by }: Speaker & { readonly checks: readonly Check[] },
    plan: (held: HeldDocument) => Steps<Act<Fields> | undefined>,
  ): Promise<Answered | undefined> {
    return this.#host.using(slug, by, async (document, permission) => {
      const self = this
      const answered = await document.exclusive.run(function* () {
        const held = self.#hold(document, { ...by, permission })
        const planned = yield* plan(held)
        return planned && self.#write(held, planned, { ...by, permission, checks })
      })
      await document.durable()
      return answered
    })
  }

  #write(
    { document, view, moment }: HeldDocument,
    act: Act<Fields>,
    by: Speaker & { readonly checks: readonly Check[] },
  ): Answered {
    const { writer, permission, idempotency, checks, also } = by
    const said = saying(moment.threads, act)
    const answer = (revision: number): Answered => ({ ...act.answer(revision), revision })
    if (said === undefined) return answer(view.revision)
    const { slug } = document
    const extras = (revision: number) => {
      const kept = idempotency && {
        claim: idempotency,
        outcome: { slug, revision, answer: answer(revision) },
      }
      const puts = kept ? this.#host.idempotency.records(kept.claim, kept.outcome) : []
      const heard = act.said && act.thread && also?.({ ...act.said, thread: act.thread(revision) })
      return { checks, puts: [...puts, ...(heard ?? [])], permission }
    }
    document.writes.say(act.event, said, { writer, extras })
    return answer(document.revision)
  }

  #hold(document: OpenDocument, { permission, unheard }: Speaker): HeldDocument {
    const { runtime } = this.#host
    const view = document.settle()
    permission?.assertOn(view.facts)
    const moment = {
      threads: document.threads,
      revision: view.revision,
      now: runtime.now(),
      newThreadId: () => newThreadId(runtime),
      newCommentId: () => newCommentId(runtime),
      unheard: (to: ReadonlySet<ActorId>) => unheard?.(to) ?? [],
    }
    return { document, view, moment }
  }

  async #once(
    slug: Slug,
    { idempotency }: Speaker,
    effect: (checks: readonly Check[]) => Promise<Answered>,
  ): Promise<Answered> {
    return this.#host.idempotency.once(idempotency, 'IDEMPOTENCY_KEY_REUSED', {
      effect,
      replay: async ({ answer, slug: kept }) => {
        if (kept !== slug) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
        return answer as Answered
      },
    })
  }

  /** Undefined where nobody asked. */
  async #staleBlocks(
    slug: Slug,
    { sources }: Speaker,
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

function* onlyStep<T>(work: () => T): Steps<T> {
  yield
  return work()
}

const naming = ({ document, view }: HeldDocument) => ({
  text: view.text,
  revision: view.revision,
  tombstones: document.tombstones,
  anchoring: document.threads.anchoring(),
})

const reaction = (id: string, actor: ActorId) => ({ comment_id: id, actor_id: actor })
const gone = (id: string, actor: ActorId) => ({ deleted: true, ...reaction(id, actor) })

const iso = (ms: number): string => new Date(ms).toISOString()
