/**
 * Extensions §3 as a law: what a token is worth in any graph of tokens and makers, cycles and long
 * chains included, is what a model says that follows the rule by its letter, path by path. `SEED=…`
 * repeats one seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { atLeast } from '../../../core/access/may.ts'
import { judgeTokens, worthUnder } from '../../../core/access/worth.ts'
import type { LinkAccess, Role } from '../../../core/documents/contract.ts'
import { type DocumentToken, type GrantRecord, records } from '../../../core/records/records.ts'
import { sha256Hex } from '../../../core/records/secrets.ts'
import { actorKey, grantKey, tokenBySha256 } from '../../../persistence/keys.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { type ActorId, newSlug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { Chance, seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'

const seeds = seedsOf(1, process.env['LONG'] === '1' ? 3_000 : 75)
const roles = ['viewer', 'commenter', 'editor'] as const
const now = systemRuntime.now()
const slug = newSlug(systemRuntime)
const sha = (name: string): string => sha256Hex(name)

interface Graph {
  readonly tokens: ReadonlyMap<string, DocumentToken>
  readonly grants: ReadonlyMap<ActorId, GrantRecord>
}

/** Few roles of their own, so that much rests on links. */
function graphBy(chance: Chance): Graph {
  const names = Array.from({ length: chance.between(2, 9) }, (_, index) => `token ${index}`)
  const actors = Array.from({ length: chance.between(1, 5) }, (_, index) => `human:a${index}`)
  const some = () => names.filter(() => chance.happens(0.3)).map(sha)
  const tokenOf = (name: string): DocumentToken => ({
    type: 'document',
    id: name.replace(' ', '_'),
    prefix: 'shr',
    slug: chance.happens(0.03) ? newSlug(systemRuntime) : slug,
    role: chance.oneOf(roles),
    kind: 'shared',
    origin: 'link',
    actor: `ai:${name}`,
    createdAt: now,
    ...(chance.happens(0.08) && { follows: true as const }),
    ...(chance.happens(0.35) && { parent: sha(chance.oneOf([...names, 'nobody’s'])) }),
    ...(chance.happens(0.6) && { maker: chance.oneOf([...actors, 'human:gone']) }),
    ...(chance.happens(0.05) && { revoked: true as const }),
    ...(chance.happens(0.15) && { expiresAt: now + (chance.happens(0.5) ? -1_000 : 3_600_000) }),
  })
  const grantOf = (): GrantRecord => ({
    grantedAt: now,
    ...(chance.happens(0.35) && { role: chance.oneOf(roles) }),
    links: some(),
    ...(chance.happens(0.1) && { offeredUntil: now + (chance.happens(0.5) ? -1_000 : 3_600_000) }),
  })
  return {
    tokens: new Map(names.map((name) => [sha(name), tokenOf(name)])),
    grants: new Map(actors.map((actor) => [actor as ActorId, grantOf()])),
  }
}

const least = (one: Role | undefined, other: Role | undefined) =>
  one !== undefined && other !== undefined && atLeast(one, other) ? other : other && one
const best = (one: Role | undefined, other: Role | undefined) =>
  one === undefined || (other !== undefined && atLeast(other, one)) ? other : one

/** Nothing on the path to it counts for it. */
function modelled(
  { tokens, grants }: Graph,
  general: LinkAccess,
  id: string,
  path: readonly string[] = [],
): Role | undefined {
  if (path.includes(id)) return undefined
  const onto = [...path, id]
  const of = (next: string) => modelled({ tokens, grants }, general, next, onto)
  const token = tokens.get(id)
  if (token !== undefined) {
    const { expiresAt = now + 1, maker, parent, revoked } = token
    if (token.slug !== slug || revoked || expiresAt <= now) return undefined
    let role: Role | undefined = token.role
    if (token.follows) role = general.mode === 'anyone' ? general.role : undefined
    if (parent !== undefined) role = least(role, of(parent))
    return maker === undefined ? role : least(role, of(maker))
  }
  const grant = grants.get(id as ActorId)
  const { role: own, links = [], offeredUntil = 0 } = grant ?? {}
  const offered = offeredUntil > now ? 'viewer' : undefined
  return links.map(of).reduce(best, best(own, offered))
}

async function stored({ tokens, grants }: Graph) {
  const store = await openMemoryStore({ runtime: systemRuntime })
  const puts = [
    ...[...tokens].map(([sha256, token]) => ({
      key: tokenBySha256(sha256),
      value: records.secret.encode(token),
    })),
    ...[...grants].flatMap(([actor, grant]) => [
      { key: grantKey(slug, actor), value: records.grant.encode(grant) },
      { key: actorKey(actor), value: records.actorHome.encode({ name: actor }) },
    ]),
  ]
  await store.commit({ puts })
  return store
}

const tally = new Tally()
const generals: readonly LinkAccess[] = [
  { mode: 'restricted', role: 'editor' },
  ...roles.map((role) => ({ mode: 'anyone' as const, role })),
]

for (const seed of seeds) {
  test(`seed ${seed}: every token is worth what the model says`, async () => {
    const graph = graphBy(new Chance(seed))
    const store = await stored(graph)
    const context = { store, runtime: { ...systemRuntime, now: () => now } }
    for (const sha256 of graph.tokens.keys()) {
      const judged = await judgeTokens(context, slug, [{ sha256 }])
      const checked = new Set(judged.checks.map(({ key }) => key))
      assert.ok(checked.has(tokenBySha256(sha256)), 'it rests on its own record')
      assert.ok(judged.size <= limits.worthRecordsMax)
      for (const general of generals) {
        const expected = modelled(graph, general, sha256)
        const told = `seed ${seed}, ${graph.tokens.get(sha256)?.id}, ${JSON.stringify(general)}`
        assert.is(worthUnder(judged.of(sha256), general), expected, told)
        tally.add(expected ?? 'nothing')
      }
    }
    await store.close()
  })
}

test('a chain that is longer than what is looked at is worth nothing, and read no further', async () => {
  const base = { ...graphBy(new Chance(1)).tokens.values().next().value } as DocumentToken
  const { maker: _, parent: __, follows: ___, revoked: ____, expiresAt: _____, ...plain } = base
  const chain = Array.from({ length: 200 }, (_, index): [string, DocumentToken] => [
    sha(`link ${index}`),
    { ...plain, slug, role: 'editor', ...(index > 0 && { parent: sha(`link ${index - 1}`) }) },
  ])
  const store = await stored({ tokens: new Map(chain), grants: new Map() })
  const context = { store, runtime: systemRuntime }
  const worthAt = async (index: number) => {
    const sha256 = sha(`link ${index}`)
    const judged = await judgeTokens(context, slug, [{ sha256 }])
    return [judged.of(sha256).always, judged.size]
  }
  const max = limits.worthRecordsMax
  assert.equal(await worthAt(max - 1), ['editor', max])
  assert.equal(await worthAt(max), [undefined, max])
  assert.equal(await worthAt(199), [undefined, max])
  await store.close()
})

test('enough of every outcome was seen', () => {
  if (seeds.length > 1)
    tally.tell('worths', { nothing: 200, viewer: 50, commenter: 50, editor: 50 })
})

test.run()
