/**
 * Edits whose plan takes long (interface §4.5, extensions §2): others read and write their document
 * meanwhile; what comes of the plan is as if it had been made at once, or a refusal that says so.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PatchOutcome, Writer } from '../../../core/documents/contract.ts'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { HastyRuntime, settled } from '../../simulated-runtime.ts'
import { LawWorld, writers } from '../../unit/core/edits-laws-world.ts'
import { markdownIn } from '../../unit/core/whole-view.ts'

/** Looks at the clock until a plan is long: more than one edit takes, fewer than sixty. */
const hasty = { ...limits, planHeldMaxMs: 100 * limits.turnMs }

const [one, two] = writers as [Writer, Writer]
const count = 60
const lines = Array.from({ length: count }, (_, index) => `line ${index} of the old text`)
const before = `${lines.join('\n\n')}\n\nlast\n`
const after = before.replace(/old/g, 'new')
const long = lines.map((line) => ({ old_string: line, new_string: line.replace('old', 'new') }))

const world = () => LawWorld.of(before, new HastyRuntime(), hasty)

const patch = (
  { documents, slug }: LawWorld,
  edits: readonly Readonly<Record<string, unknown>>[],
  more: {
    readonly writer?: Writer
    readonly dryRun?: boolean
    readonly baseRevision?: number
  } = {},
): Promise<PatchOutcome | Refusal> =>
  documents
    .patch(slug, { edits: [...edits], writer: one, dryRun: false, ...more })
    .catch((error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    })

test('readers are answered while a long plan is made, and it is one revision', async () => {
  const made = await world()
  let isDone = false
  const patching = patch(made, long).finally(() => {
    isDone = true
  })
  const seen: string[] = []
  while (!isDone) {
    await settled(1)
    if (!isDone) seen.push((await made.read()).markdown)
  }
  const outcome = await patching
  assert.not.instance(outcome, Refusal)
  assert.is(markdownIn(outcome as PatchOutcome), after)
  assert.is((outcome as PatchOutcome).revision, 2)
  assert.ok(seen.filter((text) => text === before).length > 3, `${seen.length} reads meanwhile`)
  for (const text of seen) assert.ok(text === before || text === after, text)
  await made.documents.close()
})

test('a write in between is kept, and the plan is made anew', async () => {
  const made = await world()
  const patching = patch(made, long)
  await settled(8)
  const other = await patch(made, [{ old_string: 'last', new_string: 'very last' }], {
    writer: two,
  })
  assert.not.instance(other, Refusal)
  const outcome = await patching
  assert.not.instance(outcome, Refusal)
  assert.is(markdownIn(outcome as PatchOutcome), after.replace('last', 'very last'))
  assert.is((outcome as PatchOutcome).revision, 3)
  await made.documents.close()
})

for (const [code, baseRevision] of [
  ['EDIT_STALE_DURING_PATCH', undefined],
  ['EDIT_STALE_DURING_REBASE', 1],
] as const) {
  test(`${code}: others write faster than it is planned; nothing is committed`, async () => {
    const made = await world()
    let isDone = false
    const patching = patch(made, long, baseRevision === undefined ? {} : { baseRevision })
    const settling = patching.finally(() => {
      isDone = true
    })
    for (let word = 0; !isDone; word++) {
      const more = { old_string: 'last', new_string: `last${word}` }
      await patch(made, [{ ...more, old_string: word === 0 ? 'last' : `last${word - 1}` }])
      await settled(1)
    }
    await settling
    const refusal = (await patching) as Refusal
    assert.instance(refusal, Refusal)
    assert.is(refusal.code, code)
    assert.is(refusal.status, 409)
    const { revision, markdown, edits } = refusal.details
    assert.ok(Number(revision) > 3)
    assert.match(String(markdown), /^line 0 of the old text\n/)
    assert.is((edits as unknown[]).length, count)
    assert.not.match((await made.read()).markdown, /new/)
    await made.documents.close()
  })
}

test('a dry run and a refusal are of the text that they were made for', async () => {
  const made = await world()
  const missing = lines.map((line) => ({ old_string: `${line}§`, new_string: '' }))
  const answers = [patch(made, long, { dryRun: true }), patch(made, missing)]
  await settled(8)
  await patch(made, [{ old_string: 'last', new_string: 'very last' }], { writer: two })
  const [dry, refused] = (await Promise.all(answers)) as [PatchOutcome, Refusal]
  assert.is(markdownIn(dry), after)
  assert.is(refused.code, 'ALL_EDITS_FAILED')
  assert.is(refused.details['markdown'], before)
  assert.is(refused.details['revision'], 1)
  await made.documents.close()
})

test('of much long work at once, each turn of the event loop goes on with one', async () => {
  const order: string[] = []
  const turn = (name: string) =>
    new Promise<void>((resolve) => {
      systemRuntime.inTurn(() => {
        order.push(name)
        resolve()
      })
    })
  const ends: Promise<void>[] = []
  for (const name of ['one', 'two', 'three'])
    ends.push(turn(name).then(() => turn(`${name} again`)))
  const others = async () => {
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('other')
    }
  }
  await Promise.all([...ends, others()])
  assert.equal(
    order.filter((name) => name !== 'other'),
    ['one', 'two', 'three', 'one again', 'two again', 'three again'],
  )
  assert.ok(order.indexOf('other') < order.indexOf('three'), order.join())
})

test.run()
