/**
 * What a guest leaves to the account that its person signs in to (extensions §9). On a shared
 * machine the guest may have been somebody else, so nothing joins before the person says so; until
 * then the offer waits with the account.
 */
import { accountWorkKey, guestOfferKey } from '../../persistence/keys.ts'
import type { Commit } from '../../persistence/store.ts'
import type { ActorId } from '../../schema/ids.ts'
import { readRecord, records } from '../records/records.ts'
import { type AccountContext, accountById } from './account-records.ts'

/** How many documents somebody has a part in; counted so far as is worth telling. */
export type GuestCount = (actor: ActorId) => Promise<number>

export interface GuestDocuments {
  /** What the guest called itself. */
  readonly name: string
  readonly documents: number
}

/** The newest guest's; nothing where it has no documents. */
export function offerPuts(
  accountId: string,
  offer: { readonly guest: string; readonly documents: number },
): NonNullable<Commit['puts']> {
  if (offer.documents === 0) return []
  return [{ key: guestOfferKey(accountId), value: records.guestOffer.encode(offer) }]
}

export async function guestDocuments(
  { store }: AccountContext,
  accountId: string,
): Promise<GuestDocuments | undefined> {
  const offer = await readRecord(store, guestOfferKey(accountId), records.guestOffer)
  if (offer === undefined) return undefined
  const guest = await accountById(store, offer.record.guest)
  return guest && { name: guest.record.name, documents: offer.record.documents }
}

/**
 * Takes the offer or turns it down. The guest whose documents are to be passed on; `undefined`:
 * nothing is offered.
 */
export async function answerOffer(
  { store }: AccountContext,
  accountId: string,
  join: boolean,
): Promise<{ readonly guest: string; readonly documents: number } | undefined> {
  const key = guestOfferKey(accountId)
  for (;;) {
    const offer = await readRecord(store, key, records.guestOffer)
    if (offer === undefined) return undefined
    const { guest } = offer.record
    const work = records.accountWork.encode({ what: 'join', into: accountId })
    const result = await store.commit({
      checks: [{ key, version: offer.version }],
      puts: join ? [{ key: accountWorkKey(guest), value: work }] : [],
      deletes: [key],
    })
    if (result.ok) return offer.record
  }
}
