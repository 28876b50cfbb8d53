/**
 * What a document token is worth now (extensions §3). A token is worth at most its own role, what
 * the token is worth that it was made through, and what its maker is worth on the document. A maker
 * is worth the best of its own role, the links that it keeps, and the document's place in a library.
 * So tokens and makers form a graph, which may have cycles; its worth is the least fixpoint, in
 * which nothing supports itself. At most `limits.worthRecordsMax` nodes are read, the nearest
 * first; those beyond are worth nothing.
 */
import { accountKey, actorKey, agentKey, grantKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { accountById } from '../accounts/account-records.ts'
import { agentById } from '../agents/registration.ts'
import type { LinkAccess, Role } from '../documents/contract.ts'
import { type DocumentToken, readRecord, records, type Versioned } from '../records/records.ts'
import { atLeast, higherOf, lowerOf } from './may.ts'
import { type PartInLibrary, placeGrant } from './place-grants.ts'

/** A role under any general access; the second counts up to what general access is. */
export interface Worth {
  /** Whatever general access is. */
  readonly always: Role | undefined
  /** Where general access is that of an editor. */
  readonly most: Role | undefined
}

export const worthUnder = ({ always, most }: Worth, { mode, role }: LinkAccess) =>
  higherOf(always, mode === 'anyone' ? lowerOf(most, role) : undefined)

type Source = { readonly token: string } | { readonly actor: ActorId }

interface Node {
  /** A token needs all that it rests on, a maker any of it. */
  readonly needs: 'all' | 'any'
  /** Of a token at most, of a maker at least; `general`: that of general access. */
  readonly role: Role | 'general' | undefined
  readonly on: readonly Source[]
}

/** What several tokens of one document are worth, and what says so. */
export interface Judgement {
  of(sha256: string): Worth
  /** The records that were read, also those that there are not. */
  readonly checks: readonly Check[]
  /** When some of them end; milliseconds since the epoch, all of them to come. */
  readonly ends: readonly number[]
  /** How many nodes were looked at. */
  readonly size: number
}

export interface WorthContext {
  readonly store: Store
  readonly runtime: Runtime
}

export interface TokenQuery {
  readonly sha256: string
  /** The token's record, where it was read already. */
  readonly found?: Versioned<DocumentToken>
}

/** Of tokens of the document `slug`. */
export async function judgeTokens(
  context: WorthContext,
  slug: Slug,
  asked: readonly TokenQuery[],
): Promise<Judgement> {
  const graph = new Graph(context, slug)
  for (const { sha256, found } of asked) if (found) graph.addToken(sha256, found)
  await graph.explore(asked.map(({ sha256 }) => ({ token: sha256 })))
  return graph.judgement(({ sha256 }) => keyOf(slug, { token: sha256 }))
}

/** Of somebody who has no token: what a link of theirs would be worth. */
export async function judgeMaker(
  context: WorthContext,
  slug: Slug,
  maker: Source,
): Promise<{ readonly worth: Worth; readonly size: number }> {
  const graph = new Graph(context, slug)
  await graph.explore([maker])
  const { of, size } = graph.judgement(() => keyOf(slug, maker))
  return { worth: of(''), size }
}

const keyOf = (slug: Slug, source: Source): string =>
  'token' in source ? tokenBySha256(source.token) : grantKey(slug, source.actor)

const nothing: Node = { needs: 'any', role: undefined, on: [] }

class Graph {
  readonly #context: WorthContext
  readonly #slug: Slug
  readonly #nodes = new Map<string, Node>()
  readonly #checks = new Map<string, Check>()
  readonly #ends = new Set<number>()

  constructor(context: WorthContext, slug: Slug) {
    this.#context = context
    this.#slug = slug
  }

  /** Level by level, so that what is near counts where there is too much. */
  async explore(from: readonly Source[]): Promise<void> {
    let level = from
    while (level.length > 0) {
      await Promise.all(level.map((source) => this.#look(source)))
      const next = new Map<string, Source>()
      for (const source of level) {
        for (const one of this.#nodes.get(keyOf(this.#slug, source))?.on ?? []) {
          const key = keyOf(this.#slug, one)
          if (!this.#nodes.has(key)) next.set(key, one)
        }
      }
      level = [...next.values()].slice(0, Math.max(0, limits.worthRecordsMax - this.#nodes.size))
    }
  }

  judgement(keyFor: (asked: TokenQuery) => string): Judgement {
    const always = this.#values(undefined)
    const most = this.#values('editor')
    return {
      of: (sha256) => {
        const key = keyFor({ sha256 })
        return { always: always.get(key), most: most.get(key) }
      },
      checks: [...this.#checks.values()],
      ends: [...this.#ends],
      size: this.#nodes.size,
    }
  }

  /** The least fixpoint under this general access. Roles only rise, so it ends. */
  #values(general: Role | undefined): ReadonlyMap<string, Role | undefined> {
    const values = new Map<string, Role | undefined>()
    for (let isChanged = true; isChanged; ) {
      isChanged = false
      for (const [key, { needs, role, on }] of this.#nodes) {
        const join = needs === 'all' ? lowerOf : higherOf
        const first = role === 'general' ? general : role
        const value = on.reduce<Role | undefined>(
          (found, source) => join(found, values.get(keyOf(this.#slug, source))),
          first,
        )
        if (value === values.get(key)) continue
        values.set(key, value)
        isChanged = true
      }
    }
    return values
  }

  async #look(source: Source): Promise<void> {
    const key = keyOf(this.#slug, source)
    if (this.#nodes.has(key)) return
    if ('actor' in source) return this.#addActor(source.actor)
    const found = await readRecord(this.#context.store, key, records.secret)
    if (found?.record.type === 'document') {
      this.addToken(source.token, { record: found.record, version: found.version })
      return
    }
    this.#rest(key, found)
    this.#nodes.set(key, nothing)
  }

  addToken(sha256: string, { record, version }: Versioned<DocumentToken>): void {
    const key = tokenBySha256(sha256)
    this.#checks.set(key, { key, version })
    const { expiresAt, parent, maker } = record
    if (record.slug !== this.#slug || isOver(record, this.#context.runtime.now())) {
      this.#nodes.set(key, nothing)
      return
    }
    if (expiresAt !== undefined) this.#ends.add(expiresAt)
    const on: Source[] = []
    if (parent !== undefined) on.push({ token: parent })
    if (maker !== undefined) on.push({ actor: maker as ActorId })
    this.#nodes.set(key, {
      needs: 'all',
      role: record.follows === true ? 'general' : record.role,
      on,
    })
  }

  async #addActor(actor: ActorId): Promise<void> {
    const { store, runtime } = this.#context
    const key = grantKey(this.#slug, actor)
    const [grant, home] = await Promise.all([
      readRecord(store, key, records.grant),
      readRecord(store, actorKey(actor), records.actorHome),
    ])
    this.#rest(key, grant)
    const part = home && (await this.#partOf(home.record))
    if (part === 'barred') {
      this.#nodes.set(key, nothing)
      return
    }
    const { role: own, links = [], offeredUntil = 0 } = grant?.record ?? {}
    let role = own
    if (offeredUntil > runtime.now()) {
      this.#ends.add(offeredUntil)
      role = higherOf(role, 'viewer')
    }
    // What tokens are worth ends at an editor's role.
    if (role !== undefined && atLeast(role, 'editor')) {
      this.#nodes.set(key, { needs: 'any', role, on: [] })
      return
    }
    const placed = await placeGrant(store, this.#slug, part)
    for (const check of placed.checks) this.#checks.set(check.key, check)
    const on = links.map((token) => ({ token }))
    this.#nodes.set(key, { needs: 'any', role: placed.isEditor ? 'editor' : role, on })
  }

  /** What an actor could have a part in a library as; `barred`: an operator has disabled it. */
  async #partOf(
    home: { agentId: string } | { accountId: string } | { token: string } | { name: string },
  ): Promise<PartInLibrary | 'barred' | undefined> {
    const { store } = this.#context
    if ('accountId' in home) return this.#person(home.accountId)
    if (!('agentId' in home)) return undefined
    const found = await agentById(store, home.agentId)
    this.#rest(agentKey(home.agentId), found)
    const agent = found?.record
    const owner = agent?.ownerId === undefined ? undefined : await this.#person(agent.ownerId)
    return owner === 'barred' ? owner : agent && { agent }
  }

  #rest(key: string, found: Versioned<unknown> | undefined): void {
    this.#checks.set(key, { key, version: found?.version })
  }

  async #person(accountId: string): Promise<PartInLibrary | 'barred'> {
    const account = await accountById(this.#context.store, accountId)
    this.#rest(accountKey(accountId), account)
    return account?.record.disabled === true ? 'barred' : { accountId }
  }
}

/** Whether it has ended by itself or by somebody's act. */
const isOver = ({ expiresAt, revoked }: DocumentToken, now: number): boolean =>
  revoked === true || (expiresAt !== undefined && expiresAt <= now)
