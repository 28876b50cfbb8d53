/**
 * A document that becomes a large one, or is about to, goes to a host for large ones with whoever
 * is in it: nobody is sent away and nothing is lost.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Documents } from '../../../../../core/documents/contract.ts'
import type { DocumentsTrouble } from '../../../../../core/documents/front/hosts.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { systemRuntime as runtime } from '../../../../../server/runtime.ts'
import { type MessagedDocuments, openMessagedDocuments } from '../../../../messaged-documents.ts'
import { becomes } from '../../../../waiting.ts'
import { LiveDesk } from '../live/live-desk.ts'

const writer = { actor: 'human:ada' as ActorId, authMethod: 'token' } as const
const linkAccess = { mode: 'anyone', role: 'editor' } as const
const long = 'many words '.repeat(Math.ceil(limits.largeHostFromChars / 10))

class Editor extends LiveDesk {
  type(words: string): void {
    this.textOf(0).insert(0, words)
  }
}

interface Scene extends MessagedDocuments {
  readonly slug: Slug
  /** Of each host: how many documents are open there. */
  open(): Record<string, number>
  text(): Promise<string>
}

async function scene(markdown = 'short\n'): Promise<Scene> {
  const store = await openMemoryStore({ runtime })
  const onTrouble: DocumentsTrouble = ({ host, error }) => {
    if (host === undefined) throw error
  }
  const { documents, end } = openMessagedDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  await documents.create({ slug, markdown, writer, linkAccess, puts: [], replay: null })
  return {
    documents,
    end,
    slug,
    open() {
      const counts: Record<string, number> = { small: 0, large: 0 }
      for (const { host, openCount } of documents.usage) {
        const size = host.split('-')[0] as string
        counts[size] = (counts[size] ?? 0) + openCount
      }
      return counts
    },
    text: async () => (await documents.read(slug, { markdown: true })).markdown,
  }
}

const patch = (documents: Documents, slug: Slug, edits: readonly Record<string, unknown>[]) =>
  documents.patch(slug, { edits, dryRun: false, writer })

test('an edit that brings much is done in a host for large documents', async () => {
  const { documents, slug, open, text } = await scene()
  const editor = await new Editor('bob').open(documents, slug)
  assert.equal(open(), { small: 1, large: 0 })
  editor.type('mine ')
  await patch(documents, slug, [{ old_string: 'short', new_string: long }])
  await becomes(async () => editor.beginnings === 1 && editor.saved === editor.sent)
  await becomes(async () => open()['small'] === 0 && open()['large'] === 1)
  assert.is(editor.closed, undefined)
  assert.ok((await text()) === `mine ${long}\n`)
  await becomes(async () => editor.textOf(0).length === `mine ${long.trim()}`.length)
  await documents.close()
})

test('so is a large update of an editor, and what the others type meanwhile is there', async () => {
  const { documents, slug, open, text } = await scene()
  const [pasting, typing] = [
    await new Editor('bob').open(documents, slug),
    await new Editor('cy').open(documents, slug),
  ]
  for (let key = 0; key < 20; key++) {
    typing.type('k')
    if (key === 10) pasting.type(`${long}|`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const editor of [pasting, typing]) {
    await becomes(async () => editor.saved === editor.sent && editor.beginnings === 1)
    assert.is(editor.closed, undefined)
  }
  await becomes(async () => open()['small'] === 0 && open()['large'] === 1)
  const all = await text()
  assert.is(all.match(/k/g)?.length, 20)
  assert.ok(all.includes(`${long}|`))
  await becomes(async () => typing.textOf(0).toString() === pasting.textOf(0).toString())
  await documents.close()
})

test('a document that grows bit by bit moves once it is large, also with nobody in it', async () => {
  for (const isThere of [true, false]) {
    const { documents, slug, open, text } = await scene()
    const editor = isThere ? await new Editor('bob').open(documents, slug) : undefined
    const some = 'some more words '.repeat(1_000)
    for (let times = 0; times < 6; times++) {
      await patch(documents, slug, [{ old_string: 'short', new_string: `short ${some}` }])
    }
    if (editor !== undefined) await becomes(async () => editor.beginnings === 1)
    await patch(documents, slug, [{ old_string: 'short', new_string: 'long' }])
    await becomes(async () => open()['small'] === 0 && open()['large'] === 1)
    assert.ok((await text()).startsWith('long some'))
    await documents.close()
  }
})

test('whoever may only read moves no document, and whoever moved is told of keys again', async () => {
  const { documents, slug, open } = await scene()
  const reader = new Editor('dan')
  const { access } = reader.request
  const request = { ...reader.request, access: { ...access, role: 'viewer' as const } }
  const session = await documents.connect(slug, request, reader)
  const editor = await new Editor('bob').open(documents, slug)
  session.receive(new Uint8Array(limits.largeHostFromChars + 1), false)
  editor.type('mine ')
  await becomes(async () => editor.saved === editor.sent)
  assert.equal(open(), { small: 1, large: 0 })
  editor.type(`${long}|`)
  await becomes(async () => editor.beginnings === 1 && editor.saved === editor.sent)
  assert.ok(editor.isReading)
  await becomes(async () => open()['small'] === 0 && open()['large'] === 1)
  await documents.close()
})

test('where the host ends while the document leaves it, nothing that was answered is lost', async () => {
  const { documents, end, slug, text } = await scene()
  const editor = await new Editor('bob').open(documents, slug)
  editor.type('mine ')
  await becomes(async () => editor.saved === editor.sent)
  const patched = patch(documents, slug, [{ old_string: 'short', new_string: long }])
  await Promise.resolve()
  for (const { host } of documents.usage) if (host.startsWith('small')) end(host)
  await patched
  await becomes(async () => editor.saved === editor.sent)
  assert.is(editor.closed, undefined)
  assert.ok((await text()) === `mine ${long}\n`)
  await documents.close()
})

test.run()
