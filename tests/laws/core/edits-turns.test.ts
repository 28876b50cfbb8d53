/**
 * Edits that take several turns of the event loop: written a group at a time they make the same
 * text, ids and authors as at once; meanwhile nobody reads, writes or hears of anything half done.
 */

import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { PatchRequest, Writer } from '../../../core/documents/contract.ts'
import { planning } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { Turns } from '../../../core/turns/turns.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { finish } from '../../../schema/steps.ts'
import { planEdits } from '../../at-once.ts'
import { fillState } from '../../filled-state.ts'
import { editing, silentPeer } from '../../silent-peers.ts'
import { HastyRuntime, SimulatedRuntime } from '../../simulated-runtime.ts'
import { Tally } from '../../tally.ts'
import { anyBlocks } from '../../unit/core/edits-fixture.ts'
import { LawWorld, writers } from '../../unit/core/edits-laws-world.ts'
import { markdownIn } from '../../unit/core/whole-view.ts'

const seed = 20_261_126
const runs = process.env['LONG'] ? 3_000 : 5

const [alice, bob] = ['human:alice', 'ai:bob'] as [ActorId, ActorId]

async function stateOf(nodes: readonly Node[]): Promise<DocumentState> {
  const runtime = new SimulatedRuntime()
  const state = new DocumentState(runtime)
  await fillState(state, { nodes, author: alice, runtime })
  return state
}

/** A second state with the very same ids. */
async function twinOf(state: DocumentState): Promise<DocumentState> {
  const runtime = new SimulatedRuntime()
  const twin = new DocumentState(runtime)
  for (const client of state.ydoc.store.clients.keys()) {
    twin.authorship.loadOwner(client, state.authorship.ownerOf(client) as ActorId)
  }
  const update = Y.encodeStateAsUpdate(state.ydoc)
  await twin.load([(ydoc) => Y.applyUpdate(ydoc, update)], new Turns(runtime))
  return twin
}

/**
 * Blocks in order, with their authors where they stood before, save those that repeat what another
 * block said: such a text is its old author's only when it is deleted and written at once.
 */
function told(state: DocumentState, known: ReadonlyMap<unknown, string>): string {
  const lines: string[] = []
  const said = (text: string): number => [...known.values()].filter((one) => one === text).length
  const visit = (node: Node, isTold: boolean): void => {
    const id: unknown = node.attrs['id']
    const by: unknown = node.marks.find(({ type }) => type.name === 'authored')?.attrs['by']
    const [named, author] = [known.has(id) ? id : '', isTold && by ? by : '']
    lines.push(`${node.type.name} ${named} ${author} ${node.text ?? ''}`)
    const { textContent: text } = node
    const isOwn =
      known.has(id) && (said(text) === 0 || (said(text) === 1 && known.get(id) === text))
    for (const child of node.children) visit(child, isOwn)
  }
  for (const node of state.mirror.nodes) visit(node, false)
  return lines.join('\n')
}

/** What each block says. */
function blocksIn(state: DocumentState): Map<unknown, string> {
  const blocks = new Map<unknown, string>()
  const visit = (node: Node): void => {
    if (node.attrs['id']) blocks.set(node.attrs['id'], node.textContent)
    node.forEach(visit)
  }
  state.mirror.nodes.forEach(visit)
  return blocks
}

test('a group at a time makes what all at once makes', async () => {
  const tally = new Tally()
  const property = fc.asyncProperty(
    anyBlocks,
    anyBlocks,
    fc.array(fc.nat(20), { maxLength: 6 }),
    async (before, other, order) => {
      const state = await stateOf(before)
      // Some old blocks in another order among new ones.
      const kept = order.flatMap((at) => (state.text.blockCount > at ? [state.text.node(at)] : []))
      const markdown = DocumentText.of([...kept, ...other]).toString()
      const edits = readEdits([{ replace_document: markdown }])
      const given = { text: state.text, revision: 1, baseRevision: 1, edits, actor: bob }
      let plan: ReturnType<typeof planEdits>
      try {
        plan = planEdits(given)
      } catch (error) {
        if (error instanceof Refusal) return
        throw error
      }
      const twin = await twinOf(state)
      const known = blocksIn(state)
      finish(state.applyOperations(plan.operations, bob, Number.POSITIVE_INFINITY))
      const changes = finish(twin.applyOperations(plan.operations, bob, 1))
      if (changes.length > 1) tally.add('in several writes')
      assert.is(twin.text.toString(), plan.text.toString())
      assert.is(told(twin, known), told(state, known))
    },
  )
  await fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} edits in turns`, { 'in several writes': runs / 4 })
})

const items = 200
const line = (word: string) => (_: unknown, index: number) => `- ${word} ${index} stays`
const listOf = (word: string) => `${Array.from({ length: items }, line(word)).join('\n')}\n`

/** An edit that rewrites all of a list but its first item, and how often planning it may stop. */
function planned(state: DocumentState, edit: Parameters<typeof readEdits>[0][number]) {
  const given = { text: state.text, revision: 1, baseRevision: 1, actor: bob }
  const plan = planning({ ...given, edits: readEdits([edit]) })
  for (let stops = 0; ; stops++) {
    const step = plan.next()
    if (step.done === true) return { operations: step.value.operations, stops }
  }
}

test('an edit of every item of a list may stop at each of them before it writes', async () => {
  const [before, after] = [listOf('before'), listOf('after')]
  const rest = (text: string): string => text.slice(text.indexOf('\n'))
  for (const edit of [
    { replace_document: after },
    { old_string: rest(before), new_string: rest(after) },
  ]) {
    const state = await stateOf(parseMarkdown(before).children)
    const { operations, stops } = planned(state, edit)
    assert.ok(stops > 5 * items, `${stops} stops in planning`)
    let more = 0
    const writing = state.applyOperations(operations, bob, 1)
    state.ydoc.once('update', () => assert.ok(more > 2 * items, `${more} stops before writing`))
    while (writing.next().done !== true) more++
    assert.is(rest(state.text.toString()), rest(after))
  }
})

test("words of an edit that took several writes are their author's after a restart too", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index} of the old text`)
  const small = { ...limits, editWeightAtOnce: 1 }
  const world = await LawWorld.of(`${lines.join('\n\n')}\n`, new SimulatedRuntime(), small)
  const first = await world.read()
  const [, two, three] = writers as [Writer, Writer, Writer]
  const patch = (edit: PatchRequest['edits'][number], writer: Writer, baseRevision: number) =>
    world.documents.patch(world.slug, { edits: [edit], baseRevision, dryRun: false, writer })
  const next = first.markdown.replace(/old/g, 'quite new')
  const { revision } = await patch({ replace_document: next }, two, first.revision)
  await world.restart()
  const within = {
    old_string: 'line 7 of the quite new',
    new_string: 'line 7 of the quite brand new',
  }
  await patch(within, three, revision)
  const { markdown, authors } = await world.read()
  const [from, to] = [markdown.indexOf('quite brand'), markdown.indexOf('brand new') + 6]
  assert.equal([authors[from], authors[to]], [two.actor, two.actor])
  await world.documents.close()
})

test('while an edit takes its turns nobody sees or writes anything between', async () => {
  const small = { ...limits, editWeightAtOnce: 1, planHeldMaxMs: Number.POSITIVE_INFINITY }
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} of the old text`)
  const world = await LawWorld.of(`${lines.join('\n\n')}\n`, new HastyRuntime(), small)
  const { documents, slug } = world
  const [one, two] = writers as [(typeof writers)[number], (typeof writers)[number]]
  const frames: Uint8Array[] = []
  const session = await documents.connect(slug, editing(two), {
    ...silentPeer,
    onUpdate: (update) => void frames.push(update),
    onClose: (code) => {
      throw new Error(`closed ${code}`)
    },
  })
  const copy = new Y.Doc()
  Y.applyUpdate(copy, await session.answerStep1(new Uint8Array([0])))
  const first = await documents.read(slug, { markdown: true })
  const next = first.markdown.replace(/old/g, 'quite new')
  const patching = documents.patch(slug, {
    edits: [{ replace_document: next }],
    baseRevision: first.revision,
    dryRun: false,
    writer: one,
  })
  const reads: Promise<string>[] = []
  const seen: Promise<string>[] = []
  copy.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin === 'typed') session.receive(update, false)
  })
  for (let turn = 0; turn < 40; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    reads.push(documents.read(slug, { markdown: true }).then(({ markdown }) => markdown))
    if (turn === 10) copy.transact(() => typeInto(copy, 'typed '), 'typed')
    if (turn === 20) {
      const joined = new Y.Doc()
      const answer = session.answerStep1(new Uint8Array([0])).then((state) => {
        Y.applyUpdate(joined, state)
        return plain(joined)
      })
      seen.push(answer)
    }
  }
  const patched = await patching
  assert.is(markdownIn(patched), next)
  assert.is(patched.revision, first.revision + 1)
  assert.is(frames.length <= 2, true, `${frames.length} frames`)
  for (const text of await Promise.all(reads)) {
    const isWhole = [first.markdown, next, next.replace('line 0', 'typed line 0')].includes(text)
    assert.ok(isWhole, text.slice(0, 200))
  }
  assert.is(
    (await documents.read(slug, { markdown: true })).markdown,
    next.replace('line 0', 'typed line 0'),
  )
  assert.is(/ old /.test((await seen[0]) ?? ' old '), false)
  for (const frame of frames) Y.applyUpdate(copy, frame)
  assert.is(plain(copy).includes(' old '), false)
  await documents.close()
})

const typeInto = (ydoc: Y.Doc, text: string): void => {
  const [top] = ydoc.getXmlFragment('prosemirror').toArray()
  const inner = top instanceof Y.XmlElement ? top.toArray()[0] : undefined
  if (inner instanceof Y.XmlText) inner.insert(0, text)
}

const plain = (ydoc: Y.Doc): string => ydoc.getXmlFragment('prosemirror').toString()

test.run()
