/** The flags that an owner sets (interface §2.2, §5 rule 4, §7; extensions §3). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Slug } from '../../../../schema/ids.ts'
import { silentFollower } from '../../../silent-peers.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const edit = { edits: [{ old_string: 'text', new_string: 'words' }] }

async function withSettings() {
  const made = await scene.owned()
  const set = (body: unknown) => made.ada.call('PATCH', `${made.at}/settings`, { body })
  return { ...made, set }
}

test('the owner sets one flag or both; what is set already makes no revision', async () => {
  const { set, slug, ada, at } = await withSettings()
  const before = await scene.revisionOf(slug)
  const locked = await set({ read_only: true })
  const revision = before + 1
  assert.equal(
    [locked.status, locked.json],
    [200, { read_only: true, comments_disabled: false, revision }],
  )
  assert.equal((await set({ read_only: true })).json, locked.json)
  const both = await set({ read_only: false, comments_disabled: true })
  assert.equal(both.json, { read_only: false, comments_disabled: true, revision: revision + 1 })
  const { json } = await ada.call('GET', at)
  assert.equal(
    [json['read_only'], json['comments_disabled'], json['revision']],
    [false, true, revision + 1],
  )
})

test('nobody else sets them, and nothing else is a setting', async () => {
  const { set, token, shareToken, at, slug } = await withSettings()
  const before = await scene.revisionOf(slug)
  const body = { read_only: true }
  const ask = (secret?: string) =>
    service.call('PATCH', `${at}/settings`, { ...(secret && { token: secret }), body })
  assert.is(said(await ask()), '401 AUTH_REQUIRED')
  assert.is(said(await ask(token)), '403 FORBIDDEN', 'an editor')
  assert.is(said(await ask(shareToken)), '403 FORBIDDEN', 'who has no name yet')
  for (const wrong of [{}, { read_only: 1 }, { title: 'x' }, { archived: true }, [], null]) {
    assert.is((await set(wrong)).status, 400, JSON.stringify(wrong))
  }
  assert.is(await scene.revisionOf(slug), before)
})

test('§5 rule 4: only the owner edits a locked text, a dry run included', async () => {
  const { set, token, ada, at } = await withSettings()
  await set({ read_only: true })
  const byToken = (query: string) => service.call('PATCH', `${at}${query}`, { token, body: edit })
  assert.is(said(await byToken('')), '403 DOC_READ_ONLY')
  assert.is(said(await byToken('?dryRun=true')), '403 DOC_READ_ONLY')
  const back = { token, body: { revision: 1, base_revision: 1 } }
  assert.is(said(await service.call('POST', `${at}/revert`, back)), '403 DOC_READ_ONLY')
  assert.is((await ada.call('PATCH', `${at}?dryRun=true`, { body: edit })).status, 200)
  assert.is((await ada.call('PATCH', at, { body: edit })).status, 200)
  await set({ read_only: false, comments_disabled: true })
  const again = { edits: [{ old_string: 'words', new_string: 'more' }] }
  const free = await service.call('PATCH', at, { token, body: again })
  assert.is(free.status, 200, 'comments that are off leave the text alone')
})

test('extensions §2: a body, then a name, come before the lock', async () => {
  const { set, shareToken, at } = await withSettings()
  await set({ read_only: true })
  const read = await service.call('GET', `${at}?docs`, { token: shareToken })
  const token = String(read.json['your_token'])
  const ask = (body: unknown) => service.call('PATCH', at, { token, body })
  assert.is(said(await ask({ edits: 7 })), '400 INVALID_REQUEST')
  assert.is(said(await ask(edit)), '412 IDENTIFY_REQUIRED')
  assert.is(said(await ask({ ...edit, display_name: 'Zed' })), '403 DOC_READ_ONLY')
})

test('a change of settings is a revision with the event `settings`, in the history and the log', async () => {
  const { set, slug, token, at } = await withSettings()
  const told: unknown[] = []
  const following = await service.documents.follow(slug as Slug, {
    ...silentFollower,
    onChange: ({ revision, event }) => void told.push([revision, event]),
  })
  const { json } = await set({ comments_disabled: true })
  following.stop()
  assert.equal(told, [[json['revision'], 'settings']])
  const history = await service.call('GET', `${at}/history?limit=1`, { token })
  const [entry] = history.json['entries'] as Record<string, unknown>[]
  assert.equal(
    [entry?.['revision'], entry?.['event'], entry?.['auth_method']],
    [json['revision'], 'settings', 'session'],
  )
  assert.match(
    (await service.call('GET', `${at}/log.md`, { token })).text,
    /: changed the settings \(/,
  )
})

test.run()
