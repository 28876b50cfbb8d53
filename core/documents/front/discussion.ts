/**
 * What documents offer of their discussion (interface §3, §4.6): each act is judged on the document
 * as it is, stored as one revision with all that belongs to it, and answered when it is on disk, in
 * the spelling of the wire. What is refused leaves nothing behind.
 */
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Answered, Discussion, EditCosts, Speaker } from '../discussion.ts'
import { unnamed } from '../host/creating.ts'
import type { ActResult, DiscussionAct } from '../host/discussion.ts'
import type { Unheard } from '../threads/thread-acts.ts'
import type { Hosts } from './hosts.ts'
import type { Idempotency } from './idempotency.ts'
import { permitted } from './permitted.ts'

const allHear: Unheard = { named: [], others: [] }

export function discussionOf(idempotency: Idempotency, hosts: Hosts): Discussion {
  const say = async (
    slug: Slug,
    { sources = unnamed, unheard = allHear, ...by }: Speaker & EditCosts,
    making: () => Promise<DiscussionAct>,
  ): Promise<Answered> => {
    const { writer } = by
    const said = await idempotency.once<Pick<ActResult, 'answered'> & Partial<ActResult>>(
      by.idempotency,
      'IDEMPOTENCY_KEY_REUSED',
      {
        effect: async (keeping) => {
          const act = await making()
          return permitted(by.permission, (permission) => {
            const spoken = { slug, act, writer, permission, sources, unheard, keeping }
            return hosts.use(slug, (host) => host.call('say', spoken, by.onWork))
          })
        },
        replay: async ({ answer, slug: kept }) => {
          if (kept !== slug) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
          return { answered: answer as Answered }
        },
      },
    )
    by.onNotified?.(said.recipients ?? [])
    if (said.writtenBytes !== undefined) by.onWritten?.(said.writtenBytes)
    return said.answered
  }
  const act = (slug: Slug, by: Speaker & EditCosts, act: DiscussionAct): Promise<Answered> =>
    say(slug, by, async () => act)
  return {
    comment: (slug, by, making) =>
      say(slug, by, async () => ({ kind: 'comment', comment: await making() })),
    edit: (slug, by, id, edited) => act(slug, by, { kind: 'edit', id, edited }),
    remove: (slug, by, id) => act(slug, by, { kind: 'remove', id }),
    resolve: (slug, by, what, text) => act(slug, by, { kind: 'resolve', what, text }),
    unresolve: (slug, by, thread) => act(slug, by, { kind: 'unresolve', thread }),
    feel: (slug, by, id, sentiment) => act(slug, by, { kind: 'feel', id, sentiment }),
    plusOne: (slug, by, id) => act(slug, by, { kind: 'plus-one', id }),
    unfeel: (slug, by, id, of) => act(slug, by, { kind: 'unfeel', id, of }),
    takePlusOne: (slug, by, id, of) => act(slug, by, { kind: 'take-plus-one', id, of }),
    accept: (slug, { freeChars, ...by }, id) => act(slug, by, { kind: 'accept', id, freeChars }),
    reject: (slug, by, id) => act(slug, by, { kind: 'reject', id }),
  }
}
