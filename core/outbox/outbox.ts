/**
 * What people and agents should hear of, as the layers above see it: put into an act's own commit,
 * delivered from there, read as an inbox. Sends nothing anywhere by itself.
 */
import { muteKey, parseKey } from '../../persistence/keys.ts'
import type { Put, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Unheard } from '../documents/contract.ts'
import { alone, type OnDuty } from '../nodes/duties.ts'
import { type MuteRecord, readRecord, records } from '../records/records.ts'
import { ConcurrencyLimit } from '../turns/concurrency-limit.ts'
import { type AlsoMade, InboxDelivery } from './delivery.ts'
import { Exchanges } from './exchanges.ts'
import { Inbox, type InboxPage, type IsShown } from './inbox.ts'
import { LongPolls } from './long-polls.ts'
import { invitationNotice, putOf } from './notices.ts'

const mutedThreadsMax = 1_000

/** Who were woken and look whether there is something for them. */
const inboxWokenAtOnce = 4

export type { InboxEntry, InboxPage } from './inbox.ts'

export interface InboxWish {
  readonly after: number | undefined
  readonly limit: number
  /** How long to wait for one where there is none. */
  readonly waitMs: number
  /** The network from which it waits. */
  readonly address: string
  readonly isGone: () => boolean
}

export interface Outbox {
  /** The agents that are told of nothing more that this one does. */
  unheard(slug: Slug, by: ActorId): Unheard
  /** An act was stored, with the notice that tells these of it. */
  said(slug: Slug, by: ActorId, to: readonly ActorId[]): void
  invited(slug: Slug, by: ActorId, to: ActorId): Put[]
  read(actor: ActorId, wish: InboxWish, isShown: IsShown): Promise<InboxPage>
  acknowledge(actor: ActorId, upTo: number): Promise<{ acked: number; unread: number }>
  /** All of a document, or one of its threads. */
  mute(
    slug: Slug,
    actor: ActorId,
    what: { readonly thread?: string; readonly muted: boolean },
  ): Promise<void>
  mutedBy(slug: Slug, actor: ActorId): Promise<MuteRecord>
  close(): Promise<void>
}

export function openOutbox(parts: {
  readonly store: Store
  readonly runtime: Runtime
  readonly onDuty?: OnDuty | undefined
  readonly onTrouble: (error: unknown) => void
  readonly alsoMade?: AlsoMade | undefined
}): Outbox {
  const { store, runtime, onDuty = alone } = parts
  const waiting = new LongPolls(runtime)
  const firstOf = (key: string) => parseKey(key)?.path[0] ?? ''
  const stopWatching = [
    store.watch('inbox/', (key) => waiting.told({ actor: firstOf(key) })),
    store.watch('feed/', (key) => waiting.told({ slug: firstOf(key) as Slug })),
  ]
  let delivery: InboxDelivery | undefined
  const delivering = onDuty('notices', () => {
    delivery = new InboxDelivery(parts)
    return delivery
  })
  const inbox = new Inbox({ store, runtime })
  const exchanges = new Exchanges()
  const lookingAnew = new ConcurrencyLimit(runtime, inboxWokenAtOnce)
  return {
    unheard: (slug, by) => exchanges.unheard(by, { slug, now: runtime.now() }),
    said(slug, by, to) {
      exchanges.did(by, { slug, to: new Set(to), now: runtime.now() })
    },
    invited(slug, by, to) {
      const invitation = { slug, to: new Set([to]), now: runtime.now() }
      const isUnheard = exchanges.unheard(by, invitation).named.includes(to)
      exchanges.did(by, invitation)
      if (to === by || isUnheard) return []
      return [putOf(runtime, invitationNotice(runtime, { slug, by, to }))]
    },
    async read(actor, { waitMs, address, isGone, ...wish }, isShown) {
      const ends = runtime.elapsed() + waitMs
      const look = async () => {
        const ms = ends - runtime.elapsed()
        // Before it is read, that nothing comes unheard in between.
        const waiter =
          ms > 0
            ? waiting.begin(actor, { slugs: await inbox.documentsOf(actor), ms, address })
            : undefined
        try {
          const page = await inbox.page(actor, wish, isShown)
          const isAnswer = page.entries.length > 0 || isGone()
          if (isAnswer) waiter?.end()
          return { page, woken: isAnswer ? undefined : waiter?.woken }
        } catch (error) {
          waiter?.end()
          throw error
        }
      }
      let looked = await look()
      // A thousand may be woken by one comment.
      while (await looked.woken) looked = await lookingAnew.run(look)
      exchanges.told(actor, looked.page.entries)
      return looked.page
    },
    async acknowledge(actor, upTo) {
      delivery?.read(actor, upTo)
      return inbox.acknowledge(actor, upTo)
    },
    mute: (slug, actor, what) => mute(store, muteKey(slug, actor), what),
    async mutedBy(slug, actor) {
      const found = await readRecord(store, muteKey(slug, actor), records.mute)
      return found?.record ?? nothingMuted
    },
    async close() {
      for (const stop of stopWatching) stop()
      waiting.close()
      await delivering.close()
    },
  }
}

const nothingMuted: MuteRecord = { all: false, threads: [] }

async function mute(
  store: Store,
  key: string,
  { thread, muted }: { readonly thread?: string; readonly muted: boolean },
): Promise<void> {
  for (;;) {
    const found = await readRecord(store, key, records.mute)
    const before: MuteRecord = found?.record ?? nothingMuted
    const others = before.threads.filter((one) => one !== thread)
    const threads = thread !== undefined && muted ? [...others, thread] : others
    if (threads.length > mutedThreadsMax) throw new Refusal('LIMIT_REACHED')
    const after = thread === undefined ? { ...before, all: muted } : { ...before, threads }
    const isNothing = !after.all && after.threads.length === 0
    const checks = [{ key, version: found?.version }]
    const result = await store.commit({
      checks,
      ...(isNothing ? { deletes: [key] } : { puts: [{ key, value: records.mute.encode(after) }] }),
    })
    if (result.ok) return
  }
}
