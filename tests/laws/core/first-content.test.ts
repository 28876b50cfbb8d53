/**
 * A document is created as a snapshot that nobody has opened yet: what is loaded from it are the
 * very nodes that were written, each character its creator's (interface §2.2), and an editor's
 * bytes of it would need no repair.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { encodeSnapshot } from '../../../core/yjs/snapshot.ts'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { countStructs } from '../../../schema/yjs/structs.ts'
import { fillState } from '../../filled-state.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { Tally } from '../../tally.ts'
import { commonMarkExamples, packageDocuments } from '../schema/markdown-corpus.ts'
import { blockDocument, inlineDocument } from '../schema/markdown-documents.ts'

const seed = 20_261_128
const runs = process.env['LONG'] ? 20_000 : 300
const author = 'human:ada' as ActorId

async function check(markdown: string, tally: Tally): Promise<void> {
  const runtime = new SimulatedRuntime({ seed })
  const nodes = parsed(markdown)
  if (nodes === undefined) {
    tally.add('refused')
    return
  }
  const state = new DocumentState(runtime)
  const { nodes: credited, snapshot, structs } = await fillState(state, { nodes, author, runtime })
  const json = (all: readonly Node[]) => all.map((node) => node.toJSON())
  assert.equal(json(state.mirror.nodes), json(credited), markdown)
  assert.is(state.text.toString(), DocumentText.of(nodes).toString(), markdown)
  assert.equal(encodeSnapshot(state.ydoc, snapshot), snapshot, 'it is whole, and nothing new')
  assert.is(structs, countStructs(state.ydoc), 'what it will cost is told by them')
  assert.is(state.authorship.falseMark(state.fragment), undefined, markdown)
  tally.add('documents')
  tally.add('in several slices', snapshot.length > 20_000 ? 1 : 0)
  for (const node of credited) {
    node.descendants(({ type, attrs, marks }) => {
      if (identifiedTypes.has(type.name)) assert.ok(attrs['id'])
      tally.add(type.name)
      tally.add('text with marks', marks.length > 1 ? 1 : 0)
    })
  }
  assert.equal(heard(state, runtime).ydoc.store.clients.size, nodes.length > 0 ? 1 : 0, markdown)
}

/** Spellings by chance may print what no create would take. */
function parsed(markdown: string): readonly Node[] | undefined {
  try {
    return parseMarkdown(markdown).children
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** A state that hears all of it from an editor: what it would correct, it writes as another. */
function heard({ ydoc, authorship }: DocumentState, runtime: SimulatedRuntime): DocumentState {
  const state = new DocumentState(runtime)
  const update = Y.encodeStateAsUpdate(ydoc)
  const clients = [...ydoc.store.clients.keys()]
  for (const client of clients) assert.is(authorship.ownerOf(client), author)
  const came = { update, asSent: update, actor: author, claims: clients, effort: 0 }
  state.applyUpdates([{ ...came, clients: clients.map((client) => ({ client })) }])
  return state
}

test('§2.2 what is created is loaded as it was written: documents made by chance', async () => {
  const tally = new Tally()
  const property = fc.asyncProperty(fc.oneof(blockDocument, inlineDocument), (doc) =>
    check(printDocument(doc), tally),
  )
  await fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} first content`, { documents: 0.99 * runs, 'text with marks': runs / 4 })
})

test('§2.2 what is created is loaded as it was written: real documents', async () => {
  const tally = new Tally()
  const all = [...commonMarkExamples(), ...packageDocuments()]
  const every = process.env['LONG'] ? 1 : 12
  for (const { markdown } of all.filter((_, index) => index % every === 0)) {
    await check(markdown, tally)
  }
  tally.tell('0 first content of real documents', { documents: 60, 'in several slices': 1 })
})

test.run()
