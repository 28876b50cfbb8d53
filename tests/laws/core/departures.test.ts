/** Many documents that leave memory in the same moment leave others their turns. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Writer } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { Departures } from '../../../core/turns/departures.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../schema/ids.ts'
import type { Timer } from '../../../schema/runtime.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { type Holds, holdsOf } from '../../longest-hold.ts'
import { pace } from '../../pace.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { everything } from '../../unit/core/whole-view.ts'

/** Real turns; of what is due at some time in the future all is due in one. */
class AtOnce extends SimulatedRuntime {
  readonly #due = new Set<() => void>()

  override elapsed(): number {
    return performance.now()
  }

  override inTurn(callback: () => void): void {
    systemRuntime.inTurn(callback)
  }

  override after(ms: number, callback: () => void): Timer {
    if (ms <= 0) return super.after(ms, callback)
    this.#due.add(callback)
    return { cancel: () => void this.#due.delete(callback) }
  }

  allDue(): void {
    const due = [...this.#due]
    this.#due.clear()
    for (const callback of due) callback()
  }
}

const count = 40
const writer: Writer = { actor: 'ai:one' as ActorId, authMethod: 'token' }
const markdown = `${'A line of words, some *more* of it.\n\n'.repeat(100)}The end.\n`

/** Small documents that are open, and have changed since they were stored whole. */
async function scene() {
  const runtime = new AtOnce()
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const documents = openDocuments({ store, runtime, onTrouble })
  const create = async (text: string) => {
    const slug = newSlug(runtime)
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    await documents.create({ markdown: text, linkAccess, slug, writer, puts: [], replay: {} })
    return slug
  }
  const slugs: Slug[] = []
  while (slugs.length < count) {
    const slug = await create(markdown)
    slugs.push(slug)
    const edits = [{ old_string: 'The end.', new_string: 'The very end.' }]
    await documents.patch(slug, { edits, dryRun: false, writer })
  }
  await settled(20)
  return { runtime, documents, slugs }
}

/** Until what is done in turns is done. */
async function until(isDone: () => boolean): Promise<void> {
  for (let turns = 0; !isDone(); turns++) {
    if (turns > 100_000) assert.unreachable('it never comes to an end')
    await settled(1)
  }
}

/** What all of them hold in one turn is all there is: a quarter of it is more than one of them. */
function assertBrief({ longestMs, totalMs }: Holds): void {
  const most = Math.max(15 * pace(), totalMs / 4)
  assert.ok(longestMs < most, `one of ${longestMs.toFixed(1)} of ${totalMs.toFixed(0)} ms`)
}

test('documents that nobody used for as long leave one by one, but who is used meanwhile', async () => {
  const { runtime, documents, slugs } = await scene()
  const [used] = slugs
  if (used === undefined) throw new Error('none was made')
  const holds = await holdsOf(async () => {
    runtime.allDue()
    await documents.read(used, everything)
    assert.is(documents.openCount, count)
    await until(() => documents.openCount <= 1)
    await settled(20)
  })
  assertBrief(holds)
  assert.is(documents.openCount, 1)
  for (const slug of slugs) {
    const view = await documents.read(slug, everything)
    assert.ok(view.markdown.endsWith('The very end.\n'))
    assert.is(view.revision, 2)
  }
  await documents.close()
})

test('documents of a service that stops leave one by one, and all of them', async () => {
  const { documents } = await scene()
  assertBrief(await holdsOf(() => documents.close()))
  assert.is(documents.openCount, 0)
})

test('what is due at once begins in order, and others have turns in between', async () => {
  const runtime = new SimulatedRuntime()
  const departures = new Departures(runtime)
  const order: string[] = []
  const timers = ['a', 'b', 'c', 'd'].map((name) =>
    departures.join(() => {
      order.push(name)
      void Promise.resolve().then(() => order.push(`after ${name}`))
      if (name === 'a') timers[2]?.cancel()
    }),
  )
  assert.equal(order, [])
  await settled(10)
  assert.equal(order, ['a', 'after a', 'b', 'after b', 'd', 'after d'])
})

test.run()
