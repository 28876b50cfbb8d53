/**
 * A locked text under live editors (interface §5 rule 4, extensions §5): the owner's updates are
 * applied, anybody else's end their session with 4403.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ConnectRequest, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { systemRuntime as runtime } from '../../../../../server/runtime.ts'
import { within } from '../../../server/wire.ts'
import { LiveDesk } from './live-desk.ts'

const writer: Writer = { actor: 'human:ada' as ActorId, authMethod: 'token' }

class Owner extends LiveDesk {
  override get request(): ConnectRequest {
    const { access, ...others } = super.request
    return { ...others, access: { ...access, role: 'owner' } }
  }
}

const until = (isSo: () => boolean, what: string) =>
  within(
    (async () => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
    })(),
    what,
  )

test('the owner goes on typing, an editor is closed with 4403 and nothing of it is taken', async () => {
  const store = await openMemoryStore({ runtime })
  const documents = openDocuments({ store, runtime, onTrouble: () => undefined })
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  await documents.create({ markdown: 'one\n', linkAccess, slug, writer, puts: [], replay: null })
  const owner = await new Owner('ada').open(documents, slug)
  const editor = await new LiveDesk('bob').open(documents, slug)
  await documents.configure(slug, { readOnly: true }, { writer })
  editor.textOf(0).insert(3, ' lost')
  await until(() => editor.closed !== undefined, 'the editor is closed')
  assert.equal([editor.closed, editor.reason], [4403, 'DOC_READ_ONLY'])
  owner.textOf(0).insert(3, ' kept')
  await until(() => owner.saved === owner.sent, 'the owner’s words are saved')
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'one kept\n')
  assert.is(owner.closed, undefined)
  await documents.configure(slug, { readOnly: false }, { writer })
  const back = await new LiveDesk('bob').open(documents, slug)
  back.textOf(0).insert(8, ' again')
  await until(() => back.saved === back.sent, 'it is open again')
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'one kept again\n')
  await documents.close()
})

test.run()
