/**
 * What documents answer can be a message: a structured clone of each real answer says the same, and
 * no instance of a class is in it, whose methods and private fields a clone would lack.
 */
import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type {
  Documents,
  ReadWish,
  ViewData,
  Writer,
} from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { StoredViews } from '../../../../../core/documents/open/stored-views.ts'
import type { NewComment } from '../../../../../core/documents/threads/commenting.ts'
import { TextView } from '../../../../../core/documents/views/text-view.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'
import { everything, markdownIn } from '../views/whole-view.ts'

const writer: Writer = { actor: 'ai:ann' as ActorId, authMethod: 'token' }
const sources = { address: '', link: '' }
const markdown = '---\ntags: [a, b]\n---\n\n# Title\n\nOne *two* three.\n\n- four\n- five\n'

/** A Buffer is sent as the bytes that it is. */
function sent(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, sent(one)]))
  if (Array.isArray(value)) return value.map(sent)
  if (typeof value !== 'object' || value === null) return value
  const prototype = Object.getPrototypeOf(value)
  assert.ok(prototype === Object.prototype, `an instance of ${prototype?.constructor?.name}`)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sent(one)]))
}

function assertPlain(answer: unknown, name: string): void {
  const clone = structuredClone(answer)
  assert.ok(isDeepStrictEqual(sent(clone), sent(answer)), `${name} is not what was sent`)
}

async function scene() {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const made = await documents.create({
    ...{ markdown, linkAccess, slug, writer, puts: [] },
    replay: { actor: 'ai:ann' },
  })
  const leave = async () => {
    await runtime.pass(limits.openDocumentIdleMs)
    assert.is(documents.openCount, 0)
  }
  /** What waits for a turn of the clock gets it. */
  const within = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false
    const settled = work.finally(() => {
      isDone = true
    })
    while (!isDone) await runtime.pass(1)
    return settled
  }
  return { documents, slug, made, leave, within }
}

/** Says something of each kind; answers what was answered. */
async function discuss({
  documents,
  slug,
}: Pick<Awaited<ReturnType<typeof scene>>, 'documents' | 'slug'>) {
  const { discussion } = documents
  const by = { writer }
  const comment = (what: Partial<NewComment>) =>
    discussion.comment(slug, by, async () => ({ text: '', isResolution: false, ...what }))
  const one = await comment({ quote: 'One', text: 'Why?' })
  const suggested = await comment({ quote: 'three', newString: '3' })
  const gone = await comment({ quote: 'four', text: 'No.' })
  const [id, thread] = [String(one['comment_id']), String(one['thread_id'])]
  return {
    one,
    suggested,
    removed: await discussion.remove(slug, by, String(gone['comment_id'])),
    edited: await discussion.edit(slug, by, id, { text: 'How?' }),
    felt: await discussion.feel(slug, by, id, 'curious'),
    plus: await discussion.plusOne(slug, by, id),
    resolved: await discussion.resolve(slug, by, { thread }, 'So.'),
    unresolved: await discussion.unresolve(slug, by, thread),
    accepted: await discussion.accept(slug, by, String(suggested['comment_id'])),
  }
}

/** The data of which the view of a read is made. */
async function dataOf(
  documents: Documents,
  slug: Parameters<Documents['read']>[0],
  wish: ReadWish,
) {
  const told: ViewData[] = []
  const { telling } = TextView.prototype
  const { read } = StoredViews.prototype
  TextView.prototype.telling = function (asked) {
    const data = telling.call(this, asked)
    told.push(data)
    return data
  }
  StoredViews.prototype.read = async function (...asked) {
    const data = await read.apply(this, asked)
    if (data !== undefined) told.push(data)
    return data
  }
  try {
    await documents.read(slug, wish)
  } finally {
    TextView.prototype.telling = telling
    StoredViews.prototype.read = read
  }
  assert.is(told.length, 1)
  return told[0] as ViewData
}

/** With the JSON that is in pieces parsed, and without what is undefined. */
function joined(data: ViewData | undefined): unknown {
  const parts = Object.entries(data ?? {}).map(([name, part]) => {
    const isJson = name.endsWith('Json')
    return [name, isJson ? JSON.parse(Buffer.concat(part as Uint8Array[]).toString()) : part]
  })
  return JSON.parse(JSON.stringify(Object.fromEntries(parts)))
}

const page = { kind: 'page', filter: {}, most: 10, quotesMaxChars: 1_000 } as const

test('what is read of a document is plain data, and the same of a stored view', async () => {
  const made = await scene()
  const { documents, slug, leave } = made
  await discuss(made)
  const wishes: ReadWish[] = [
    everything,
    { threads: page },
    { threads: { kind: 'named', ids: [] } },
  ]
  const open: ViewData[] = []
  for (const wish of wishes) open.push(await dataOf(documents, slug, wish))
  await leave()
  for (const [index, wish] of wishes.entries()) {
    const stored = await dataOf(documents, slug, wish)
    assertPlain(open[index], 'an open view')
    assertPlain(stored, 'a stored view')
    assert.equal(Object.keys(stored), Object.keys(open[index] ?? {}))
    assert.equal(joined(stored), joined(open[index]))
  }
  assert.is(documents.openCount, 0)
  await documents.close()
})

test('what an act answers is plain data', async () => {
  const made = await scene()
  const { documents, slug, within } = made
  assertPlain(made.made, 'create')
  const said = await discuss(made)
  for (const [name, answer] of Object.entries(said)) assertPlain(answer, name)
  const patch = (edits: Record<string, unknown>[], more = {}) =>
    within(documents.patch(slug, { edits, dryRun: false, writer, ...more }))
  const edits = [{ old_string: 'five', new_string: '5' }]
  const dry = await patch(edits, { dryRun: true })
  assert.match(markdownIn(dry), '- 5\n')
  assertPlain(dry, 'a dry run')
  const two = [...edits, { old_string: 'nowhere', new_string: '' }]
  assertPlain(await patch(two), 'a PATCH of several edits')
  assertPlain(await documents.configure(slug, { readOnly: true }, { writer }), 'configure')
  assertPlain(await documents.changeLife(slug, 'archive', { writer }), 'changeLife')
  assertPlain(await documents.facts(slug), 'facts')
  await documents.close()
})

test('what is told of blocks and of the past is plain data', async () => {
  const { documents, slug, leave, within } = await scene()
  const { past } = documents
  const [block] = (await documents.read(slug, { contentBlocks: true })).contentBlocks().slice(-1)
  const id = block?.id ?? assert.unreachable('no block') ?? ''
  assertPlain(await documents.block(slug, String(id)), 'a block')
  const edits = [{ old_string: '- five\n', new_string: '' }]
  await documents.patch(slug, { edits, dryRun: false, writer })
  assertPlain(await documents.block(slug, String(id)), 'a block that is gone')
  assertPlain(
    await within(past.page(slug, { limit: 10, hashes: true, sources })),
    'a page of the history',
  )
  assertPlain(await within(past.at(slug, 1, { authors: true, sources })), 'a former revision')
  const begin = { index: 0, offset: 0 }
  assertPlain(await within(past.diff(slug, { from: 1, to: 2, begin, sources })), 'a difference')
  const since = await within(past.since(slug, 1, { begin: { to: undefined, index: 0 }, sources }))
  assert.ok(since.changes.length > 0)
  assertPlain(since, 'blocks since')
  const revert = { baseRevision: 2, dryRun: false, writer }
  assertPlain(await within(documents.revert(slug, 1, revert)), 'revert')
  await leave()
  const [title] = (await documents.read(slug, { contentBlocks: true })).contentBlocks()
  const stored = await documents.block(slug, String(title?.id))
  assert.is(stored.kind, 'block')
  assertPlain(stored, 'a block of a stored view')
  await documents.close()
})

test('a part that a read did not wish throws when it is used', async () => {
  const { documents, slug, leave } = await scene()
  for (const state of ['open', 'stored']) {
    if (state === 'stored') await leave()
    const view = await documents.read(slug, { contentHash: true })
    assert.is(view.contentHash().length, 64)
    const uses = [
      () => view.markdown,
      () => view.markdownJson(),
      () => view.contentBlocks(),
      () => view.quotedBlocksJson(),
      () => view.authorship(),
      () => view.authors(),
      () => view.hueOf(writer.actor),
      () => view.frontMatter(),
      () => view.threads(),
      () => view.excerptOf('thr_x' as never),
      () => view.speakers(),
      () => view.deletedComments(),
    ]
    for (const use of uses) assert.throws(use, TypeError, `${state}: ${use}`)
  }
  await documents.close()
})

test.run()
