/** Whose a document is (interface §4.2, extensions §3): claimed once, then handed on. */
import type { BrowserCredential, Credential } from '../../core/access/credentials.ts'
import { Refusal } from '../../schema/errors.ts'
import {
  offerBody,
  offerSuccess,
  ownershipSuccess,
  takenAccessSuccess,
} from '../../schema/wire/access.ts'
import { claimSuccess, givenBackSuccess } from '../../schema/wire/account.ts'
import { noQuery } from '../../schema/wire/service.ts'
import { givingAccess } from '../acting.ts'
import { json } from '../answer.ts'
import { documentRoute } from '../route.ts'
import { personIn, shownOffer } from '../shown-people.ts'
import { isoTime } from '../times.ts'

const path = '/docs/:slug/owner'

export const readOwnership = documentRoute(
  {
    method: 'GET',
    path,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Whose the document is',
    description:
      'An `offer` is shown to who made it and to whom it was made. Who came without a credential ' +
      'learns nothing of people.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    query: noQuery,
    success: { status: 200, body: ownershipSuccess },
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
  {
    method: 'POST',
    path: '/docs/:slug/claim',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Become the owner of a document that has none',
    description:
      'For an account, guests too, that came by the create’s own share address; the first wins. ' +
      'Agents are never owners.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    query: noQuery,
    success: { status: 200, body: claimSuccess },
    errors: ['ALREADY_OWNED', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const browser = browserOnly(input.credential)
    if (browser.actor === undefined) throw new Refusal('AUTH_REQUIRED')
    const plan = () => people.access.planClaim(slug, browser)
    await documents.record(slug, givingAccess(input), plan)
    return json({ id: slug, your_role: 'owner' as const })
  },
)

export const giveBackDocument = documentRoute(
  {
    method: 'DELETE',
    path: '/docs/:slug/claim',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Give back a document that was claimed',
    description:
      'For its owner, within a day of the claim: the document has no owner again, and the next ' +
      'person who comes by the create’s own share address may claim it.',
    extension: true,
    access: 'own',
    query: noQuery,
    success: { status: 200, body: givenBackSuccess },
    errors: ['BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const browser = browserOnly(input.credential)
    const plan = () => people.access.planGivingBack(slug, browser)
    await documents.record(slug, givingAccess(input), plan)
    return json({ id: slug, your_role: 'editor' as const })
  },
)

export const offerDocument = documentRoute(
  {
    method: 'POST',
    path,
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Offer the document to somebody',
    description:
      'To a person with a full account, who reads it until the offer is accepted, withdrawn or ' +
      'ends after 30 days. Another offer takes the place of the one before.',
    extension: true,
    access: 'own',
    accountQuota: 'invite',
    query: noQuery,
    body: offerBody,
    success: { status: 201, body: offerSuccess },
    errors: ['HANDLE_NOT_FOUND', 'ALREADY_OWNED', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const { actor: by } = browserOnly(input.credential)
    if (by === undefined) throw new Refusal('AUTH_REQUIRED')
    const { handle } = input.body
    const plan = () => people.access.planOffer(slug, { handle, by })
    const { to, expiresAt } = await documents.record(slug, givingAccess(input), plan)
    const offeredTo = { actor_id: to.actor, handle: to.handle, name: to.name }
    return json({ id: slug, offered_to: offeredTo, expires_at: isoTime(expiresAt) })
  },
)

export const withdrawOffer = documentRoute(
  {
    method: 'DELETE',
    path,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Withdraw the offer, or decline it',
    extension: true,
    access: 'read',
    credentialRequired: true,
    query: noQuery,
    success: { status: 200, body: takenAccessSuccess },
    errors: ['NOT_FOUND', 'BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const { actor: by } = browserOnly(input.credential)
    if (by === undefined) throw new Refusal('AUTH_REQUIRED')
    const plan = () => people.access.planWithdrawal(slug, by)
    await documents.record(slug, givingAccess(input), plan)
    return json({ deleted: true as const, id: slug })
  },
)

export const acceptDocument = documentRoute(
  {
    method: 'POST',
    path: `${path}/accept`,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Take over the document that is offered',
    description: 'Who gave it stays an editor.',
    extension: true,
    access: 'read',
    credentialRequired: true,
    query: noQuery,
    success: { status: 200, body: claimSuccess },
    errors: ['BUSY'],
  },
  async (input, { documents, people }) => {
    const { slug } = input.document
    const browser = browserOnly(input.credential)
    if (browser.actor === undefined) throw new Refusal('AUTH_REQUIRED')
    const plan = () => people.access.planAcceptance(slug, browser)
    await documents.record(slug, givingAccess(input), plan)
    return json({ id: slug, your_role: 'owner' as const })
  },
)
