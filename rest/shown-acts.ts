/**
 * What is told of an act in a document, in an inbox (extensions §13) as to a webhook (extensions
 * §6): where it was, whose it was, and the comment it is about. It does not ask who may read it.
 */
import type { AccessControl } from '../core/access/access-control.ts'
import type { DocumentView, PlacedThread } from '../core/documents/contract.ts'
import type { ActorId } from '../schema/ids.ts'
import { wireComment } from './shown-threads.ts'

/** References to an act. */
export interface ActReferences {
  readonly actor: string
  readonly thread?: string
  readonly comment?: string
}

type Actors = Pick<AccessControl, 'actors'>

/** `placed`: its thread. `undefined`: its thread or comment is gone. */
export async function shownAct(act: ActReferences, view: DocumentView, access: Actors) {
  const placed = view.threads().find(({ summary }) => summary.id === act.thread)
  if (act.thread !== undefined && placed === undefined) return undefined
  const comment = placed?.thread.comments.find(({ id }) => id === act.comment)
  if (act.comment !== undefined && (comment === undefined || comment.deleted)) return undefined
  const wire = placed && comment ? wireComment(comment, placed) : null
  return {
    placed,
    document: { id: view.slug, title: view.title, apiUrl: `/docs/${view.slug}` },
    actor: await shownActor(act.actor as ActorId, access),
    thread_id: placed?.thread.id ?? null,
    comment: wire,
    quote: quoteOf(placed, view),
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

const quoteOf = (placed: PlacedThread | undefined, view: DocumentView): string | null =>
  placed?.range ? view.slice(placed.range.from, placed.range.to) : null
