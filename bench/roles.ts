/**
 * What a request spends on who is calling (interface §5): from a session's secret to the role on a
 * document, on LevelDB, with 1,000 grants on one document and 10,000 documents for one handle.
 * Started by people.ts; answers once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grantPuts } from '../core/access/grants.ts'
import { accessOn } from '../core/access/roles.ts'
import type { DocumentFacts } from '../core/documents/contract.ts'
import { openPeople, type People } from '../core/people.ts'
import { openLevelStore } from '../persistence/index.ts'
import type { Store } from '../persistence/store.ts'
import { type ActorId, newSlug, type Slug } from '../schema/ids.ts'
import { systemRuntime as runtime } from '../server/runtime.ts'
import { quantile } from './stats.ts'

export interface RoleNumbers {
  readonly what: string
  readonly p50: number
  readonly p99: number
  /** Processor time of all threads of one, on average. */
  readonly cpu: number
}

const grants = 1_000
const documents = 10_000

async function filled(store: Store, pairs: readonly (readonly [Slug, ActorId])[]): Promise<void> {
  const atOnce = 500
  for (let at = 0; at < pairs.length; at += atOnce) {
    const puts = pairs
      .slice(at, at + atOnce)
      .flatMap(([slug, actor]) =>
        grantPuts(slug, actor, { role: 'editor', grantedAt: 1, source: 'invite' }),
      )
    await store.commit({ puts })
  }
}

async function roleOf(people: People, session: string, slug: Slug): Promise<void> {
  const facts: Pick<DocumentFacts, 'slug' | 'linkAccess'> = {
    slug,
    linkAccess: { mode: 'restricted', role: 'viewer' },
  }
  const browser = await people.access.browser({ session, link: undefined, slug })
  const standing = await people.access.standing(browser, slug)
  const access = accessOn(standing, facts as DocumentFacts)
  if (access?.role !== 'editor') throw new Error(`the role is ${access?.role}`)
}

async function measured(
  what: string,
  count: number,
  one: (turn: number) => Promise<void>,
): Promise<RoleNumbers> {
  for (let turn = 0; turn < count; turn++) await one(turn)
  const times: number[] = []
  const before = process.cpuUsage()
  for (let turn = 0; turn < count; turn++) {
    const began = performance.now()
    await one(turn)
    times.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1000 / count
  return { what, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpu }
}

async function measureAll(directory: string): Promise<RoleNumbers[]> {
  const store = await openLevelStore({ directory, runtime })
  const people = openPeople({ store, runtime, secretKey: runtime.randomBytes(32) })
  const crowd: { readonly actor: ActorId; readonly session: string }[] = []
  for (let turn = 0; turn < grants; turn++) {
    const { account, session } = await people.accounts.createGuest(`Guest ${turn}`)
    crowd.push({ actor: account.actor as ActorId, session })
  }
  const shared = newSlug(runtime)
  const slugs = Array.from({ length: documents }, () => newSlug(runtime))
  const [one] = crowd
  if (one === undefined) throw new Error('nobody is there')
  await filled(
    store,
    crowd.map(({ actor }) => [shared, actor]),
  )
  await filled(
    store,
    slugs.map((slug) => [slug, one.actor]),
  )
  const at = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T
  const numbers = [
    await measured('one person again and again, 1,000 grants', 5_000, () =>
      roleOf(people, one.session, shared),
    ),
    await measured('each of the 1,000 in turn', grants, (turn) =>
      roleOf(people, at(crowd, turn).session, shared),
    ),
    await measured('one handle’s 10,000 documents in turn', documents, (turn) =>
      roleOf(people, one.session, at(slugs, turn)),
    ),
  ]
  await people.close()
  await store.close()
  return numbers
}

const directory = await mkdtemp(join(tmpdir(), 'scriptorium-roles-'))
try {
  process.send?.(await measureAll(directory))
} finally {
  await rm(directory, { recursive: true, force: true })
  process.disconnect()
}
