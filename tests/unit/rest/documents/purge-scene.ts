/**
 * A document of which something lies wherever something of a document can lie, for the tests of
 * deleting it; and what the whole store says. Whoever adds a kind of record that refers to a
 * document has this scene make one: `placesOfDocuments` demands it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Store } from '../../../../persistence/store.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { png, pngChunk } from '../../../pictures.ts'
import { becomes } from '../../../waiting.ts'
import { imageAs, upload, uploadArtifact } from '../files/asset-scene.ts'
import type { openScene } from '../sharing/sharing-scene.ts'
import { said } from '../sharing/sharing-scene.ts'

export type Scene = Awaited<ReturnType<typeof openScene>>

/** Words that stand nowhere but in it. */
export const marker = 'zanzibar'

export type Records = ReadonlyMap<string, string>

export async function wholeStore(store: Store): Promise<Records> {
  const found = new Map<string, string>()
  for await (const { key, value } of store.scan({})) {
    found.set(key, Buffer.from(value).toString('latin1'))
  }
  return found
}

/** Which kinds of key have a document in them, as the sources spell them. */
export function placesOfDocuments(): string[] {
  const places = new Set<string>()
  const folders = ['persistence', 'core/library', 'core/links', 'core/access', 'core/documents']
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.ts')) continue
      const text = readFileSync(join(folder, name), 'utf8').replace(/\s+/g, ' ')
      for (const [, kind = ''] of text.matchAll(/`([a-z-]+)\/\$\{slug\}/g)) places.add(kind)
      for (const [, index = '', path = ''] of text.matchAll(
        /indexKey\( ?'([\w-]+)',((?:[^()]|\([^()]*\))*)\)/g,
      )) {
        // A lane of deliveries is named by its document.
        if (/\b(?:slug|lane)\b/.test(path)) places.add(`index/${index}`)
      }
    }
  }
  return [...places].sort()
}

export const placeOf = (key: string): string => {
  const [kind = '', name] = key.split('/')
  return kind === 'index' ? `index/${name}` : kind
}

/** Resolves when everybody has heard of everything. */
async function delivered(store: Store): Promise<void> {
  await becomes(async () => ![...(await wholeStore(store)).keys()].some(isNotice))
}

/** An act of which somebody is still to be told. */
const isNotice = (key: string) =>
  key.startsWith('outbox/') || key.startsWith('index/webhook-fan-out/')

/** The people who have a part in it, made once. */
export async function peopleOf(scene: Scene) {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const agent = await scene.agent('Quill')
  const hook = { webhook_url: 'https://nowhere.example/', webhook_events: ['comment.created'] }
  const { token } = agent
  const set = await scene.service.call('PATCH', '/agents/me', { token, body: hook })
  assert.is(set.status, 200, set.text)
  // Whoever creates for the first time gets a workspace.
  for (const { browser } of [ada, bob]) {
    assert.is((await browser.call('POST', '/docs', { body: { markdown: 'first' } })).status, 201)
  }
  return { ada, bob, agent }
}

/** Archived at last, unless told otherwise. */
export async function fullDocument(
  scene: Scene,
  { ada, bob, agent }: Awaited<ReturnType<typeof peopleOf>>,
  { name = marker, archived = true } = {},
): Promise<Slug> {
  const { service } = scene
  const ok = async (answer: ReturnType<typeof service.call>) => {
    const { status, json, text } = await answer
    assert.ok(status >= 200 && status < 300, text)
    return json
  }
  const key = (of: string) => ({ headers: { 'Idempotency-Key': `${name}-${of}` } })
  const body = { markdown: `# ${name}\n\nwords of ${name}\n` }
  const made = await ok(ada.browser.call('POST', '/docs', { body, ...key('create') }))
  const slug = String(made['id']) as Slug
  const at = `/docs/${slug}`
  const asOwner = (method: string, path: string, body?: unknown) =>
    ok(ada.browser.call(method, `${at}${path}`, body === undefined ? {} : { body }))
  await asOwner('PATCH', '/link-access', { mode: 'anyone', role: 'editor' })
  await asOwner('POST', '/access', { role: 'editor' })
  const given = await asOwner('POST', '/access', { role: 'editor' })
  const token = String(given['access_token'])
  await ok(service.call('POST', '/agents/identify', { token, body: { slug, display_name: name } }))
  const edits = [{ old_string: 'words', new_string: `more words` }]
  await ok(service.call('PATCH', at, { token, body: { edits }, ...key('edit') }))
  await asOwner('DELETE', `/access/${given['token_id']}`)
  await asOwner('POST', '/access', { handle: agent.handle, role: 'editor' })
  await asOwner('PUT', '/revisions/1/name', { name })
  await asOwner('POST', '/share-link')
  await ok(service.call('POST', `${at}/links`, { token: agent.token, body: {} }))
  await asOwner('POST', '/links', { name })
  await asOwner('POST', '/links', { name: `${name}-old` })
  await asOwner('DELETE', `/links/${name}-old`)
  await asOwner('POST', '/links', { name: `${name}-soon`, expires_at: scene.soon() })
  const share = String(made['share_url']).split('token=')[1] ?? ''
  await ok(service.call('GET', `${at}?docs`, { token: share }))
  await bob.browser.open(`/d/${slug}?token=${share}`)
  assert.is((await bob.browser.edit(slug, 'more words', 'most words')).status, 200)
  const comment = { quote: 'most words', text: `@${ada.handle}, ${name}?` }
  await ok(bob.browser.call('POST', `${at}/comments`, { body: comment }))
  await becomes(async () =>
    [...(await wholeStore(service.store)).keys()].some((one) =>
      one.startsWith(`webhook-body/${slug}/`),
    ),
  )
  await asOwner('PUT', '/mute', { muted: true })
  await asOwner('POST', '/owner', { handle: bob.handle })
  await upload(ada.browser, slug, png(pngChunk('tEXt', Buffer.from(name))))
  const images = `${at}/feedback/images`
  const shown = await ok(ada.browser.call('POST', images, imageAs('image/png', png())))
  await ok(ada.browser.call('POST', images, imageAs('image/png', png())))
  await asOwner('POST', '/feedback', { message: name, image_urls: [shown['url']] })
  const artifact = await uploadArtifact(ada.browser, slug, `<title>${name}</title>`)
  await ok(ada.browser.call('POST', `${artifact}/poster`, imageAs('image/png', png())))
  await asOwner('PATCH', '/settings', { comments_disabled: true })
  if (archived) await asOwner('POST', '/archive')
  await delivered(service.store)
  return slug
}

export const codeOf = async (call: ReturnType<Scene['service']['call']>) => said(await call)
