/** A transaction that is open over several turns tells of itself what Yjs tells of one at once. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { LongTransaction } from '../../../core/yjs/long-transaction.ts'
import { SharedDoc } from '../../../core/yjs/shared-doc.ts'
import { finish } from '../../../schema/steps.ts'
import { randomOf } from './guard-world.ts'

const seeds = process.env['LONG'] ? 60 : 4

interface Told {
  readonly ydoc: SharedDoc
  readonly updates: Uint8Array[]
}

function told(): Told {
  const ydoc = new SharedDoc()
  const updates: Uint8Array[] = []
  ydoc.on('update', (update: Uint8Array) => updates.push(update))
  return { ydoc, updates }
}

/** What several people write into one text, each in small updates. */
function written(random: (below: number) => number, people: readonly Y.Doc[]): Uint8Array[] {
  const updates: Uint8Array[] = []
  for (const person of people) {
    const note = (update: Uint8Array) => updates.push(update)
    person.on('update', note)
    const text = person.getText('text')
    for (let turn = 0; turn < 300; turn++) {
      const at = random(text.length + 1)
      if (random(3) === 0 && text.length > 0) text.delete(Math.min(at, text.length - 1), 1)
      else text.insert(at, 'ab'.repeat(1 + random(3)), random(4) === 0 ? { strong: true } : {})
    }
    person.off('update', note)
  }
  return updates
}

function writeLong({ ydoc }: Told, updates: readonly Uint8Array[]): number {
  const long = new LongTransaction(ydoc, 'write')
  for (const update of updates) long.write(() => Y.applyUpdate(ydoc, update))
  let steps = 0
  for (const _ of long.ending()) steps++
  return steps
}

function writeAtOnce({ ydoc }: Told, updates: readonly Uint8Array[]): void {
  const write = () => {
    for (const update of updates) Y.applyUpdate(ydoc, update)
  }
  Y.transact(ydoc, write, 'write', false)
}

test('the update is byte for byte the one that Yjs tells', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomOf(seed)
    const people = [3, 200_000, 17].map((client) => {
      const person = new Y.Doc()
      person.clientID = client
      return person
    })
    const [stock, ours] = [told(), told()]
    for (let round = 0; round < 3; round++) {
      const updates = written(random, people)
      writeAtOnce(stock, updates)
      const steps = writeLong(ours, updates)
      assert.ok(steps > 1, `seed ${seed}: it was written in steps`)
      for (const person of people) Y.applyUpdate(person, Y.encodeStateAsUpdate(stock.ydoc))
    }
    assert.is(ours.updates.length, stock.updates.length, `seed ${seed}`)
    for (const [index, update] of stock.updates.entries()) {
      assert.equal(Buffer.from(ours.updates[index] ?? []), Buffer.from(update), `seed ${seed}`)
    }
    assert.equal(Y.encodeStateAsUpdate(ours.ydoc), Y.encodeStateAsUpdate(stock.ydoc))
  }
})

test('of one that changed nothing nothing is told, and afterwards others are heard of again', () => {
  const ours = told()
  finish(new LongTransaction(ours.ydoc, 'write').ending())
  assert.is(ours.updates.length, 0)
  ours.ydoc.getText('text').insert(0, 'a')
  assert.is(ours.updates.length, 1)
})

test.run()
