/**
 * The life of one document in this page: which copy is edited, as whom, and what becomes of it when
 * the service says no. A copy that was refused stays on the page, readable, until the service's is
 * here; then what only the old one had is kept aside as text.
 */
import * as Y from 'yjs'
import type { Account } from '../api/account.ts'
import { ApiError } from '../api/http.ts'
import type { Flags } from '../api/life.ts'
import { isDraft, readDraft } from '../platform/drafts.ts'
import { createStore, type Store } from '../platform/store.ts'
import { nobody, onActorChanged, rememberedActor } from '../platform/this-browser.ts'
import type { Hello, LiveEvent, Role } from './event-socket.ts'
import { LiveCopy } from './live-copy.ts'
import { type Known, type LostBecause, type LostText, lostBlocks } from './lost-text.ts'
import { OfflineCopies } from './offline-copies.ts'
import { keepPage } from './offline-page.ts'
import { Outgoing } from './outgoing.ts'
import { Person } from './person.ts'
import { Presence } from './presence.ts'
import { closeOutcomeOf, whyNotOpened } from './refusals.ts'
import { SaveReport } from './save-report.ts'
import type { EndedBecause, Link, ReadOnlyBecause } from './save-state.ts'
import type { DocumentSession } from './session.ts'
import { forgetKept } from './sign-out.ts'

/** A copy under way to take the place of one that was put away. */
interface Replacement {
  readonly copy: LiveCopy
  readonly because: LostBecause
}

const comeBackAfterMs = 500
const nameAgainAfterMs = 5_000
/** Copies refused one after the other must not become a busy loop. */
const replaceAgainAfterMs = 2_000
const savedWithinMs = 5_000
/** A browser whose storage hangs opens documents all the same. */
const keptWithinMs = 1_000

/** The text stays this page's to show. */
const isForAWhile = (because: EndedBecause): boolean =>
  because === 'reload' || because === 'address'

export class LiveDocument implements DocumentSession {
  readonly slug: string
  readonly copy: Store<LiveCopy>
  readonly role = createStore<Role | undefined>(undefined)
  readonly flags = createStore<Flags | undefined>(undefined)
  readonly canWrite = createStore(false)
  readonly synced = createStore(false)
  readonly hasArrived = createStore(false)
  readonly lostText = createStore<LostText | undefined>(undefined)
  readonly #copies = new OfflineCopies()
  readonly #person: Person
  readonly #presence = new Presence()
  readonly #report = new SaveReport()
  readonly outgoing = new Outgoing()
  readonly account: Person['account']
  readonly peers = this.#presence.peers
  readonly hidden = this.#presence.hidden
  readonly saveState = this.#report.state
  readonly hasMadeUpName: Person['isMadeUp']
  readonly #listeners = new Set<(event: LiveEvent) => void>()
  readonly #leave = new AbortController()
  readonly #waiting = new Set<() => void>()
  #replacement: Replacement | undefined
  #lastReplaced = -Infinity
  #hello: Hello | undefined
  #ended: EndedBecause | undefined
  /** At a proxy in front, which is why no socket opens. */
  #signInEnded = false
  #isClaiming = false
  #isNaming = false

  constructor(slug: string) {
    this.slug = slug
    this.#person = new Person(slug)
    this.account = this.#person.account
    this.hasMadeUpName = this.#person.isMadeUp
    this.copy = createStore<LiveCopy>(this.#newCopy())
    this.#presence.watch(this.#current)
    const { signal } = this.#leave
    const stop = onActorChanged(() => this.#current.connection.reconnect())
    signal.addEventListener('abort', stop)
    signal.addEventListener(
      'abort',
      this.outgoing.counts.subscribe(() => this.#settle()),
    )
    for (const type of ['pagehide', 'visibilitychange']) {
      addEventListener(type, () => this.#current.flush(), { signal })
    }
    void this.#begin()
  }

  get #current(): LiveCopy {
    return this.copy.get()
  }

  onEvent(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async giveName(name: string): Promise<void> {
    this.#became(await this.#person.take(name))
  }

  async takeAccount(): Promise<void> {
    if (this.account.get() === undefined) this.#became(await this.#person.takeAny())
  }

  keepName(): void {
    this.#person.keepName()
  }

  async allSaved(): Promise<boolean> {
    const isSaved = () => this.#current.unsaved.count === 0
    if (isSaved()) return true
    return new Promise((resolve) => {
      const look = () => {
        if (isSaved()) done()
      }
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(isSaved())
      }
      const timer = setTimeout(done, savedWithinMs)
      this.#waiting.add(look)
    })
  }

  becameAccount(account: Account): void {
    this.#person.is(account)
    this.#current.connection.reconnect()
  }

  #became(account: Account): void {
    if (this.#hello?.actor_id === account.actor_id) {
      this.#hello = { ...this.#hello, name: account.name }
      this.#announce(this.#current, this.#hello)
    } else this.#current.connection.reconnect()
  }

  dismissLostText(): void {
    this.lostText.set(undefined)
    if (this.#ended !== undefined && !isForAWhile(this.#ended)) void this.#current.forget()
  }

  async signOut(): Promise<void> {
    const actor = this.account.get()?.actor_id
    await this.#person.leave()
    this.#current.disconnect()
    if (actor !== undefined) await forgetKept(actor)
    location.reload()
  }

  close(): void {
    this.#leave.abort()
    this.#report.close()
    this.#presence.close()
    this.#replacement?.copy.destroy()
    this.#current.destroy()
  }

  async #begin(): Promise<void> {
    const copy = this.#current
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, keptWithinMs))
    const actor = isDraft(this.slug) ? readDraft(this.slug).actor : rememberedActor()
    const search = this.#copies.find(this.slug, actor).catch(() => undefined)
    const kept = await Promise.race([search, late])
    if (this.#leave.signal.aborted) return
    if (kept !== undefined) {
      copy.load(kept)
      this.role.set(kept.role as Role)
      this.synced.set(true)
    }
    if (isDraft(this.slug)) this.#beginDraft(copy, actor)
    else copy.connection.connect()
    this.#settle()
  }

  /** The service does not have the document yet: nothing is sent, everything is kept. */
  #beginDraft(copy: LiveCopy, actor: string): void {
    copy.belongsTo({ slug: this.slug, actor, epoch: 'draft' })
    copy.keep()
    copy.connection.stayAway()
    this.role.set('owner')
    this.synced.set(true)
  }

  #newCopy(): LiveCopy {
    const copy: LiveCopy = new LiveCopy({
      slug: this.slug,
      copies: this.#copies,
      role: () => this.role.get() ?? 'viewer',
      onHello: (hello) => this.#onHello(copy, hello),
      onEvent: (event) => {
        this.#presence.onEvent(event)
        for (const listener of [...this.#listeners]) listener(event)
      },
      mayWrite: () => copy.unsaved.count === 0 || !this.#isUnnamed(),
      onSynced: () => this.#onSynced(copy),
      onRefused: (code, reason) => this.#onRefused(copy, code, reason),
      onNotOpened: () => this.#mayRead(),
      onChanged: () => this.#settle(),
    })
    return copy
  }

  #onHello(copy: LiveCopy, hello: Hello): boolean {
    const actor = hello.actor_id ?? nobody
    this.#person.greeted(hello)
    if (copy.actor !== undefined && copy.actor !== nobody && copy.actor !== actor) {
      // The copy is somebody else's, as after signing out elsewhere.
      queueMicrotask(() => this.#replace('signed-out'))
      return false
    }
    this.#hello = hello
    this.role.set(hello.role)
    this.#setFlags(hello)
    const readOnly = this.#readOnly()
    if (readOnly !== undefined && copy.unsaved.count > 0) {
      // What was written under another role would be refused.
      queueMicrotask(() => this.#replace(readOnly === 'locked' ? 'locked' : 'refused'))
      return false
    }
    copy.belongsTo({ slug: this.slug, actor, epoch: hello.epoch })
    this.#announce(copy, hello)
    if (hello.claimable === true) void this.#claim()
    this.#settle()
    return true
  }

  /** The same flags are the same object. */
  #setFlags({ read_only, comments_disabled }: Hello): void {
    const known = this.flags.get()
    const isNew = known?.read_only !== read_only || known.comments_disabled !== comments_disabled
    if (isNew) this.flags.set({ read_only, comments_disabled })
  }

  #announce(copy: LiveCopy, { actor_id, name }: Hello): void {
    if (actor_id === null || name === null) return
    copy.awareness.setLocalStateField('user', { actor: actor_id, name })
  }

  #onSynced(copy: LiveCopy): void {
    if (this.#replacement?.copy === copy) this.#finishReplacing(this.#replacement)
    else copy.keep()
    if (copy.canKeep) keepPage()
    this.synced.set(true)
    this.hasArrived.set(true)
    this.#settle()
  }

  #onRefused(copy: LiveCopy, code: number, reason: string): void {
    const outcome = closeOutcomeOf(code, reason)
    switch (outcome.kind) {
      case 'come back':
        setTimeout(() => copy.connection.connect(), comeBackAfterMs)
        break
      case 'end':
        this.#end(outcome.because)
        break
      case 'replace':
        this.#replace(this.#replacement === undefined ? outcome.because : this.#replacement.because)
        break
    }
  }

  /** Why no socket opened. Nothing that lasts: whether it can be read otherwise. */
  async #mayRead(): Promise<boolean> {
    if (this.#ended !== undefined) return false
    const because = await whyNotOpened(this.slug)
    if (this.#leave.signal.aborted) return false
    this.#signInEnded = because === 'sign-in'
    if (because === undefined || because === 'sign-in') this.#settle()
    else this.#end(because)
    return because === undefined
  }

  /** Who writes without a name has one at once, and may change it; until then it is tried again. */
  async #nameMyself(): Promise<void> {
    // With an account it is the next socket that says so.
    if (this.#isNaming || this.account.get() !== undefined || this.#leave.signal.aborted) return
    this.#isNaming = true
    const again = (): void => {
      this.#isNaming = false
      if (!this.#leave.signal.aborted) this.#settle()
    }
    try {
      this.#became(await this.#person.takeAny())
      this.#isNaming = false
    } catch (error) {
      // However many keys come meanwhile.
      setTimeout(again, nameAgainAfterMs)
      if (!(error instanceof ApiError)) throw error
    }
  }

  async #claim(): Promise<void> {
    if (this.#isClaiming) return
    this.#isClaiming = true
    const isOwner = await this.#person.claim()
    if (isOwner) this.#current.connection.reconnect()
  }

  /** The text goes; what of it the service has not got is kept aside. */
  #end(because: EndedBecause): void {
    const copy = this.#current
    this.#ended = because
    this.#replacement?.copy.destroy()
    this.#replacement = undefined
    copy.disconnect()
    const starts = copy.unsaved.starts()
    const setAside = () => this.#setAside('ended', (client) => starts.get(client) ?? Infinity)
    if (!isForAWhile(because) || !copy.canKeep) setAside()
    else setTimeout(() => copy.isKept || setAside(), keptWithinMs)
    // The text is not this page's to show any more.
    const isGone = !isForAWhile(because)
    if (isGone) this.synced.set(false)
    if (isGone && this.lostText.get() === undefined) void copy.forget()
    this.#settle()
  }

  #replace(because: LostBecause): void {
    if (this.#ended !== undefined || this.#leave.signal.aborted) return
    this.#replacement?.copy.destroy()
    this.#current.disconnect()
    const copy = this.#newCopy()
    this.#replacement = { copy, because }
    const wait = this.#lastReplaced + replaceAgainAfterMs - performance.now()
    this.#lastReplaced = performance.now()
    setTimeout(() => copy.connection.connect(), Math.max(0, wait))
    this.#settle()
  }

  #finishReplacing({ copy, because }: Replacement): void {
    const old = this.#current
    const known = Y.decodeStateVector(Y.encodeStateVector(copy.ydoc))
    this.#setAside(because, (client) => known.get(client) ?? 0)
    this.#replacement = undefined
    this.#presence.watch(copy)
    this.copy.set(copy)
    // Both have the same place on this device.
    void old.forget().then(() => copy.keep())
    old.destroy()
  }

  #setAside(because: LostBecause, known: Known): void {
    const blocks = lostBlocks(this.#current.fragment, known)
    if (blocks.length === 0) return
    const before = this.lostText.get()?.blocks ?? []
    this.lostText.set({ because, blocks: [...before, ...blocks] })
  }

  #isUnnamed(): boolean {
    return this.#hello?.name === null
  }

  #readOnly(): ReadOnlyBecause | undefined {
    const role = this.role.get()
    if (role === 'viewer' && this.#hello?.linkless === true) return 'linkless'
    if (role === 'viewer' || role === 'commenter') return role
    return this.#hello?.read_only === true && role !== 'owner' ? 'locked' : undefined
  }

  /** Works out anew what is shown. */
  #settle(): void {
    const copy = this.#current
    for (const look of [...this.#waiting]) look()
    const readOnly = this.#readOnly()
    const standing = {
      ended: this.#ended,
      ready: this.synced.get(),
      link: this.#link(),
      kept: copy.kept,
      canKeep: copy.canKeep,
      outgoing: this.outgoing.counts.get(),
      signInEnded: this.#signInEnded,
      unnamed: this.#isUnnamed(),
      readOnly,
    }
    this.#report.update(standing, copy.unsaved)
    if (this.saveState.get().kind === 'unnamed') void this.#nameMyself()
    const isHere = this.synced.get() && this.#ended === undefined && !this.#replacement
    const mayWrite = readOnly === undefined && this.role.get() !== undefined
    this.canWrite.set(isHere && mayWrite && standing.link !== 'polled')
  }

  #link(): Link {
    const { connection } = this.#replacement?.copy ?? this.#current
    const link = connection.link.get()
    return this.#replacement !== undefined && link === 'connecting' ? 'lost' : link
  }
}
