/** What somebody should hear of (extensions §13), and of what not. */
import type { Static } from '@sinclair/typebox'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { ackBody, ackSuccess, inboxQuery, inboxSuccess } from '../../schema/wire/inbox.ts'
import type { Admitted } from '../admission/admitted.ts'
import { type Answer, json } from '../answers/answer.ts'
import { speakerOf } from '../comments/discussion-caller.ts'
import { documentRoute, route } from '../route.ts'
import type { Services } from '../services.ts'
import { Filling } from './inbox-entries.ts'
import { mentionable } from './mentionable.ts'

const description =
  'Oldest first. Each entry contains what is needed to act on it. Entries that are not ' +
  'acknowledged are returned again.'

const reading = {
  summary: 'Read the inbox',
  description,
  extension: true,
  bodyLimit: 'none',
  answer: 'paged',
  errors: ['BUSY'],
} as const
const acknowledging = {
  summary: 'Acknowledge inbox entries',
  extension: true,
  bodyLimit: 'fields',
  answer: 'bounded',
  errors: [],
} as const

export const readAgentInbox = route(
  'GET /agents/me/inbox',
  { ...reading, access: 'agent' },
  (input, services) => readInbox(input, services),
)

export const readInboxOfPerson = route(
  'GET /inbox',
  { ...reading, access: 'session' },
  (input, services) => readInbox(input, services),
)

export const acknowledgeAsAgent = route(
  'POST /agents/me/inbox/ack',
  { ...acknowledging, access: 'agent' },
  (input, services) => acknowledge(input, services),
)

export const acknowledgeAsPerson = route(
  'POST /inbox/ack',
  { ...acknowledging, access: 'session' },
  (input, services) => acknowledge(input, services),
)

async function readInbox(
  input: Admitted & { readonly query: Static<typeof inboxQuery> },
  services: Services,
): Promise<Answer<Static<typeof inboxSuccess>>> {
  const { after, wait, limit } = input.query
  const filling = new Filling(input, services)
  const wish = {
    after: after === undefined ? undefined : Number(after),
    limit: limit === undefined ? limits.pageDefault : Number(limit),
    waitMs: Math.min(Number(wait ?? 0) * 1_000, limits.inboxWaitMaxMs),
    address: input.sources.address,
    isGone: input.isGone,
  }
  // Who waits for news holds nothing yet.
  if (wish.waitMs > 0) input.room.resize(0)
  const isShown = (entry: Parameters<Filling['fill']>[0]) => filling.fill(entry)
  const page = await services.people.outbox.read(ownerOf(input), wish, isShown)
  const { next, unread, entries } = page
  return json({ entries: filling.shown(entries), next: String(next), unread })
}

async function acknowledge(
  input: Admitted & { readonly body: Static<typeof ackBody> },
  { people }: Services,
): Promise<Answer<Static<typeof ackSuccess>>> {
  const upTo = Number(input.body.up_to)
  const { acked, unread } = await people.outbox.acknowledge(ownerOf(input), upTo)
  return json({ acked: String(acked), unread })
}

function ownerOf({ credential }: Admitted): ActorId {
  if (credential?.actor === undefined) throw new Refusal('AUTH_REQUIRED')
  return credential.actor
}

export const muteDocument = documentRoute(
  'PUT /docs/:slug/mute',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Mute a document, except for mentions',
    extension: true,
    access: 'hear',
    errors: [],
  },
  async (input, services) => {
    const { body, document } = input
    const { writer } = await speakerOf(input, services)
    await services.people.outbox.mute(document.slug, writer.actor, { muted: body.muted })
    return json({ id: document.slug, muted: body.muted })
  },
)

export const muteThread = documentRoute(
  'PUT /docs/:slug/threads/:thread_id/mute',
  {
    bodyLimit: 'discussion',
    answer: 'bounded',
    summary: 'Mute a thread, except for mentions',
    extension: true,
    access: 'hear',
    errors: ['THREAD_NOT_FOUND', 'LIMIT_REACHED'],
  },
  async (input, services) => {
    const { body, document, params, sources } = input
    const { writer } = await speakerOf(input, services)
    const thread = params['thread_id'] ?? ''
    const wish = { threads: { kind: 'named', ids: [thread] } } as const
    const view = await services.documents.read(document.slug, wish, sources)
    if (view.threads().length === 0) throw new Refusal('THREAD_NOT_FOUND')
    const what = { thread, muted: body.muted }
    await services.people.outbox.mute(document.slug, writer.actor, what)
    return json({ id: document.slug, thread_id: thread, muted: body.muted })
  },
)

export const readMentionable = documentRoute(
  'GET /docs/:slug/mentionable',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'List who can be mentioned',
    description:
      'Up to 20 people and agents that have a grant or have written in the document, except ' +
      'the caller. Agents that cannot be mentioned because they only have a token are ' +
      'listed separately.',
    extension: true,
    access: 'listen',
    errors: [],
  },
  async ({ document, query, sources }, services) =>
    json({ ...(await mentionable(document, query.q ?? '', { sources, services })) }),
)
