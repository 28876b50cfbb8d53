/** Random histories of commits, scans and restarts on every engine agree with a plain Map. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { versionOf } from '../../../persistence/envelope.ts'
import type { Commit, Range, Store, Version } from '../../../persistence/store.ts'
import { hasPostgres, needing } from '../../postgres/databases.ts'
import { levelDisk, memoryDisk, postgresDisk, text, untext } from './fixtures.ts'
import type { Disk } from './store-suite.ts'

const runs = process.env['LONG'] === undefined ? 20 : 1000
const seed = 3

interface Model {
  readonly records: Map<string, { value: string; version: Version }>
  /** All that any commit has answered. */
  readonly versions: Set<Version>
}

const anyKey = fc.constantFrom('a', 'b', 'ba', 'b/', 'c', 'é', '\uffff', '\u{1f600}', 'z')

const anyRange: fc.Arbitrary<Range> = fc.record(
  { gte: anyKey, gt: anyKey, lte: anyKey, lt: anyKey, limit: fc.nat(5), reverse: fc.boolean() },
  { requiredKeys: [] },
)

type Step =
  | {
      kind: 'commit'
      puts: string[]
      deletes: string[]
      checks: [string, boolean][]
      value: string
    }
  | { kind: 'scan'; range: Range }
  | { kind: 'reopen' }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      puts: fc.uniqueArray(anyKey, { maxLength: 3 }),
      deletes: fc.uniqueArray(anyKey, { maxLength: 2 }),
      checks: fc.array(fc.tuple(anyKey, fc.boolean()), { maxLength: 2 }),
      value: fc.string({ unit: 'grapheme' }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('scan' as const), range: anyRange }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
)

const byBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))

function expectedKeys(model: Model, range: Range): string[] {
  const { gte, gt, lte, lt, reverse, limit } = range
  const keys = [...model.records.keys()]
    .filter((key) => gte === undefined || byBytes(key, gte) >= 0)
    .filter((key) => gt === undefined || byBytes(key, gt) > 0)
    .filter((key) => lte === undefined || byBytes(key, lte) <= 0)
    .filter((key) => lt === undefined || byBytes(key, lt) < 0)
    .sort(byBytes)
  if (reverse === true) keys.reverse()
  return keys.slice(0, limit ?? keys.length)
}

/** A commit of the step, with half of its checks wrong on purpose, and what must come of it. */
function commitOf(step: Step & { kind: 'commit' }, model: Model) {
  const deletes = step.deletes.filter((key) => !step.puts.includes(key))
  const checks = step.checks.map(([key, right]) => {
    const version = model.records.get(key)?.version
    return { key, version: right ? version : version === undefined ? versionOf(1) : undefined }
  })
  const conflict = step.checks.find(([, right]) => !right)?.[0]
  const puts = step.puts.map((key) => ({ key, value: text(step.value) }))
  return { commit: { checks, puts, deletes } satisfies Commit, conflict }
}

async function follow(step: Step & { kind: 'commit' }, store: Store, model: Model) {
  const { commit, conflict } = commitOf(step, model)
  const result = await store.commit(commit)
  if (conflict !== undefined) {
    assert.equal(result, { ok: false, conflict })
    return
  }
  if (!result.ok) return assert.unreachable('no check is wrong')
  const { version } = result
  assert.not.ok(model.versions.has(version), 'a key never has a version again')
  model.versions.add(version)
  for (const { key } of commit.puts) model.records.set(key, { value: step.value, version })
  for (const key of commit.deletes) model.records.delete(key)
}

async function assertAgrees(store: Store, model: Model, range: Range) {
  const expected = expectedKeys(model, range)
  const found: string[] = []
  for await (const { key, value, version } of store.scan(range)) {
    assert.equal({ value: untext(value), version }, model.records.get(key))
    found.push(key)
  }
  assert.equal(found, expected)
  const many = await store.getMany(expected)
  assert.equal(
    many.map((stored) => stored?.version),
    expected.map((key) => model.records.get(key)?.version),
  )
}

async function play(disk: Disk, steps: readonly Step[]): Promise<void> {
  let store = await disk.open()
  const model: Model = { records: new Map(), versions: new Set() }
  for await (const { key, value, version } of store.scan({})) {
    model.records.set(key, { value: untext(value), version })
  }
  try {
    for (const step of steps) {
      if (step.kind === 'commit') await follow(step, store, model)
      if (step.kind === 'scan') await assertAgrees(store, model, step.range)
      if (step.kind === 'reopen') {
        await store.close()
        store = await disk.open()
      }
    }
    await assertAgrees(store, model, {})
  } finally {
    await store.close()
    await disk.remove()
  }
}

const engines = { memory: memoryDisk, level: levelDisk, postgres: postgresDisk }

for (const [name, newDisk] of Object.entries(engines)) {
  needing(test, name !== 'postgres' || hasPostgres)(`${name} agrees with a Map`, async () => {
    const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) =>
      play(await newDisk(), steps),
    )
    await fc.assert(property, { seed, numRuns: runs })
    console.log(`\nseed ${seed} store model ${name}: ${runs} runs`)
  })
}

test.run()
