/** Small works of many in turns they share, and the messages of a session that waited. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Arrival, Inbox, type InboxHost } from '../../../core/documents/live/inbox.ts'
import { SharedTurns } from '../../../core/turns/shared-turns.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'

/** A clock that each piece of work moves on. */
class WorkClock extends SimulatedRuntime {
  worked = 0
  override elapsed(): number {
    return this.worked
  }
}

const pieceMs = limits.turnMs / 5

test('a step of each in its turn, as many in one turn of the event loop as it has time for', async () => {
  const runtime = new WorkClock()
  const turns = new SharedTurns(runtime)
  const done: string[] = []
  const work = (name: string, count: number) => {
    let left = count
    turns.add(() => {
      runtime.worked += pieceMs
      done.push(name)
      return --left > 0
    })
  }
  work('a', 3)
  assert.is(done.join(''), 'aaa', 'at once, while there is time')
  work('b', 6)
  work('c', 2)
  assert.is(done.join(''), 'aaabb')
  await new Promise(setImmediate)
  assert.is(done.join(''), 'aaabbbcbcb', 'no more than a turn has time for')
  await new Promise(setImmediate)
  assert.is(done.join(''), 'aaabbbcbcbb')
  work('d', 1)
  assert.is(done.at(-1), 'd')
})

test('where each step takes longer than a turn, each turn has one', async () => {
  const runtime = new WorkClock()
  // The clock moves on also while nothing is done.
  runtime.elapsed = () => (runtime.worked += limits.turnMs)
  const turns = new SharedTurns(runtime)
  let [done, left] = [0, 4]
  turns.add(() => {
    done++
    return --left > 0
  })
  for (let turn = 1; turn <= 4; turn++) {
    assert.is(done, turn)
    await new Promise(setImmediate)
  }
  assert.is(done, 4)
})

class Host implements InboxHost {
  readonly count = { saved: () => {} }
  readonly heard: number[] = []
  readonly unfinished = new Set<Promise<void>>()
  readonly turns: SharedTurns
  readonly runtime: WorkClock
  isReading = true
  gate: Promise<boolean> | undefined

  constructor(turns: SharedTurns, runtime: WorkClock) {
    this.turns = turns
    this.runtime = runtime
  }

  away = () => undefined
  mayRead = () => undefined
  isLarge = () => false
  partsOf = (update: Uint8Array) => Promise.resolve([update])
  take({ update }: Arrival): Promise<boolean> | undefined {
    if (this.gate !== undefined) return this.gate
    this.runtime.worked += pieceMs
    this.heard.push(update[0] ?? -1)
    return undefined
  }
  takeLarge = (arrival: Arrival) => Promise.resolve({ wait: this.take(arrival) })
  taken = () => {}
  applied = () => Promise.resolve(true)
  finishing(work: Promise<void>): void {
    this.unfinished.add(work)
    void work.then(() => this.unfinished.delete(work))
  }
  inTurns = (step: () => boolean) => this.turns.add(step)
  reads(isReading: boolean): void {
    this.isReading = isReading
  }
  failed(error: unknown): void {
    throw error
  }
}

test('many who waited for the same take in turns what came meanwhile, each in its order', async () => {
  const runtime = new WorkClock()
  const turns = new SharedTurns(runtime)
  let open: (mayTake: boolean) => void = () => {}
  const gate = new Promise<boolean>((resolve) => {
    open = resolve
  })
  const hosts = Array.from({ length: 20 }, () => new Host(turns, runtime))
  const inboxes = hosts.map((host) => new Inbox(host))
  const receive = (at: number) => {
    for (const inbox of inboxes) {
      inbox.receive({ update: Uint8Array.of(at), answersStep1: false })
    }
  }
  for (const host of hosts) host.gate = gate
  for (let at = 0; at < 10; at++) receive(at)
  for (const host of hosts) host.gate = undefined
  open(true)
  let longest = 0
  for (let turn = 0; turn < 100 && hosts.some(({ unfinished }) => unfinished.size > 0); turn++) {
    const before = runtime.worked
    // What comes now waits behind what waited.
    if (turn === 3) receive(10)
    await new Promise(setImmediate)
    longest = Math.max(longest, runtime.worked - before)
  }
  await settled()
  for (const { heard, isReading, unfinished } of hosts) {
    assert.equal(heard, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert.ok(isReading)
    assert.is(unfinished.size, 0)
  }
  // The first message of each is taken where the wait ends.
  assert.ok(longest <= 20 * pieceMs + 2 * limits.turnMs, `${longest} ms in one turn`)
})

test.run()
