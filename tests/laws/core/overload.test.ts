/**
 * Nobody is turned away for good by what others do, or by a slow disk (extensions §5).
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Documents } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { Tally } from '../../tally.ts'
import { LiveDesk } from '../../unit/core/documents/live/live-desk.ts'
import { UnrulyStore } from '../../unit/server/unruly-store.ts'

interface Scene {
  readonly store: UnrulyStore
  readonly documents: Documents
  readonly slug: Slug
  text(): Promise<string>
  close(): Promise<void>
}

async function scene(markdown: string, runtime: Runtime, maxBytes?: number): Promise<Scene> {
  const store = new UnrulyStore(await openMemoryStore({ runtime }))
  const documents = openDocuments({
    store,
    runtime,
    onTrouble: ({ error }) => {
      throw error
    },
    ...(maxBytes !== undefined && { markdownMaxBytes: maxBytes }),
  })
  const slug = newSlug(runtime)
  const writer = { actor: 'human:maker' as ActorId, authMethod: 'token' } as const
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  await documents.create({ slug, markdown, writer, linkAccess, puts: [], replay: null })
  return {
    store,
    documents,
    slug,
    text: async () => (await documents.read(slug, { markdown: true })).markdown,
    async close() {
      await documents.close()
      await store.close()
    },
  }
}

const nobodyClosed = (desks: readonly LiveDesk[]) => {
  for (const { closed, reason } of desks) assert.is(closed, undefined, reason)
}

const tally = new Tally()

/** All that the desks sent is stored. */
async function allSaved(desks: readonly LiveDesk[], withinMs = 30_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
    if (desks.every(({ saved, sent }) => saved === sent)) {
      for (const { saved } of desks) tally.add('messages saved', saved)
      return
    }
    await settled(1)
  }
  const missing = desks.filter(({ saved, sent }) => saved !== sent).length
  throw new Error(`${missing} of ${desks.length} desks wait for what they sent to be saved`)
}

test('a crowd types near the end of the room while a write takes its time', async () => {
  const paragraphs = Array.from({ length: 50 }, (_, at) => `paragraph ${at}`)
  const markdown = `${paragraphs.join('\n\n')}\n`
  const letters = 20
  const room = markdown.length + 2 * letters * paragraphs.length
  const { documents, slug, store, text, close } = await scene(markdown, systemRuntime, room)
  const desks = await Promise.all(
    paragraphs.map((_, at) => new LiveDesk(`typist-${at}`).open(documents, slug)),
  )
  const letGo = store.holdCommits()
  for (let letter = 0; letter < letters; letter++) {
    for (const [at, desk] of desks.entries()) desk.textOf(at).insert(0, 'z')
    await settled(1)
  }
  nobodyClosed(desks)
  letGo()
  await allSaved(desks)
  nobodyClosed(desks)
  for (const line of (await text()).trim().split('\n\n')) {
    assert.ok(line.startsWith('z'.repeat(letters)), line)
  }
  await close()
})

test('an update that is too much alone is refused, with room counted in what it inserts', async () => {
  const { documents, slug, close } = await scene('a\n', systemRuntime, 1_000)
  const desk = await new LiveDesk('ada').open(documents, slug)
  for (let at = 0; at < 300; at++) desk.textOf(0).insert(0, 'k')
  await allSaved([desk])
  nobodyClosed([desk])
  desk.textOf(0).insert(0, 'long '.repeat(150))
  await settled(50)
  assert.is(desk.closed, 4413)
  await close()
})

test('fifty people add paragraphs at the top while a write takes its time', async () => {
  const { documents, slug, store, text, close } = await scene('first\n', systemRuntime)
  const desks = await Promise.all(
    Array.from({ length: 50 }, (_, at) => new LiveDesk(`p${at}`).open(documents, slug)),
  )
  const letGo = store.holdCommits()
  for (let round = 0; round < 8; round++) {
    for (const desk of desks) {
      const paragraph = new Y.XmlElement('paragraph')
      paragraph.insert(0, [new Y.XmlText('news')])
      desk.fragment.insert(0, [paragraph])
    }
    await settled(1)
  }
  letGo()
  await allSaved(desks)
  nobodyClosed(desks)
  assert.is((await text()).match(/news/g)?.length, 400)
  await close()
})

test('keys in front of each other, more than may wait, are taken though their sender has gone', async () => {
  const { documents, slug, text, close } = await scene('a\n', systemRuntime)
  const desk = await new LiveDesk('ada').open(documents, slug)
  for (let at = 0; at < 5_000; at++) desk.textOf(0).insert(0, 'k')
  desk.session?.leave()
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; ) {
    await settled(1)
    if ((await text()).length === 5_002) break
  }
  assert.is((await text()).length, 5_002)
  assert.is(desk.closed, undefined)
  await close()
})

/** As `applyDelta` does: what is inserted says of itself that nobody wrote it so far. */
test('one person replaces 14,000 places of a code block that another wrote', async () => {
  const lines = (word: string) => Array.from({ length: 14_000 }, (_, at) => `${word} = ${at}`)
  const markdown = `\`\`\`\n${lines('old').join('\n')}\n\`\`\`\n`
  const { documents, slug, text, close } = await scene(markdown, systemRuntime)
  const desk = await new LiveDesk('ada').open(documents, slug)
  const places = lines('old').flatMap(({ length }) => [
    { delete: 'old'.length },
    { insert: 'new' },
    { retain: length + 1 - 'old'.length },
  ])
  desk.textOf(0).applyDelta(places.slice(0, -1))
  await allSaved([desk])
  nobodyClosed([desk])
  assert.is(await text(), markdown.replaceAll('old', 'new'))
  await close()
})

/** As the page writes it. */
function makeHeadings({ fragment, ydoc }: LiveDesk): void {
  const old = fragment.toArray() as Y.XmlElement[]
  const headings = old.map((paragraph) => {
    const heading = new Y.XmlElement('heading')
    heading.setAttribute('id', paragraph.getAttribute('id') ?? '')
    heading.setAttribute('level', 3 as never)
    const text = new Y.XmlText()
    text.applyDelta((paragraph.get(0) as Y.XmlText).toDelta())
    heading.insert(0, [text])
    return heading
  })
  ydoc.transact(() => {
    fragment.insert(0, headings)
    fragment.delete(headings.length, old.length)
  })
}

test('all of a long document becomes headings and is taken back, within seconds, on one line', async () => {
  const runtime = new SimulatedRuntime()
  const markdown = 'paragraph\n\n'.repeat(5_000)
  const { documents, slug, text, close } = await scene(markdown, runtime)
  const desk = await new LiveDesk('ada').open(documents, slug)
  const undoManager = new Y.UndoManager(desk.fragment, { captureTimeout: 0 })
  makeHeadings(desk)
  undoManager.undo()
  desk.textOf(0).insert(0, 'later ')
  let seconds = 0
  for (; desk.saved < desk.sent && seconds < 60; seconds++) {
    await settled(200)
    await runtime.pass(1_000)
  }
  nobodyClosed([desk])
  assert.is(desk.sent, 3)
  assert.ok(seconds <= 4, `${seconds} s`)
  assert.is(await text(), `later ${markdown.trimEnd()}\n`)
  await close()
})

test('so much was saved', () => {
  tally.tell('none overload', { 'messages saved': 1_000 })
})

test.run()
