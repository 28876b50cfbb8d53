/**
 * Mutated honest updates: judging never throws and never takes long, and what is admitted applies
 * in Yjs without a trace of trouble: nothing pending, nobody else's clocks moved, only nodes of the
 * schema, and a copy that collects no garbage holds and lacks the same characters. (Their order is
 * Yjs's own affair: neighbours the wrong way round, which stock undo sends now and then, may put an
 * item at two places in two copies.)
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { isNodeName } from '../../../core/documents/guard/content-rules.ts'
import { Guard } from '../../../core/documents/guard/guard.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { leastOf, pace } from '../../pace.ts'
import { Tally } from '../../tally.ts'
import { type Random, randomOf, World } from '../../unit/core/documents/guard/guard-world.ts'

const mutations = process.env['LONG'] ? 1_000_000 : 2_000
const perScene = 100
const slowMs = 100

/** A document at one moment and honest updates that were judged then. */
interface Scene {
  readonly state: Uint8Array
  readonly replicaUpdates: readonly Uint8Array[]
  readonly owners: ReadonlyMap<number, ActorId>
  readonly sent: readonly { readonly update: Uint8Array; readonly actor: ActorId }[]
}

function sceneOf(seed: number): Scene {
  const world = new World(seed)
  const log: Uint8Array[] = []
  world.ydoc.on('update', (update: Uint8Array) => void log.push(update))
  for (let step = world.random(120); step > 0; step--) world.step()
  for (const client of world.clients) world.connect(client)
  world.flush()
  const state = Y.encodeStateAsUpdate(world.ydoc)
  const vector = Y.encodeStateVector(world.ydoc)
  const replicaUpdates = [...log]
  const owners = new Map(world.owners)
  const sent: { update: Uint8Array; actor: ActorId }[] = []
  world.onUpdate = (update, actor) => void sent.push({ update, actor })
  for (const client of world.clients) {
    for (let edits = 0; edits < 3; edits++) client.edit()
    sent.push({ update: Y.encodeStateAsUpdate(client.ydoc, vector), actor: client.actor })
    sent.push({ update: Y.encodeStateAsUpdate(client.ydoc), actor: client.actor })
  }
  return { state, replicaUpdates, owners, sent }
}

function varUint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return bytes
}

const edges = [
  0,
  1,
  2,
  127,
  128,
  2 ** 14,
  2 ** 24,
  2 ** 30,
  2 ** 31 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 60,
]

/** Where `part` begins in `bytes`, from `from` on; -1 if nowhere. */
function find(bytes: readonly number[], part: readonly number[], from: number): number {
  for (let at = from; at + part.length <= bytes.length; at++) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

/** One change of bytes, sometimes up to three; ids are swapped for others that exist. */
function mutate(random: Random, update: Uint8Array, scene: Scene, other: Uint8Array): Uint8Array {
  let bytes = [...update]
  const clients = [...scene.owners.keys()].map(varUint)
  for (let left = 1 + Math.max(0, random(6) - 3); left > 0; left--) {
    const at = random(bytes.length + 1)
    const span = random(8)
    switch (random(9)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
        break
      case 1:
        bytes[at] = random(256)
        break
      case 2:
        bytes = bytes.slice(0, at)
        break
      case 3: {
        const from = random(other.length + 1)
        bytes.splice(at, span, ...other.subarray(from, from + random(40)))
        break
      }
      case 4:
        bytes.splice(at, 1 + random(2), ...varUint(edges[random(edges.length)] ?? 0))
        break
      case 5:
        bytes.splice(at, span)
        break
      case 6:
      case 7: {
        const from = clients[random(clients.length)] ?? []
        const to = clients[random(clients.length)] ?? []
        const found = find(bytes, from, at)
        if (found < 0) break
        bytes.splice(found, from.length, ...to)
        if (random(2) === 0) bytes[found + to.length] = random(40)
        break
      }
      default:
        bytes[at] = Math.max(0, Math.min(255, (bytes[at] ?? 0) + random(5) - 2))
    }
  }
  return Uint8Array.from(bytes)
}

function checkTree(fragment: Y.XmlFragment): void {
  const open: (Y.XmlFragment | Y.XmlText)[] = [fragment]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node instanceof Y.XmlText) {
      for (const { insert } of node.toDelta()) assert.type(insert, 'string')
      continue
    }
    if (node instanceof Y.XmlElement) assert.ok(isNodeName(node.nodeName))
    for (const child of node.toArray()) {
      assert.ok(child instanceof Y.XmlText || child instanceof Y.XmlElement)
      open.push(child)
    }
  }
}

/** The machine may have been busy with something else: the best of five, on a guard of its own. */
function leastTime(scene: Scene, sent: { update: Uint8Array; actor: ActorId }): number {
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, scene.state)
  const guard = new Guard({ ydoc, ownerOf: (client) => scene.owners.get(client) })
  return leastOf(5, () => {
    guard.judge(sent.update, sent.actor, { mayPark: true, discard: true })
  })
}

interface Admitted {
  readonly update: Uint8Array
  readonly actor: ActorId
  readonly claims: readonly number[]
}

/** Both send what they have until neither has news: each may clean up formats when it receives. */
function synchronise(one: Y.Doc, other: Y.Doc): void {
  for (let round = 0; round < 5; round++) {
    if (Y.equalSnapshots(Y.snapshot(one), Y.snapshot(other))) return
    Y.applyUpdate(other, Y.encodeStateAsUpdate(one, Y.encodeStateVector(other)))
    Y.applyUpdate(one, Y.encodeStateAsUpdate(other, Y.encodeStateVector(one)))
  }
  assert.unreachable('copies that never agree')
}

/** Applies a batch to a copy of the scene and checks the laws. */
function checkBatch(scene: Scene, batch: readonly Admitted[]): void {
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, scene.state)
  const replica = new Y.Doc({ gc: false })
  for (const update of scene.replicaUpdates) Y.applyUpdate(replica, update)
  synchronise(ydoc, replica)
  const before = Y.decodeStateVector(Y.encodeStateVector(ydoc))
  const mine = new Set<ActorId>(batch.map(({ actor }) => actor))
  const claimed = new Set(batch.flatMap(({ claims }) => claims))
  const frames: Uint8Array[] = []
  ydoc.on('update', (frame: Uint8Array) => void frames.push(frame))
  ydoc.transact(() => {
    for (const { update } of batch) Y.applyUpdate(ydoc, update)
  })
  assert.is(ydoc.store.pendingStructs, null)
  assert.is(ydoc.store.pendingDs, null)
  assert.equal(
    [...ydoc.share.keys()].filter((name) => name !== fragmentName),
    [],
  )
  for (const [client, structs] of ydoc.store.clients) {
    let clock = 0
    for (const struct of structs) {
      assert.is(struct.id.clock, clock)
      clock += struct.length
    }
    const owner = scene.owners.get(client)
    const moved = clock !== (before.get(client) ?? 0)
    assert.ok(!moved || claimed.has(client) || (owner !== undefined && mine.has(owner)))
  }
  const fragment = ydoc.getXmlFragment(fragmentName)
  checkTree(fragment)
  for (const frame of frames) Y.applyUpdate(replica, frame)
  synchronise(ydoc, replica)
  const reloaded = new Y.Doc()
  Y.applyUpdate(reloaded, Y.encodeStateAsUpdate(ydoc))
  assert.ok(Y.equalSnapshots(Y.snapshot(reloaded), Y.snapshot(ydoc)))
}

test('mutated updates, alone and in batches', () => {
  const tally = new Tally()
  let tried = 0
  let slowest = 0
  for (let seed = 1; tried < mutations; seed++) {
    const scene = sceneOf(seed)
    const random = randomOf(seed ^ 0x5eed)
    const pick = () => scene.sent[random(scene.sent.length)] ?? scene.sent[0]
    const ydoc = new Y.Doc()
    Y.applyUpdate(ydoc, scene.state)
    const host = { ydoc, ownerOf: (client: number) => scene.owners.get(client) }
    const guard = new Guard(host)
    let batch: Admitted[] = []
    const finish = (): void => {
      if (batch.length > 0) checkBatch(scene, batch)
      batch = []
      guard.settled()
    }
    for (let round = 0; round < perScene; round++, tried++) {
      const sent = pick()
      const other = pick()
      if (sent === undefined || other === undefined) break
      const update = mutate(random, sent.update, scene, other.update)
      const options = { mayPark: random(2) === 0 }
      const start = performance.now()
      try {
        const verdict = guard.judge(update, sent.actor, options)
        const took = performance.now() - start
        if (took < slowMs) slowest = Math.max(slowest, took)
        else slowest = Math.max(slowest, leastTime(scene, { ...sent, update }))
        tally.add(verdict.kind)
        if (verdict.kind === 'admit' && !verdict.facts.changesNothing) {
          tally.add('admitted with something new')
          const { claims } = verdict.facts
          batch.push({ update: verdict.update, actor: sent.actor, claims })
        }
        if (random(2) === 0) finish()
      } catch (error) {
        console.log(`failing seed ${seed} round ${round}: [${update.join(',')}]`)
        throw error
      }
    }
    finish()
  }
  tally.tell(`1.. guard fuzz, slowest ${slowest.toFixed(1)} ms`, {
    'admitted with something new': mutations / 100,
    refuse: mutations / 10,
    park: mutations / 100,
  })
  assert.ok(slowest < slowMs * pace(), `${slowest} ms`)
})

test.run()
