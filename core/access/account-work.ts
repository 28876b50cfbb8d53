/**
 * What is left to do for an account after the commit that decided it (extensions §9): passing on a
 * guest's documents, and taking away what an account had that was deleted. Noted in the store, done
 * a few documents at a time, and taken up again after a failure or a restart.
 */
import { accountWorkKey, kindRange, parseKey } from '../../persistence/keys.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { accountById } from '../accounts/account-records.ts'
import { sessionsOf } from '../accounts/sessions.ts'
import { type Account, type AccountWork, readRecord, records } from '../records/records.ts'
import type { AccessContext } from './credentials.ts'
import { documentsOf, endGrant, isOwner, passOn } from './passing-on.ts'

/** Archives a document whose owner is gone; false: it cannot yet, ask again. */
export type ArchiveOrphan = (slug: Slug, owner: ActorId) => Promise<boolean>

export interface AccountWorkGiven extends Pick<AccessContext, 'store' | 'runtime'> {
  readonly archive: ArchiveOrphan
  readonly onTrouble: (error: unknown) => void
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

  close(): void {
    this.#isOver = true
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
    for (let isDone = false; !isDone; ) {
      if (this.#isOver) return
      const slugs = await documentsOf(
        this.#given,
        task.account.actor as ActorId,
        limits.accountWorkAtOnce,
      )
      const done = await Promise.all(slugs.map((slug) => this.#settle(slug, task)))
      if (done.includes(false)) return
      isDone = slugs.length < limits.accountWorkAtOnce
      await new Promise<void>((resolve) => this.#given.runtime.after(0, resolve))
    }
    await store.commit({ checks: [{ key, version: work.version }], deletes: [key] })
  }

  async #settle(
    slug: Slug,
    { account, work, into }: { account: Account; work: AccountWork; into: Account | undefined },
  ): Promise<boolean> {
    const actor = account.actor as ActorId
    if (work.what === 'join') {
      if (into !== undefined)
        await passOn(this.#given, slug, { from: actor, to: into.actor as ActorId })
      return into !== undefined
    }
    if (await isOwner(this.#given, slug, actor)) {
      if (!(await this.#given.archive(slug, actor))) return false
    }
    await endGrant(this.#given, slug, actor)
    return true
  }
}
