/**
 * What a guest leaves to the account that its person signs in to (extensions §3). On a shared
 * machine the guest may have been somebody else, so nothing joins before the person says so; until
 * then the offers wait with the account, one for each guest.
 */
import { accountWorkKey, guestOfferKey, guestOffersOf } from '../../persistence/keys.ts'
import type { Commit, Store } from '../../persistence/store.ts'
import type { ActorId } from '../../schema/ids.ts'
import { type GuestOffer, records, type Versioned } from '../records/records.ts'
import { type AccountContext, accountById } from './account-records.ts'

/** Guests whose documents wait for an account's answer; the one with the fewest gives way. */
const guestOffersPerAccount = 32

/** How many documents somebody has a part in; counted so far as is worth telling. */
export type GuestCount = (actor: ActorId) => Promise<number>

export interface GuestDocuments {
  readonly actor: ActorId
  /** What the guest called itself. */
  readonly name: string
  readonly documents: number
}

interface Offer extends Versioned<GuestOffer> {
  readonly key: string
}

async function offersOf(store: Store, accountId: string): Promise<Offer[]> {
  const offers: Offer[] = []
  const range = { ...guestOffersOf(accountId), limit: guestOffersPerAccount + 1 }
  for await (const { key, value, version } of store.scan(range)) {
    offers.push({ key, record: records.guestOffer.decode(value), version })
  }
  return offers
}

/** What to write so that this waits too; nothing where the guest has no documents. */
export async function offerCommit(
  { store }: AccountContext,
  accountId: string,
  offer: GuestOffer,
): Promise<Required<Pick<Commit, 'puts' | 'deletes'>>> {
  if (offer.documents === 0) return { puts: [], deletes: [] }
  const key = guestOfferKey(accountId, offer.guest)
  const others = (await offersOf(store, accountId)).filter((other) => other.key !== key)
  const least = others.sort((a, b) => a.record.documents - b.record.documents)[0]
  const isFull = others.length >= guestOffersPerAccount
  return {
    puts: [{ key, value: records.guestOffer.encode(offer) }],
    deletes: isFull && least !== undefined ? [least.key] : [],
  }
}

/** The keys of all that waits. */
export const offerKeys = async (store: Store, accountId: string): Promise<string[]> =>
  (await offersOf(store, accountId)).map(({ key }) => key)

/** The first of what waits. */
export async function guestDocuments(
  { store }: AccountContext,
  accountId: string,
): Promise<GuestDocuments | undefined> {
  for (const { record } of await offersOf(store, accountId)) {
    const guest = await accountById(store, record.guest)
    if (guest === undefined) continue
    const { actor, name } = guest.record
    return { actor: actor as ActorId, name, documents: record.documents }
  }
  return undefined
}

export interface OfferAnswer {
  readonly join: boolean
  /** The actor id of the guest that is meant; absent: the first. */
  readonly guest: string | undefined
}

/**
 * Takes the offer or turns it down. The guest whose documents are to be passed on; `undefined`:
 * nothing such is offered.
 */
export async function answerOffer(
  { store }: AccountContext,
  accountId: string,
  answer: OfferAnswer,
): Promise<GuestOffer | undefined> {
  for (;;) {
    const offer = await offerOf(store, accountId, answer.guest)
    if (offer === undefined) return undefined
    const { key, version, record } = offer
    const work = records.accountWork.encode({ what: 'join', into: accountId })
    const result = await store.commit({
      checks: [{ key, version }],
      puts: answer.join ? [{ key: accountWorkKey(record.guest), value: work }] : [],
      deletes: [key],
    })
    if (result.ok) return record
  }
}

async function offerOf(
  store: Store,
  accountId: string,
  actor: string | undefined,
): Promise<Offer | undefined> {
  for (const offer of await offersOf(store, accountId)) {
    const guest = await accountById(store, offer.record.guest)
    if (actor === undefined || guest?.record.actor === actor) return offer
  }
  return undefined
}
