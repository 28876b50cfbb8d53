/**
 * Who this browser writes as. The service's `hello` says it; a guest account is taken on the first
 * write, or to own a document whose creator's share address this browser came by.
 */
import {
  type Account,
  becomeGuestOf,
  currentAccount,
  logOut,
  waysAndAccount,
} from '../api/account.ts'
import { claimDocument } from '../api/documents.ts'
import { ApiError } from '../api/http.ts'
import { rememberClaim, wasGivenBack } from '../platform/claims.ts'
import { createStore, type Readable } from '../platform/store.ts'
import {
  actorWithMadeUpName,
  nobody,
  rememberActor,
  rememberedActor,
  rememberedName,
  rememberMadeUpName,
  rememberName,
  wasMadeHere,
} from '../platform/this-browser.ts'
import type { Hello } from './event-socket.ts'
import { newGuestName } from './guest-name.ts'

export class Person {
  readonly #slug: string
  readonly #account = createStore<Account | undefined>(undefined)
  readonly #isMadeUp = createStore(false)

  constructor(slug: string) {
    this.#slug = slug
  }

  get account(): Readable<Account | undefined> {
    return this.#account
  }

  /** The name was made up here, and nobody has looked at it yet. */
  get isMadeUp(): Readable<boolean> {
    return this.#isMadeUp
  }

  keepName(): void {
    this.#nameIsMadeUp(false)
  }

  /** A socket opened, as this person. */
  greeted({ actor_id, name }: Hello): void {
    rememberActor(actor_id ?? nobody)
    this.#isMadeUp.set(actor_id !== null && actor_id === actorWithMadeUpName())
    const known = this.#account.get()
    if (known?.actor_id === actor_id && known.name === name) return
    if (actor_id === null || name === null) {
      this.#account.set(undefined)
      return
    }
    this.#account.set({ actor_id, name, handle: '', guest: true })
    currentAccount().then(
      (found) => {
        if (found?.actor_id === actor_id) this.#account.set(found)
      },
      // Handle and kind stay unknown; who writes is known.
      () => undefined,
    )
  }

  /** The browser's session is this account's now. */
  is(account: Account): void {
    rememberActor(account.actor_id)
    this.#account.set(account)
    this.#nameIsMadeUp(false)
  }

  /** Takes a guest account, or gives the account another name. */
  async take(name: string): Promise<Account> {
    const account = await becomeGuestOf(this.#slug, name)
    rememberName(account.name)
    rememberActor(account.actor_id)
    this.#account.set(account)
    this.#nameIsMadeUp(false)
    return account
  }

  /**
   * The account of this browser, which the page may not have heard of yet; else a guest account
   * under the name that was used last, or one that is made up.
   */
  async takeAny(): Promise<Account> {
    const { account: present } = await waysAndAccount()
    if (present !== undefined) {
      rememberActor(present.actor_id)
      this.#account.set(present)
      return present
    }
    const remembered = rememberedName()
    const account = await this.take(remembered ?? newGuestName())
    this.#nameIsMadeUp(remembered === undefined)
    return account
  }

  #nameIsMadeUp(isMadeUp: boolean): void {
    rememberMadeUpName(isMadeUp ? rememberedActor() : '')
    this.#isMadeUp.set(isMadeUp)
  }

  /** Becomes the owner, under a name made up where there is none. Whether it did. */
  async claim(): Promise<boolean> {
    if (wasGivenBack(this.#slug)) return false
    try {
      if (this.#account.get() === undefined) await this.takeAny()
      await claimDocument(this.#slug)
      if (!wasMadeHere(this.#slug)) rememberClaim(this.#slug)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  async leave(): Promise<void> {
    await logOut()
    rememberActor(nobody)
    this.#account.set(undefined)
  }
}
