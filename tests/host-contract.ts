/**
 * What every document host does alike, wherever it runs: in this thread, behind messages, or in
 * threads. Each case works with a document of its own, through the front.
 */

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Documents, HeldPermission, Permission } from '../core/documents/contract.ts'
import type { DocumentsTrouble } from '../core/documents/front/hosts.ts'
import { hostUnreadMaxBytes } from '../core/documents/host/host-client.ts'
import { docHead, docSnapshot, tokenBySha256 } from '../persistence/keys.ts'
import { openMemoryStore } from '../persistence/memory-store.ts'
import { StoreFull } from '../persistence/store-errors.ts'
import { Refusal } from '../schema/errors.ts'
import type { ActorId, Slug } from '../schema/ids.ts'
import { newSlug } from '../schema/ids.ts'
import { systemRuntime as runtime } from '../server/runtime.ts'
import { sources } from './sources.ts'
import { LiveDesk } from './unit/core/documents/live/live-desk.ts'
import { UnrulyStore } from './unit/server/unruly-store.ts'
import { becomes } from './waiting.ts'

export interface HostParts {
  readonly store: UnrulyStore
  readonly runtime: typeof runtime
  readonly onTrouble: DocumentsTrouble
}

const writer = { actor: 'human:ada' as ActorId, authMethod: 'token' } as const
const linkAccess = { mode: 'anyone', role: 'editor' } as const
const founded = { linkAccess, puts: [], replay: null }

class Scene {
  readonly troubles: unknown[] = []
  readonly store: UnrulyStore
  readonly documents: Documents

  constructor(open: (parts: HostParts) => Documents, store: UnrulyStore) {
    const { troubles } = this
    this.store = store
    this.documents = open({ store, runtime, onTrouble: (trouble) => void troubles.push(trouble) })
  }

  async document(markdown: string): Promise<Slug> {
    const slug = newSlug(runtime)
    await this.documents.create({ ...founded, slug, markdown, writer })
    return slug
  }

  patch(slug: Slug, from: string, to: string, permission?: Permission) {
    const edits = [{ old_string: from, new_string: to }]
    return this.documents.patch(slug, { edits, dryRun: false, writer, permission })
  }

  async text(slug: Slug): Promise<string> {
    return (await this.documents.read(slug, { markdown: true })).markdown
  }

  async close(): Promise<void> {
    await this.documents.close()
    await this.store.close()
  }
}

/** Without the marks of authors. */
const wordsOf = (desk: LiveDesk): string =>
  desk
    .textOf(0)
    .toString()
    .replace(/<[^>]*>/g, '')

async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(thrown instanceof Refusal)) throw new Error(`no refusal: ${String(thrown)}`)
  return thrown
}

/** A permission on a record that was written since, and how often it was looked up again. */
async function staleOn(store: UnrulyStore) {
  const key = tokenBySha256('0'.repeat(64))
  const write = async (byte: number) => {
    await store.commit({ puts: [{ key, value: Uint8Array.of(byte) }] })
    return (await store.get(key))?.version
  }
  const before = await write(1)
  const after = await write(2)
  let renewals = 0
  const permission = (held: HeldPermission): Permission => ({
    ...held,
    assertOn: () => undefined,
    async renewed() {
      renewals++
      return permission({ checks: [{ key, version: after }] })
    },
  })
  return {
    permission: permission({ checks: [{ key, version: before }] }),
    get renewals() {
      return renewals
    },
  }
}

export interface Kind {
  /** Whether updates wait on the way to the host. */
  readonly isAway: boolean
}

export function hostContract(
  name: string,
  open: (parts: HostParts) => Documents,
  { isAway }: Kind,
) {
  const cases = suite<{ scene: Scene }>(`documents ${name}`)
  const opened = async () => new Scene(open, new UnrulyStore(await openMemoryStore({ runtime })))
  cases.before.each(async (context) => {
    context.scene = await opened()
  })
  cases.after.each(({ scene }) => scene.close())

  cases('answers every call', async ({ scene }) => {
    const { documents } = scene
    const slug = await scene.document('# Title\n\none two\n')
    assert.is((await scene.patch(slug, 'two', 'three')).revision, 2)
    const view = await documents.read(slug, { markdown: true, blocks: 'all' } as never)
    assert.is(view.markdown, '# Title\n\none three\n')
    const past = { sources, onWork: () => undefined }
    const page = await documents.past.page(slug, {
      sources,
      limit: 10,
      hashes: true,
      before: undefined,
    })
    assert.equal(
      page.entries.map(({ row }) => row.revision),
      [2, 1],
    )
    const former = await documents.past.at(slug, 1, { authors: true, sources })
    assert.is(former.markdown, '# Title\n\none two\n')
    assert.ok(await documents.past.diff(slug, { ...past, from: 1, to: 2, begin: 0 as never }))
    const begin = { to: undefined, index: 0 }
    assert.is((await documents.past.since(slug, 1, { ...past, begin })).to, 2)
    await documents.past.name(slug, 1, { name: 'first', permission: undefined })
    assert.is(await documents.revisionText(slug, 1), '# Title\n\none two\n')
    assert.is(await documents.revisionText(slug, 9), undefined)
    const back = { baseRevision: 2, dryRun: false, writer, sources }
    assert.is((await documents.revert(slug, 1, back)).revision, 3)
    const set = await documents.configure(slug, { readOnly: true } as never, { writer })
    assert.is(set.revision, 4)
    const records = { checks: [], puts: [], deletes: [] }
    const plan = async () => ({ answer: 'noted', records })
    assert.is(await documents.record(slug, { writer, event: 'access' }, plan), 'noted')
    assert.is((await documents.changeLife(slug, 'archive', { writer })).title, 'Title')
    assert.is((await documents.changeLife(slug, 'restore', { writer })).title, 'Title')
    const unknown = await refusal(documents.block(slug, 'nothing', sources))
    assert.is(unknown.code, 'BLOCK_ID_NOT_FOUND')
  })

  cases('refuses with code and details', async ({ scene }) => {
    const slug = await scene.document('one two\n')
    const { code, details } = await refusal(scene.patch(slug, 'three', 'four'))
    assert.is(code, 'EDIT_NOT_FOUND')
    assert.is(details['markdown'], 'one two\n')
    assert.is(details['revision'], 1)
    const missing = newSlug(runtime)
    assert.is((await refusal(scene.text(missing))).code, 'DOC_NOT_FOUND')
    assert.is((await refusal(scene.patch(missing, 'a', 'b'))).code, 'DOC_NOT_FOUND')
  })

  cases('looks a stale permission up again, and writes once', async ({ scene }) => {
    const slug = await scene.document('one\n')
    const stale = await staleOn(scene.store)
    assert.is((await scene.patch(slug, 'one', 'two', stale.permission)).revision, 2)
    assert.is(stale.renewals, 1)
    assert.is(await scene.text(slug), 'two\n')
  })

  cases('asks again for an overtaken founding and an overtaken plan', async ({ scene }) => {
    const { documents, store } = scene
    const stale = await staleOn(store)
    const [checks, current] = [stale.permission.checks, (await stale.permission.renewed()).checks]
    const slug = newSlug(runtime)
    let foundings = 0
    const founding = async () => ({ ...founded, checks: foundings++ === 0 ? checks : current })
    await documents.create({ founding, slug, markdown: 'made\n', writer })
    assert.is(foundings, 2)
    let plans = 0
    const plan = async () => {
      const records = { checks: plans++ === 0 ? checks : current, puts: [] }
      return { answer: 'done', records }
    }
    assert.is(await documents.record(slug, { writer, event: 'access' }, plan), 'done')
    assert.is(plans, 2)
    assert.is(await scene.text(slug), 'made\n')
  })

  cases('tells editors what is durable, and how much of theirs is', async ({ scene }) => {
    const slug = await scene.document('one\n')
    const ada = await new LiveDesk('ada').open(scene.documents, slug)
    const bob = await new LiveDesk('bob').open(scene.documents, slug)
    const changes: number[] = []
    const following = await scene.documents.follow(slug, {
      onCurrent: () => undefined,
      onChange: ({ revision }) => void changes.push(revision),
      onClose: () => undefined,
    })
    assert.is(following.revision, 1)
    const release = scene.store.holdCommits()
    ada.sent++
    ada.session?.receive(Uint8Array.of(0, 0), true)
    ada.textOf(0).insert(3, ' typed')
    const savedWhileHeld = ada.saved
    release()
    await becomes(async () => wordsOf(bob) === 'one typed' && ada.saved === ada.sent)
    assert.ok(savedWhileHeld < ada.saved, 'what is not durable is not called saved')
    assert.is(await scene.text(slug), 'one typed\n')
    await becomes(async () => changes.length > 0)
    following.stop()
    bob.session?.leave()
    const told = changes.length
    await scene.patch(slug, 'typed', 'written')
    await becomes(async () => wordsOf(ada) === 'one written')
    assert.is(wordsOf(bob), 'one typed', 'who left is told no more')
    assert.is(changes.length, told)
    assert.equal(await ada.session?.reserve([7]), [7])
  })

  cases('sends everybody away from a document that is retired', async ({ scene }) => {
    const slug = await scene.document('one\n')
    const ada = await new LiveDesk('ada').open(scene.documents, slug)
    await scene.documents.retire(slug, { forced: true })
    await becomes(async () => ada.closed === 4404)
    assert.is((await refusal(scene.text(slug))).code, 'DOC_NOT_FOUND')
  })

  cases('counts what is open, and what it costs', async ({ scene }) => {
    const { documents } = scene
    const slug = await scene.document('one\n')
    await scene.patch(slug, 'one', 'two')
    await becomes(async () => documents.openCount === 1 && documents.memoryBytes > 0)
  })

  cases('says which document is damaged, and serves the others', async ({ scene }) => {
    const slug = await scene.document('one\n')
    const other = await scene.document('other\n')
    await scene.documents.close()
    const again = await opened()
    for await (const { key, value } of scene.store.scan({ gte: 'a', lt: 'zzzz' } as never)) {
      const isBroken = key === docSnapshot(slug)
      const puts = [{ key, value: isBroken ? Uint8Array.of(1, 2, 3) : value }]
      await again.store.commit({ puts })
    }
    const { code, details } = await refusal(again.patch(slug, 'one', 'two'))
    assert.is(code, 'DOC_DAMAGED')
    assert.is(details['slug'], slug)
    assert.is((await again.patch(other, 'other', 'else')).revision, 2)
    await again.close()
  })

  cases('says that the disk is full, and writes again once it is not', async ({ scene }) => {
    const { store } = scene
    const slug = await scene.document('one\n')
    store.failure = new StoreFull()
    await scene.patch(slug, 'one', 'two').then(
      () => assert.unreachable('nothing was written'),
      (error: unknown) => assert.instance(error, Refusal),
    )
    store.failure = undefined
    await becomes(async () =>
      scene.patch(slug, 'one', 'two').then(
        () => true,
        () => false,
      ),
    )
    assert.is(await scene.text(slug), 'two\n')
    assert.ok((await store.get(docHead(slug))) !== undefined)
  })

  cases('finishes what is under way when it closes', async ({ scene }) => {
    const slug = await scene.document('one\n')
    await scene.text(slug)
    const release = scene.store.holdCommits()
    const patched = scene.patch(slug, 'one', 'two').then(
      ({ revision }) => revision,
      (error: unknown) => error,
    )
    await becomes(async () => scene.store.writes > 1)
    const closed = scene.documents.close()
    release()
    await closed
    const outcome = await patched
    assert.ok(outcome === 2 || outcome instanceof Refusal, String(outcome))
    const stored = await scene.documents.facts(slug)
    if (outcome === 2) assert.is(stored.slug, slug)
  })

  if (isAway) {
    cases(
      'pauses a socket that sends faster than its host takes, and goes on',
      async ({ scene }) => {
        const slug = await scene.document('one\n')
        const ada = await new LiveDesk('ada').open(scene.documents, slug)
        const letters = 'x'.repeat(Math.ceil(hostUnreadMaxBytes / 8))
        for (let at = 0; at < 9; at++)
          ada.textOf(0).insert(3, letters.slice(0, letters.length - at))
        assert.not(ada.isReading)
        await becomes(async () => ada.isReading)
        ada.session?.leave()
      },
    )
  }
  return cases
}
