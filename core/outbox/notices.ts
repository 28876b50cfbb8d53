/**
 * Who should hear of what is said and decided (interface §6.3, extensions §13): made of the act and
 * stored in its own commit, so that nothing is told that did not happen, and nothing that happened
 * is forgotten. Nobody hears of its own acts; who gets it in the end is judged when it is read.
 */

import { outboxKey } from '../../persistence/keys.ts'
import type { Put } from '../../persistence/store.ts'
import { type ActorId, isNameless, randomName, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { SaidAct } from '../documents/contract.ts'
import { type NoticeRecord, records } from '../records/records.ts'

/** Who wrote in a thread and is told of an act in it, the latest; others have the feed. */
const notifiedPerActMax = 200

const askingKinds: ReadonlySet<string> = new Set(['blocked', 'decision'])

/** Of an act in a thread; undefined where nobody could want to hear of it. */
export function noticeOf(
  runtime: Runtime,
  { slug, by, act }: { readonly slug: Slug; readonly by: ActorId; readonly act: SaidAct },
): NoticeRecord | undefined {
  const { thread, comment, unheard = [] } = act
  const events = new Map<ActorId, string[]>()
  const tell = (actors: Iterable<ActorId>, event: string): void => {
    for (const actor of actors) {
      if (actor === by || isNameless(actor) || unheard.includes(actor)) continue
      const known = events.get(actor)
      if (known === undefined) events.set(actor, [event])
      else if (!known.includes(event)) known.push(event)
    }
  }
  const said = thread.comments.find(({ id }) => id === comment)
  const isComment = act.kind === 'comment' || act.kind === 'reply'
  const calling = isComment ? said : act.kind === 'resolve' ? thread.resolution : undefined
  tell(calling?.mentions ?? [], 'mention')
  if (askingKinds.has(calling?.notify?.kind ?? '')) {
    tell(calling?.mentions ?? [], 'doc.review_requested')
  }
  const others = thread.comments.filter(({ deleted, id }) => !deleted && id !== comment)
  if (act.kind === 'reply') tell(authorsOf(others), 'comment.replied')
  if (act.kind === 'resolve') tell(authorsOf(thread.comments), 'thread.resolved')
  if (said && act.kind === 'accept') tell([said.by], 'suggestion.accepted')
  if (said && act.kind === 'reject') tell([said.by], 'suggestion.rejected')
  if (events.size === 0 && !isComment) return undefined
  return {
    at: runtime.now(),
    slug,
    actor: by,
    thread: thread.id,
    ...(comment !== undefined && { comment }),
    ...(isComment && { toAll: 'comment.created' }),
    // Of what all are told, too, those hear nothing that stand here.
    to: [
      ...unheard.map((actor) => ({ actor, events: [] })),
      ...[...events].map(([actor, names]) => ({ actor, events: names })),
    ],
    ...((said?.depth ?? 0) >= limits.agentsDepthMax && { peopleOnly: true }),
  }
}

/** Somebody was let into a document by handle. */
export const invitationNotice = (
  runtime: Runtime,
  { slug, by, to }: { readonly slug: Slug; readonly by: ActorId; readonly to: ActorId },
): NoticeRecord => ({
  at: runtime.now(),
  slug,
  actor: by,
  to: [{ actor: to, events: ['doc.shared'] }],
})

/** Of an agent to the account that owns it; about no document. */
export const noticeToOwner = (
  runtime: Runtime,
  {
    agent,
    owner,
    event,
  }: { readonly agent: string; readonly owner: string; readonly event: string },
): NoticeRecord => ({ at: runtime.now(), actor: agent, to: [{ actor: owner, events: [event] }] })

export const putOf = (runtime: Runtime, notice: NoticeRecord): Put => ({
  key: outboxKey(randomName(runtime, 20)),
  value: records.notice.encode(notice),
})

/** The latest first. */
function authorsOf(
  comments: readonly { readonly by: ActorId; readonly deleted?: unknown }[],
): Set<ActorId> {
  const authors = new Set<ActorId>()
  for (const { by, deleted } of comments.toReversed()) {
    if (authors.size === notifiedPerActMax) break
    if (!deleted && !isNameless(by)) authors.add(by)
  }
  return authors
}
