/**
 * Live updates that take long are applied in turns of the event loop: what came and went meanwhile
 * finds all of a batch or nothing, and the end is the same as if it had been done at once.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { Turns } from '../../../core/turns/turns.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import { type ActorId, newSlug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { fillState } from '../../filled-state.ts'
import { HastyRuntime, SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { randomOf } from './guard-world.ts'
import { LiveDesk } from './live-desk.ts'

const writer = { actor: 'ai:agent' as ActorId, authMethod: 'token' } as const
/** Whatever comes is applied in turns. */
const inTurns = { ...limits, longBatchMicros: 0 }
/** And judged so, each as if it were large. */
const allInTurns = { ...inTurns, updatePartBytes: 16, judgedAtOnce: 2 }
const paragraphs = Array.from({ length: 12 }, (_, at) => `paragraph ${at} *of* words`)

/** A key, an erased word, a bold one, a paragraph or one less. */
function write(desk: LiveDesk, random: (below: number) => number): void {
  const at = random(desk.fragment.length)
  const block = desk.fragment.get(at)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText) || random(8) === 0) {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('new ')])
    desk.fragment.insert(at, [paragraph])
  } else if (random(9) === 0 && desk.fragment.length > 3) desk.fragment.delete(at, 1)
  else typeInto(text, random)
}

function typeInto(text: Y.XmlText, random: (below: number) => number): void {
  const how = text.length > 3 ? random(4) : 0
  if (how === 1) text.delete(random(text.length - 2), 2)
  else if (how === 2) text.format(random(text.length - 2), 2, { strong: {} })
  else text.insert(random(text.length + 1), 'ab')
}

test('whoever reads, edits or types meanwhile, all of it is there in the end, once', async () => {
  const seeds = process.env['LONG'] ? 60 : 2
  console.log(`\nseed 1..${seeds} long batches`)
  for (let seed = 1; seed <= seeds; seed++) await meanwhile(seed)
})

async function meanwhile(seed: number): Promise<void> {
  const random = randomOf(seed)
  const store = await openMemoryStore({ runtime: new SimulatedRuntime() })
  const onTrouble = ({ error }: { readonly error: unknown }) => {
    throw error
  }
  const runtime = new HastyRuntime()
  const bounds = seed % 2 === 0 ? allInTurns : inTurns
  const open = () => openDocuments({ store, runtime, limits: bounds, onTrouble })
  const documents = open()
  const slug = newSlug(new SimulatedRuntime())
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const markdown = `${paragraphs.join('\n\n')}\n`
  await documents.create({ slug, markdown, writer, linkAccess, puts: [], replay: null })
  const names = ['ada', 'bo', 'cy']
  const desks = await Promise.all(names.map((name) => new LiveDesk(name).open(documents, slug)))
  for (const [index, { ydoc }] of desks.entries()) ydoc.clientID = seed * names.length + index + 1
  const asked: Promise<unknown>[] = []
  let late: LiveDesk | undefined
  for (let turn = 0; turn < 60; turn++) {
    for (const desk of desks) if (random(2) === 0) write(desk, random)
    if (random(3) === 0) asked.push(documents.read(slug, {}))
    if (random(6) === 0) {
      const edits = [{ old_string: 'paragraph 3', new_string: `paragraph 3 ${turn}` }]
      const patch = documents.patch(slug, { edits, dryRun: false, writer })
      asked.push(
        patch.catch((error: unknown) => {
          // Somebody has changed the words it names.
          if (!(error instanceof Refusal) || error.status !== 409) throw error
        }),
      )
    }
    if (turn === 30) late = await new LiveDesk('late').open(documents, slug)
    await settled(random(4))
  }
  await Promise.all(asked)
  const all = [...desks, ...(late === undefined ? [] : [late])]
  for (let turn = 0; turn < 2_000; turn++) {
    if (desks.every(({ saved, sent }) => saved === sent)) break
    // What is costly waits for a share of the event loop, which is earned by time.
    await runtime.pass(10)
  }
  for (const { closed, reason } of all) assert.is(closed, undefined, `seed ${seed}: ${reason}`)
  for (const { saved, sent } of desks) assert.is(saved, sent, `seed ${seed}: all of it is stored`)
  await settled(20)
  const [first, ...others] = all.map(({ fragment }) => fragment.toString())
  for (const other of others) assert.is(other, first, `seed ${seed}: copies alike`)
  const view = await documents.read(slug, { markdown: true })
  for (const desk of all) desk.session?.leave()
  await documents.close()
  const again = open()
  assert.is(
    (await again.read(slug, { markdown: true })).markdown,
    view.markdown,
    `seed ${seed}: after a restart`,
  )
  await again.close()
  await store.close()
}

test('of those who come back at once each is heard in a turn of the event loop of its own', async () => {
  const { applyUpdates } = DocumentState.prototype
  let turn = 0
  const applied = new Map<number, number>()
  DocumentState.prototype.applyUpdates = function (entries) {
    applied.set(turn, (applied.get(turn) ?? 0) + 1)
    return applyUpdates.call(this, entries)
  }
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  try {
    // The real one: it gives turns one by one.
    const runtime = systemRuntime
    const store = await openMemoryStore({ runtime })
    const onTrouble = ({ error }: { readonly error: unknown }) => {
      throw error
    }
    // Each waits until the one before is applied.
    const oneByOne = { ...limits, batchMicros: 1 }
    const documents = openDocuments({ store, runtime, limits: oneByOne, onTrouble })
    const slug = newSlug(runtime)
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const markdown = `${paragraphs.join('\n\n')}\n`
    await documents.create({ slug, markdown, writer, linkAccess, puts: [], replay: null })
    const names = Array.from({ length: 12 }, (_, index) => `back-${index}`)
    const before = await Promise.all(names.map((name) => new LiveDesk(name).open(documents, slug)))
    for (const [index, desk] of before.entries()) {
      desk.session?.leave()
      desk.textOf(index).insert(0, `offline ${'words '.repeat(200)}`)
    }
    applied.clear()
    setImmediate(count)
    const back = await Promise.all(names.map((name) => new LiveDesk(name).connect(documents, slug)))
    const answers = back.map(async ({ session }, index) => {
      const ydoc = before[index]?.ydoc ?? new Y.Doc()
      const answer = session?.answerStep1(Y.encodeStateVector(ydoc))
      session?.receive(Y.encodeStateAsUpdate(ydoc), true)
      return answer
    })
    await Promise.all(answers)
    const text = (await documents.read(slug, { markdown: true })).markdown
    assert.is(text.match(/offline/g)?.length, names.length)
    const most = Math.max(...applied.values())
    assert.ok(most <= names.length / 2, `${most} batches were applied in one turn`)
    isOver = true
    for (const { session } of back) session?.leave()
    await documents.close()
    await store.close()
  } finally {
    isOver = true
    DocumentState.prototype.applyUpdates = applyUpdates
  }
})

test('a batch that fails half way ends the document before anybody else reads or writes', async () => {
  const { applyingUpdates } = DocumentState.prototype
  try {
    for (const stepsBefore of [0, 1, 2, 3]) await failing(stepsBefore, applyingUpdates)
  } finally {
    DocumentState.prototype.applyingUpdates = applyingUpdates
  }
})

async function failing(
  stepsBefore: number,
  applyingUpdates: DocumentState['applyingUpdates'],
): Promise<void> {
  DocumentState.prototype.applyingUpdates = function* (entries) {
    const steps = applyingUpdates.call(this, entries)
    steps.next()
    for (let left = stepsBefore; left > 0; left--) {
      yield
      steps.next()
    }
    throw new Error('broken')
  }
  const store = await openMemoryStore({ runtime: new SimulatedRuntime() })
  const troubles: string[] = []
  const onTrouble = ({ error }: { readonly error: unknown }) => {
    troubles.push(error instanceof Error ? error.message : String(error))
  }
  const documents = openDocuments({
    store,
    runtime: new HastyRuntime(),
    limits: inTurns,
    onTrouble,
  })
  const slug = newSlug(new SimulatedRuntime())
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  await documents.create({ slug, markdown: 'old\n', writer, linkAccess, puts: [], replay: null })
  const desk = await new LiveDesk('ada').open(documents, slug)
  desk.textOf(0).insert(0, 'typed ')
  const edits = [{ old_string: 'old', new_string: 'new' }]
  const answers = [0, 1].map(async (turns) => {
    await settled(turns)
    return documents.patch(slug, { edits, dryRun: false, writer })
  })
  const outcomes = await Promise.allSettled(answers)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.is(outcome.reason.code, 'UNAVAILABLE')
  }
  const isDone = outcomes.some(({ status }) => status === 'fulfilled')
  assert.is(desk.closed, 1013)
  assert.equal(troubles, ['broken'])
  DocumentState.prototype.applyingUpdates = applyingUpdates
  await documents.close()
  const again = openDocuments({ store, runtime: new SimulatedRuntime(), onTrouble })
  const { markdown } = await again.read(slug, { markdown: true })
  assert.is(
    markdown,
    isDone ? 'new\n' : 'old\n',
    `${stepsBefore} steps: what was answered is there`,
  )
  await again.close()
  await store.close()
}

/** New blocks get ids of chance. */
const withoutIds = (fragment: Y.XmlFragment): string => fragment.toString().replace(/bid_\w+/g, '')

test('an update applied in steps leaves the same text, authors and records as one applied at once', async () => {
  const seeds = process.env['LONG'] ? 300 : 10
  console.log(`\nseed 1..${seeds} in steps and at once`)
  const inPieces = { ...limits, piecesAtOnce: 3 }
  for (let seed = 1; seed <= seeds; seed++) {
    const runtime = new SimulatedRuntime()
    const states = [new DocumentState(runtime), new DocumentState(runtime, inPieces)]
    const [one, two] = states as [DocumentState, DocumentState]
    const nodes = parseMarkdown(`${paragraphs.join('\n\n')}\n`).children
    await fillState(one, { nodes, author: writer.actor, runtime })
    const whole = Y.encodeStateAsUpdate(one.ydoc)
    await two.load([(ydoc) => Y.applyUpdate(ydoc, whole)], new Turns(runtime))
    for (const client of one.ydoc.store.clients.keys()) {
      two.authorship.loadOwner(client, writer.actor)
    }
    const random = randomOf(seed)
    const desk = new LiveDesk('ada')
    Y.applyUpdate(desk.ydoc, whole)
    const from = Y.encodeStateVector(desk.ydoc)
    const clients = [seed, seed + seeds].map((client) => ({ client }))
    for (const { client } of clients) {
      desk.ydoc.clientID = client
      for (let count = 0; count < 15; count++) write(desk, random)
    }
    const update = Y.encodeStateAsUpdate(desk.ydoc, from)
    const actor = 'human:ada' as ActorId
    const claims = clients.map(({ client }) => client)
    const entry = { update, asSent: update, actor, claims, clients, micros: 1_000 }
    const atOnce = one.applyUpdates([entry])
    const steps = two.applyingUpdates([entry])
    let count = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) {
      count++
      assert.is(two.ydoc._transaction, null, 'nobody is in the middle of a write')
    }
    assert.ok(count >= 10, `${count} steps`)
    const inSteps = step.value
    assert.is(two.text.toString(), one.text.toString(), `seed ${seed}`)
    assert.equal(inSteps?.splices, atOnce?.splices, `seed ${seed}: splices`)
    assert.equal(inSteps?.deleted.length, atOnce?.deleted.length, `seed ${seed}: deleted`)
    assert.is(withoutIds(two.fragment), withoutIds(one.fragment), `seed ${seed}: elements`)
    assert.is(two.authorship.falseMark(two.fragment), undefined)
    const told = new Y.Doc()
    Y.applyUpdate(told, whole)
    for (const part of inSteps?.updates ?? []) Y.applyUpdate(told, part)
    assert.is(told.getXmlFragment(fragmentName).toString(), two.fragment.toString())
  }
})

test.run()
