/**
 * What is told of an act in a document, in an inbox (extensions §13) as to a webhook (extensions
 * §6): where it was, whose it was, and the comment it is about. It does not ask who may read it.
 */
import type { AccessControl } from '../../core/access/access-control.ts'
import type { DocumentView, ReadWish } from '../../core/documents/contract.ts'
import type { ActorId } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { wireComment } from '../comments/shown-threads.ts'

/** References to an act. */
export interface ActReferences {
  readonly actor: string
  readonly thread?: string
  readonly comment?: string
}

/** What is read of a document to show such an act, and where its words are. */
export function wishFor({ thread }: ActReferences): ReadWish {
  const ids = thread === undefined ? [] : [thread]
  // One more than is shown tells that a block goes on.
  const blockMaxChars = limits.inboxBlockMaxChars + 1
  return { threads: { kind: 'named', ids }, excerpts: { blockMaxChars } }
}

type Actors = Pick<AccessControl, 'actors'>

/** `view`: what `wishFor` wishes. `excerpt`: the words of its thread. `undefined`: its thread or comment is gone. */
export async function shownAct(act: ActReferences, view: DocumentView, access: Actors) {
  const placed = view.threads().find(({ id }) => id === act.thread)
  if (act.thread !== undefined && placed === undefined) return undefined
  const comment = placed?.thread.comments.find(({ id }) => id === act.comment)
  if (act.comment !== undefined && (comment === undefined || comment.deleted)) return undefined
  const excerpt = placed && view.excerptOf(placed.id)
  const wire = placed && comment ? wireComment(comment, placed) : null
  return {
    excerpt,
    document: { id: view.slug, title: view.title, apiUrl: `/docs/${view.slug}` },
    actor: await shownActor(act.actor as ActorId, access),
    thread_id: placed?.thread.id ?? null,
    comment: wire,
    quote: excerpt?.quote ?? null,
    notify: wire?.notify ?? null,
  }
}

export async function shownActor(actor: ActorId, access: Actors) {
  const shown = (await access.actors([actor]))[actor]
  return { actor_id: actor, handle: shown?.handle ?? actor, name: shown?.name ?? actor }
}

export const aboutNoDocument = {
  document: null,
  thread_id: null,
  comment: null,
  quote: null,
  notify: null,
} as const
