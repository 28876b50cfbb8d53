/**
 * What is left to do for an account after the commit that decided it (extensions §3): passing on a
 * guest's documents, and taking away what an account had that was deleted. Noted in the store, done
 * a few documents at a time, and taken up again after a failure or a restart.
 */
import { accountWorkKey, kindRange, parseKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { accountById } from '../accounts/account-records.ts'
import { sessionsOf } from '../accounts/sessions.ts'
import type { Documents } from '../documents/contract.ts'
import { personalPlace } from '../library/workspaces.ts'
import { type Account, type AccountWork, readRecord, records } from '../records/records.ts'
import {
  documentsMadeOn,
  documentsOf,
  type HandOver,
  isOwner,
  planEnd,
  planPassingOn,
  storePlan,
} from './passing-on.ts'

/** What becomes of a document is told by a revision of it. */
export type AccountDocuments = Pick<Documents, 'record' | 'changeLife'>

export interface AccountWorkGiven {
  readonly store: Store
  readonly runtime: Runtime
  readonly documents: AccountDocuments
  /** Takes what else an account has that ends: keys, agents. May be repeated. */
  readonly endBelongings: (accountId: string) => Promise<void>
  readonly handOver: HandOver
  readonly onTrouble: (error: unknown) => void
}

interface Task {
  readonly account: Account
  readonly work: AccountWork
  readonly into: Account | undefined
}

export class AccountWorker {
  readonly #given: AccountWorkGiven
  readonly #running = new Map<string, Promise<void>>()
  #isOver = false

  constructor(given: AccountWorkGiven) {
    this.#given = given
  }

  /** Takes up everything that is noted. */
  async resume(): Promise<void> {
    for await (const { key } of this.#given.store.scan(kindRange('account-work'))) {
      const [accountId] = parseKey(key)?.path ?? []
      if (accountId !== undefined) await this.run(accountId)
    }
  }

  /** Resolves when it is done, or cannot go on for now. Never rejects. */
  run(accountId: string): Promise<void> {
    const running = this.#running.get(accountId)
    if (running !== undefined) return running
    const run = this.#work(accountId)
      .catch(this.#given.onTrouble)
      .finally(() => this.#running.delete(accountId))
    this.#running.set(accountId, run)
    return run
  }

  /** Resolves when nothing of it touches the store any more. */
  async close(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running.values())
  }

  async #work(accountId: string): Promise<void> {
    const { store } = this.#given
    const key = accountWorkKey(accountId)
    const work = await readRecord(store, key, records.accountWork)
    const account = await accountById(store, accountId)
    if (work === undefined || account === undefined) return
    const into = work.record.what === 'join' ? work.record.into : undefined
    const target = into === undefined ? undefined : await accountById(store, into)
    const task = { account: account.record, work: work.record, into: target?.record }
    if (task.work.what === 'end') await sessionsOf(this.#given, task.account)
    // Links rest on what the account has, also by a team, so they are passed on first.
    if (!(await this.#settleAll(documentsMadeOn, task))) return
    if (task.work.what === 'end') await this.#given.endBelongings(accountId)
    if (!(await this.#settleAll(documentsOf, task))) return
    await store.commit({ checks: [{ key, version: work.version }], deletes: [key] })
  }

  /** A few documents at a time, until `list` finds none. False: it cannot be yet. */
  async #settleAll(list: typeof documentsOf, task: Task): Promise<boolean> {
    const { store, runtime } = this.#given
    const atOnce = limits.accountWorkAtOnce
    for (;;) {
      const slugs = await list(store, task.account.actor as ActorId, atOnce)
      for (const slug of slugs) {
        if (this.#isOver || !(await this.#settle(slug, task))) return false
      }
      if (slugs.length < atOnce) return true
      await new Promise<void>((resolve) => runtime.after(0, resolve))
    }
  }

  /** False: it cannot be yet. */
  async #settle(slug: Slug, { account, work, into }: Task): Promise<boolean> {
    const { store, runtime, documents } = this.#given
    const actor = account.actor as ActorId
    const owns = await isOwner(store, slug, actor)
    if (work.what === 'end') {
      const by = { writer: { actor, authMethod: 'session' } } as const
      if (owns) await revised(documents.changeLife(slug, 'archive', by))
      await storePlan(store, () => planEnd(this.#given, slug, actor))
      return true
    }
    if (into === undefined) return false
    const to = into.actor as ActorId
    const place = await personalPlace({ store, runtime }, into.accountId)
    const passing = { from: actor, to, place, now: runtime.now() }
    const plan = () => planPassingOn(this.#given, slug, passing)
    const by = { event: 'access', writer: { actor: to, authMethod: 'session' } } as const
    const isTold = owns && (await revised(documents.record(slug, by, plan)))
    if (!isTold) await storePlan(store, plan)
    return true
  }
}

/** False: the document takes no revision any more. */
async function revised(act: Promise<unknown>): Promise<boolean> {
  try {
    await act
    return true
  } catch (error) {
    if (error instanceof Refusal && takesNoRevision.has(error.code)) return false
    throw error
  }
}

const takesNoRevision: ReadonlySet<string> = new Set([
  ...['DOC_NOT_FOUND', 'DOC_ARCHIVED', 'PURGE_STARTED', 'DOC_DAMAGED'],
])
