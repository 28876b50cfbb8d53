/**
 * Archiving beside what is under way (interface §3, extensions §5): it beats every write that is
 * not stored yet, live or not, sends everybody away, and nothing comes in late.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Permission, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import type { DocumentRules } from '../../../../../core/documents/host/rules.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { Refusal } from '../../../../../schema/errors.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { systemRuntime as runtime } from '../../../../../server/runtime.ts'
import { silentFollower } from '../../../../silent-peers.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'
import { within } from '../../../server/wire.ts'
import { LiveDesk } from '../live/live-desk.ts'

const writer: Writer = { actor: 'human:ada' as ActorId, authMethod: 'token' }
const by = { writer }

async function world() {
  const store = new UnrulyStore(await openMemoryStore({ runtime }))
  const documents = openDocuments({ store, runtime, rules, onTrouble: () => undefined })
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  await documents.create({ markdown: 'one\n', linkAccess, slug, writer, puts: [], replay: null })
  const edit = () =>
    documents.patch(slug, {
      edits: [{ old_string: 'one', new_string: 'two' }],
      writer,
      dryRun: false,
      permission: whileActive,
    })
  return { store, documents, slug, edit }
}

/** Life is looked at in the turn of the write. */
const rules: DocumentRules = {
  assertPermitted(grounds, { life }) {
    if (grounds === 'nothing') throw new Refusal('FORBIDDEN')
    if (life.state !== 'active') throw new Refusal('DOC_ARCHIVED')
  },
  noticeOf: () => ({ to: [], puts: [] }),
}

const on = (grounds: 'while active' | 'nothing'): Permission => ({
  checks: [],
  grounds,
  assertOn: () => undefined,
  renewed: async () => on(grounds),
})
const whileActive = on('while active')

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

const soon = () => new Promise((resolve) => setTimeout(resolve, 50))

test('an edit that comes while the archiving is being stored is refused', async () => {
  const { store, documents, slug, edit } = await world()
  const release = store.holdCommits()
  const archiving = documents.changeLife(slug, 'archive', by)
  await soon()
  const late = codeOf(edit())
  await soon()
  release()
  assert.is((await archiving).facts.life.state, 'archived')
  assert.is(await late, 'DOC_ARCHIVED')
  await documents.changeLife(slug, 'restore', by)
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'one\n')
  await documents.close()
})

test('extensions §5: live editors and followers are closed with 4423, with nothing taken late', async () => {
  const { store, documents, slug } = await world()
  const desk = await new LiveDesk('typist').open(documents, slug)
  const told: string[] = []
  const gone = new Promise<number>((resolve) => {
    void documents.follow(slug, {
      ...silentFollower,
      onChange: ({ event }) => void told.push(event),
      onClose: (code) => resolve(code),
    })
  })
  await soon()
  desk.textOf(0).insert(3, ' kept')
  await within(
    (async () => {
      while (desk.saved < desk.sent) await soon()
    })(),
    'the first words are stored',
  )
  const release = store.holdCommits()
  const archiving = documents.changeLife(slug, 'archive', by)
  await soon()
  desk.textOf(0).insert(0, 'late ')
  await soon()
  release()
  await archiving
  assert.is(await within(gone, 'the follower is closed'), 4423)
  assert.equal([desk.closed, desk.reason], [4423, 'DOC_ARCHIVED'])
  assert.is(desk.sent - desk.saved, 1, 'what came late is not said to be saved')
  assert.is(told.at(-1), 'archive')
  assert.is(await codeOf(new LiveDesk('late').connect(documents, slug)), 'DOC_ARCHIVED')
  assert.is(await codeOf(documents.follow(slug, silentFollower)), 'DOC_ARCHIVED')
  await documents.changeLife(slug, 'restore', by)
  desk.send(Uint8Array.of(0, 0))
  await soon()
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'one kept\n')
  await documents.close()
})

test('archive and restore are revisions of their own, with their events and their author', async () => {
  const { store, documents, slug } = await world()
  assert.is((await documents.changeLife(slug, 'archive', by)).revision, 2)
  assert.is((await documents.changeLife(slug, 'archive', by)).revision, 2)
  assert.is((await documents.changeLife(slug, 'restore', by)).revision, 3)
  const events: unknown[] = []
  for await (const { value } of store.scan({
    gte: `doc/${slug}/history/`,
    lt: `doc/${slug}/history0`,
  })) {
    const { event, actors } = JSON.parse(Buffer.from(value).toString())
    events.push([event, ...actors])
  }
  assert.equal(events.slice(1), [
    ['archive', 'human:ada'],
    ['restore', 'human:ada'],
  ])
  await documents.close()
})

test('who may not archive any more when it is stored has archived nothing', async () => {
  const { documents, slug, edit } = await world()
  const permission = on('nothing')
  const refused = documents.changeLife(slug, 'archive', { writer, permission })
  assert.is(await codeOf(refused), 'FORBIDDEN')
  assert.is((await edit()).revision, 2)
  await documents.close()
})

test.run()
