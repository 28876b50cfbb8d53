/** Whose a document is (interface §4.2, extensions §3): claimed once, then handed on. */
import type { BrowserCredential, Credential } from '../../core/access/credentials.ts'
import { Refusal } from '../../schema/errors.ts'
import { json } from '../answers/answer.ts'
import { isoTime } from '../answers/times.ts'
import { documentRoute } from '../route.ts'
import { accessActBy } from './acted-by.ts'
import { personIn, shownOffer } from './shown-people.ts'

export const readOwnership = documentRoute(
  'GET /docs/:slug/owner',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Get the owner of a document',
    description:
      'An `offer` is visible to its sender and its recipient. Callers without a credential ' +
      'get no information about people.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    errors: [],
  },
  async ({ document }, { people }) => {
    const { slug, access } = document
    const { owner, offer } = await people.access.ownership(slug)
    const isParty = access.actor !== undefined && [owner, offer?.to].includes(access.actor)
    const told = isParty ? offer : undefined
    const ids = [owner, told?.to].filter((id) => id !== undefined)
    const person = personIn(await people.access.actors(ids))
    return json({
      id: slug,
      owner: owner === undefined ? null : person(owner),
      offer: told === undefined ? null : shownOffer(told, person),
    })
  },
)

/** Owning is a person's, and a person comes in a browser. Refuses FORBIDDEN. */
function browserOnly(credential: Credential | undefined): BrowserCredential {
  if (credential?.kind !== 'browser') throw new Refusal('FORBIDDEN')
  return credential
}

export const claimDocument = documentRoute(
  'POST /docs/:slug/claim',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Claim a document that has no owner',
    description:
      'For accounts, including guests, that came by the original share address. The first ' +
      'claim wins. Agents cannot own documents.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    errors: ['ALREADY_OWNED', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const browser = browserOnly(input.credential)
    if (browser.actor === undefined) throw new Refusal('AUTH_REQUIRED')
    const plan = () => people.access.planClaim(slug, browser)
    await documents.record(slug, accessActBy(input), plan)
    return json({ id: slug, your_role: 'owner' as const })
  },
)

export const giveBackDocument = documentRoute(
  'DELETE /docs/:slug/claim',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Undo a claim',
    description:
      'For the owner, within a day of the claim. The document then has no owner, and the ' +
      'next person who opens the original share address can claim it.',
    extension: true,
    access: 'own',
    errors: ['BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const browser = browserOnly(input.credential)
    const plan = () => people.access.planGivingBack(slug, browser)
    await documents.record(slug, accessActBy(input), plan)
    return json({ id: slug, your_role: 'editor' as const })
  },
)

export const offerDocument = documentRoute(
  'POST /docs/:slug/owner',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Offer ownership of a document',
    description:
      'To a person with a full account. They can read the document until the offer is ' +
      'accepted, withdrawn or expires after 30 days. A new offer replaces the previous one.',
    extension: true,
    access: 'own',
    accountQuota: 'invite',
    success: { status: 201 },
    errors: ['HANDLE_NOT_FOUND', 'ALREADY_OWNED', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const { actor: by } = browserOnly(input.credential)
    if (by === undefined) throw new Refusal('AUTH_REQUIRED')
    const { handle } = input.body
    const plan = () => people.access.planOffer(slug, { handle, by })
    const { to, expiresAt } = await documents.record(slug, accessActBy(input), plan)
    const offeredTo = { actor_id: to.actor, handle: to.handle, name: to.name }
    return json({ id: slug, offered_to: offeredTo, expires_at: isoTime(expiresAt) })
  },
)

export const withdrawOffer = documentRoute(
  'DELETE /docs/:slug/owner',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Withdraw or decline an ownership offer',
    extension: true,
    access: 'read',
    credentialRequired: true,
    errors: ['NOT_FOUND', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const { actor: by } = browserOnly(input.credential)
    if (by === undefined) throw new Refusal('AUTH_REQUIRED')
    const plan = () => people.access.planWithdrawal(slug, by)
    await documents.record(slug, accessActBy(input), plan)
    return json({ deleted: true as const, id: slug })
  },
)

export const acceptDocument = documentRoute(
  'POST /docs/:slug/owner/accept',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Accept an ownership offer',
    description: 'The previous owner stays an editor.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    errors: ['BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const browser = browserOnly(input.credential)
    if (browser.actor === undefined) throw new Refusal('AUTH_REQUIRED')
    const plan = () => people.access.planAcceptance(slug, browser)
    await documents.record(slug, accessActBy(input), plan)
    return json({ id: slug, your_role: 'owner' as const })
  },
)
