/** A hundred readers of the past at once hold the event loop no longer than a few do. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Writer } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../schema/ids.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { holdsOf } from '../../longest-hold.ts'
import { pace } from '../../pace.ts'

const sources = { address: 'here', link: 'one' }
const writer = (actor: string): Writer => ({ actor: actor as ActorId, authMethod: 'token' })
const revisions = 60

/** 200 KB in which two people wrote in turns. */
async function written() {
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug: Slug = newSlug(runtime)
  const blocks = Array.from({ length: 2_000 }, (_, at) => `word${at}. ${'filling '.repeat(11)}`)
  await documents.create({
    markdown: blocks.join('\n\n'),
    linkAccess: { mode: 'anyone', role: 'editor' },
    slug,
    writer: writer('ai:one'),
    puts: [],
    replay: {},
  })
  for (let at = 1; at < revisions; at++) {
    const edits = [{ old_string: `word${at * 30}.`, new_string: `other${at}.` }]
    await documents.patch(slug, { edits, dryRun: false, writer: writer(`ai:${at % 2}`) })
  }
  return { documents, slug }
}

test('a hundred reads of old revisions at once leave others their turns', async () => {
  const { documents, slug } = await written()
  const at = (revision: number) => documents.past.at(slug, revision, { authors: true, sources })
  for (let warm = 1; warm < revisions; warm += 5) await at(warm)
  const { longestMs: hold } = await holdsOf(() =>
    Promise.all(Array.from({ length: 100 }, (_, index) => at(1 + (index % revisions)))),
  )
  assert.ok(hold < 50 * pace(), `${hold.toFixed(0)} ms`)
  await documents.close()
})

test.run()
