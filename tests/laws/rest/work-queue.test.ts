/**
 * The queue of all that parses much text (extensions §8): shared by cost among the sources of
 * requests, small work beside large, BUSY at once for who would wait too long.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  createWorkQueue,
  largeWork,
  smallWork,
  type WorkQueue,
  waitingHeldMaxBytes,
  workPassedMaxMs,
  workWaitMaxMs,
} from '../../../rest/quotas/work-queue.ts'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { costOfMarkdown } from '../../../schema/memory-cost.ts'
import { pace, spentOn } from '../../pace.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { bound } from '../../unit/rest/bound-documents.ts'
import { startService } from '../../unit/rest/service.ts'

const { atOnceBytes: room, waitingMaxBytes } = largeWork
const smallRoom = smallWork.atOnceBytes

/** Jobs on a queue that come to an end when the test says so. */
class Bench {
  readonly runtime = new SimulatedRuntime()
  readonly queue: WorkQueue = createWorkQueue(this.runtime)
  /** What runs, in the order it began. */
  readonly begun: string[] = []
  readonly refused: { readonly name: string; readonly refusal: unknown }[] = []
  readonly gone = new Set<string>()
  readonly #ends = new Map<string, () => void>()

  ask(name: string, costBytes: number, { address = '10.0.0.1', link = '', heldBytes = 1 } = {}) {
    const isGone = () => this.gone.has(name)
    const work = { source: { address, link }, costBytes, heldBytes, isGone }
    const job = () => {
      this.begun.push(name)
      return new Promise<void>((resolve) => this.#ends.set(name, resolve))
    }
    this.queue.run(work, job).catch((refusal) => void this.refused.push({ name, refusal }))
  }

  async end(name: string): Promise<void> {
    const end = this.#ends.get(name)
    assert.ok(end, `${name} runs`)
    end?.()
    await settled()
  }

  get refusedNames(): string[] {
    return this.refused.map(({ name }) => name)
  }
}

test('large work runs within one budget, in turn; one larger than that runs alone', async () => {
  const bench = new Bench()
  bench.ask('half', room / 2)
  bench.ask('whole', room * 3)
  await settled()
  assert.equal(bench.begun, ['half'])
  await bench.end('half')
  bench.ask('last', room / 2)
  await settled()
  assert.equal(bench.begun, ['half', 'whole'])
  await bench.end('whole')
  assert.equal(bench.begun, ['half', 'whole', 'last'])
})

test('small work is not behind large work, nor a small job behind many of another address', async () => {
  const bench = new Bench()
  bench.ask('large', room)
  bench.ask('next', room)
  const many = Array.from({ length: 30 }, (_, index) => `many ${index}`)
  for (const name of many) bench.ask(name, smallRoom / 4)
  bench.ask('other', smallRoom / 4, { address: '10.0.0.2' })
  await settled()
  assert.equal(bench.begun, ['large', ...many.slice(0, 4)])
  await bench.end('many 0')
  await bench.end('many 1')
  assert.ok(bench.begun.includes('other'), 'it is next but one')
  assert.equal(bench.refused, [])
})

test('addresses take turns, and the links by which they come', async () => {
  const bench = new Bench()
  bench.ask('first', room)
  for (const name of ['a1', 'a2', 'a3']) bench.ask(name, room / 8, { link: 'a' })
  bench.ask('b1', room / 8, { link: 'b' })
  bench.ask('c1', room / 8, { address: '10.0.0.3' })
  await bench.end('first')
  assert.equal(bench.begun, ['first', 'a1', 'c1', 'b1', 'a2', 'a3'])
})

test('one that waits long is not passed any more', async () => {
  const bench = new Bench()
  bench.ask('first', room * 0.75)
  bench.ask('whole', room, { address: '10.0.0.2' })
  bench.ask('passes', room / 4, { address: '10.0.0.3' })
  await settled()
  assert.equal(bench.begun, ['first', 'passes'])
  await bench.end('passes')
  await bench.runtime.pass(workPassedMaxMs)
  bench.ask('late', room / 4, { address: '10.0.0.3' })
  await settled()
  assert.is(bench.begun.length, 2)
  await bench.end('first')
  assert.equal(bench.begun, ['first', 'passes', 'whole'])
})

test('a full line is BUSY at once, with a Retry-After, for the address that fills it', async () => {
  const bench = new Bench()
  for (let index = 0; index < 20; index++) bench.ask(`${index}`, room)
  await settled()
  const most = Math.floor(waitingMaxBytes / 2 / room)
  assert.is(bench.refused.length, 20 - 1 - most)
  const { refusal } = bench.refused[0] ?? {}
  assert.ok(refusal instanceof Refusal)
  assert.is(refusal.code, 'BUSY')
  assert.is(refusal.status, 429)
  assert.ok(Number(refusal.details['retry_after']) >= 1)
  bench.ask('other', room, { address: '10.0.0.2' })
  await settled()
  assert.not(bench.refusedNames.includes('other'))
})

test('however many addresses fill the line, one more takes the place of who has most in it', async () => {
  const bench = new Bench()
  for (let address = 0; address < 10; address++) {
    for (let index = 0; index < 3; index++) {
      bench.ask(`${address} ${index}`, room / 4, { address: `10.0.1.${address}` })
    }
  }
  await settled()
  assert.ok(bench.refused.length > 0, 'the line is full')
  bench.ask('other', room / 8, { address: '10.0.0.2' })
  await settled()
  assert.not(bench.refusedNames.includes('other'))
})

test('behind one address a link that fills its part gives way to another', async () => {
  const bench = new Bench()
  bench.ask('first', room)
  for (let index = 0; index < 32; index++) bench.ask(`${index}`, room / 8, { link: 'bad' })
  const refused = bench.refused.length
  bench.ask('good', room / 8, { link: 'good' })
  await settled()
  assert.not(bench.refusedNames.includes('good'))
  assert.ok(bench.refused.length > refused, 'the newest of the other one gave way')
})

test('bodies that wait are bounded by their bytes', async () => {
  const bench = new Bench()
  bench.ask('first', room)
  const heldBytes = waitingHeldMaxBytes / 4
  for (let index = 0; index < 6; index++) bench.ask(`${index}`, room / 16, { heldBytes })
  await settled()
  assert.equal(bench.refusedNames, ['4', '5'])
})

test('who waited as long as a caller does is BUSY; who has gone leaves the line', async () => {
  const bench = new Bench()
  bench.ask('first', room)
  bench.ask('gone', room / 4)
  bench.ask('waits', room / 4)
  bench.gone.add('gone')
  await bench.end('first')
  assert.equal(bench.begun, ['first', 'waits'])
  bench.ask('late', room)
  await bench.runtime.pass(workWaitMaxMs)
  assert.equal(bench.refusedNames, ['gone', 'late'])
  assert.is(bench.runtime.waiting, 0, 'no timer is left')
})

test('a job that fails frees its place', async () => {
  const queue = createWorkQueue(new SimulatedRuntime())
  const work = { source: { address: '', link: '' }, heldBytes: 1, isGone: () => false }
  const failed = queue.run({ ...work, costBytes: room }, () => Promise.reject(new Error('no')))
  const next = queue.run({ ...work, costBytes: room }, async () => 'ran')
  assert.is(await failed.catch((error: Error) => error.message), 'no')
  assert.is(await next, 'ran')
})

test('the estimate follows blocks, not bytes, and takes a moment', () => {
  const bytes = 255_000
  const prose = 'lorem ipsum dolor sit amet, consectetur adipiscing elit\n'.repeat(bytes / 56)
  const blocks = 'a\n\n'.repeat(bytes / 3)
  assert.ok(costOfMarkdown(blocks) > 100 * costOfMarkdown(prose))
  // What these cost when they are open, measured: MB of 255 KB.
  const measured: readonly (readonly [string, number])[] = [
    ['a\n\n', 345],
    ['- a\n', 365],
    ['> > > > > > - a\n\n', 274],
    ['|a|b|c|d|\n', 442],
    ['***\n', 123],
    ['# \n', 186],
    [`${'> '.repeat(40)}a\n\n`, 224],
    ['- - - - a\n', 472],
    ['a\\\n', 253],
    ['*a* ', 222],
    ['**a***b*', 142],
    ['[a](b) ', 128],
    ['![](b)', 97],
  ]
  for (const [unit, megabytes] of measured) {
    const cost = costOfMarkdown(unit.repeat(bytes / unit.length)) / 1e6
    assert.ok(cost > 0.8 * megabytes && cost < 3.2 * megabytes, `${unit}: ${cost} MB`)
  }
  const units = ['1', '> ', '- ', '[', '\n', ' ', '1. ', '**_']
  const texts = units.map((unit) => unit.repeat(limits.markdownMaxBytes / unit.length))
  assert.ok(spentOn(() => costOfMarkdown(...texts)) < 1_000 * pace())
})

test('extensions §8: a create past the queue is 429 BUSY with Retry-After alone', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const service = await startService({
    wrapDocuments: (documents) => ({
      ...bound(documents),
      create: (request) => opened.then(() => documents.create({ ...request, markdown: 'x' })),
    }),
  })
  const body = { markdown: 'a\n\n'.repeat(80_000) }
  const post = () => service.call('POST', '/docs', { body })
  const waiting = Array.from({ length: 6 }, post)
  const refused = await Promise.race(waiting)
  assert.is(refused.status, 429)
  assert.is(refused.json['code'], 'BUSY')
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.is(refused.headers['ratelimit-limit'], undefined)
  open()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  assert.ok(statuses.filter((status) => status === 201).length >= 2)
  await service.close()
})

test.run()
