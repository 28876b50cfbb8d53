/** What webhooks are sent, and to whom (interface §6.3; extensions §6). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../../../waiting.ts'
import { verified } from './webhook-receiver.ts'
import { allEvents, type Fields, webhookScene } from './webhook-scene.ts'

const scene = await webhookScene()
const { service } = scene
test.after(() => scene.close())

test('§6.3 a mention is delivered, signed as Standard Webhooks', async () => {
  const { invite, comment, slug, actor } = await scene.talk()
  const quill = await scene.agent('Quill', ['mention'])
  await invite(quill)
  const said = await comment({ quote: 'noon', text: `@${quill.handle} why noon?` })
  const [request] = await quill.hook.has(1)
  assert.ok(request)
  verified(quill.secret, request)
  assert.match(request.id, /^msg_[0-9]{12}[0-9a-z]{20}$/)
  assert.is(request.headers['content-type'], 'application/json')
  const { type, timestamp, data } = request.body
  assert.is(type, 'mention')
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
  assert.equal(Object.keys(request.body), ['type', 'timestamp', 'data'])
  assert.equal(data['document'], { id: slug, title: 'Plan', apiUrl: `/docs/${slug}` })
  assert.equal(data['actor'], { actor_id: actor, handle: actor.slice(6), name: 'Ada' })
  assert.is(data['thread_id'], said['thread_id'])
  assert.is((data['comment'] as Fields)['id'], said['comment_id'])
  assert.is(data['quote'], 'noon')
  assert.is(data['notify'], null)
  assert.is(data['revision'], said['revision'])
})

test('extensions §6 each event reaches whom it is for, and nobody of its own acts', async () => {
  const { invite, comment, ok, at } = await scene.talk()
  const [one, two] = [await scene.agent('One', allEvents), await scene.agent('Two', allEvents)]
  await invite(one)
  await invite(two)
  const body = { quote: 'noon', suggestion: { new_string: 'nine' } }
  const suggested = await one.call('POST', `${at}/comments`, body)
  const other = { quote: 'Plan', suggestion: { new_string: 'Order' } }
  const rejected = await one.call('POST', `${at}/comments`, other)
  const { comment_id: cid, thread_id: thread } = suggested.json
  const asked = { kind: 'decision', line: 'noon - nine or noon' }
  await comment({ reply_to: cid, text: `@${one.handle} sure?`, notify: asked })
  await ok('POST', `${at}/comments/${cid}/accept`)
  await ok('POST', `${at}/comments/${rejected.json['comment_id']}/reject`)
  await ok('POST', `${at}/threads/${thread}/resolve`, { text: 'Done.' })
  await one.hook.has(8)
  await two.hook.has(4)
  assert.equal([...one.hook.types()].sort(), [
    'comment.created',
    'comment.replied',
    'doc.review_requested',
    'doc.shared',
    'mention',
    'suggestion.accepted',
    'suggestion.rejected',
    'thread.resolved',
  ])
  assert.equal([...two.hook.types()].sort(), [
    'comment.created',
    'comment.created',
    'comment.created',
    'doc.shared',
  ])
  for (const request of one.hook.received) verified(one.secret, request)
  assert.is((await one.deliveries()).length, 8)
})

test('extensions §6 an event that is not subscribed is not sent; the default is `mention`', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill')
  await quill.set({ webhook_url: quill.hook.url })
  await invite(quill)
  await comment({ general: true, text: 'Nobody is meant.' })
  await comment({ general: true, text: `@${quill.handle} you are.` })
  await quill.settles(1)
  assert.equal(quill.hook.types(), ['mention'])
})

test('§13 acts that the inbox shows once are separate deliveries', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['comment.created', 'mention'])
  await invite(quill)
  const root = await comment({ quote: 'noon', text: 'One' })
  for (const text of ['Two', 'Three', `Four @${quill.handle}`]) {
    await comment({ reply_to: root['comment_id'], text })
  }
  await quill.hook.has(5)
  await quill.settles(5)
  const created = quill.hook.received.filter(({ body }) => body.type === 'comment.created')
  assert.equal(
    created.map(({ body }) => (body.data['comment'] as Fields)['text']),
    ['One', 'Two', 'Three', `Four @${quill.handle}`],
  )
  const { json } = await quill.call('GET', '/agents/me/inbox')
  assert.ok((json['entries'] as Fields[]).length < 6)
})

test('extensions §11 an agent that lost its role is sent nothing more', async () => {
  const { invite, comment, ok, at } = await scene.talk()
  const [kept, gone] = [
    await scene.agent('Kept', ['comment.created']),
    await scene.agent('Gone', ['comment.created']),
  ]
  await invite(kept)
  await invite(gone)
  await comment({ general: true, text: 'One' })
  await Promise.all([kept.hook.has(1), gone.hook.has(1)])
  const { grants } = (await ok('GET', `${at}/access`)) as { grants: Fields[] }
  const grant = grants.find((one) => one['actor_id'] === gone.actor)
  await ok('DELETE', `${at}/access/${grant?.['id']}`)
  await comment({ general: true, text: 'Two' })
  await kept.hook.has(2)
  await kept.settles(2)
  assert.is(gone.hook.received.length, 1)
})

test('extensions §11 mutes stop all but mentions', async () => {
  const { invite, comment, at } = await scene.talk()
  const quill = await scene.agent('Quill', allEvents)
  await invite(quill)
  await quill.hook.has(1)
  assert.is((await quill.call('PUT', `${at}/mute`, { muted: true })).status, 200)
  await comment({ general: true, text: 'Unheard' })
  await comment({ general: true, text: `@${quill.handle} heard` })
  await quill.hook.has(2)
  await quill.settles(2)
  assert.equal(quill.hook.types(), ['doc.shared', 'mention'])
})

test('text with emoji and U+2028 is valid UTF-8 JSON', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['mention'])
  await invite(quill)
  const text = `@${quill.handle} \u{1f600} \u2028 ä \u0001`
  await comment({ quote: 'noon', text })
  const [request] = await quill.hook.has(1)
  assert.ok(request)
  verified(quill.secret, request)
  assert.is((request.body.data['comment'] as Fields)['text'], text)
})

test('extensions §11 `webhook_headers` are sent, and none replaces a header of the signature', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['mention'])
  await quill.set({ webhook_headers: { Authorization: 'Bearer mine', 'X-Team': 'a' } })
  await invite(quill)
  await comment({ quote: 'noon', text: `@${quill.handle} hello` })
  const [request] = await quill.hook.has(1)
  assert.is(request?.headers['authorization'], 'Bearer mine')
  assert.is(request?.headers['x-team'], 'a')
})

test('after a secret is replaced both secrets sign for 24 hours', async () => {
  const quill = await scene.agent('Quill', ['mention'])
  const { webhook_secret: second } = await quill.set({ webhook_url: quill.hook.url })
  assert.is((await quill.call('POST', '/agents/me/webhook-test')).status, 202)
  const [ping] = await quill.hook.has(1)
  assert.ok(ping)
  for (const secret of [quill.secret, String(second)]) verified(secret, ping)
  service.ahead += 24 * 3_600_000 + 1_000
  assert.is((await quill.call('POST', '/agents/me/webhook-test')).status, 202)
  await quill.hook.has(2)
  const later = await quill.settles(2)
  assert.is(later.length, 2)
  const signature = String(quill.hook.received[1]?.headers['webhook-signature'])
  assert.is(signature.split(' ').length, 1)
})

test('§13 a test is a signed `ping` with the agent’s id, whatever is subscribed', async () => {
  const quill = await scene.agent('Quill', [])
  const test = await quill.call('POST', '/agents/me/webhook-test')
  assert.is(test.status, 202)
  const [ping] = await quill.hook.has(1)
  assert.is(ping?.id, test.json['id'])
  assert.equal([ping?.body.type, ping?.body.data], ['ping', { agent_id: quill.id }])
  const [delivery] = await quill.settles(1)
  assert.is(delivery?.['document'], null)
  assert.is(delivery?.event, 'ping')
})

test('`data` is at most 64 KiB: longer texts are cut, half a pair becomes U+FFFD', async () => {
  const { invite, comment } = await scene.talk(`# Long\n\nx${'\u{1f600}'.repeat(40_000)}\n`)
  const quill = await scene.agent('Quill', ['mention'])
  await invite(quill)
  await comment({ general: true, text: `@${quill.handle} ${'é'.repeat(6_000)}` })
  await comment({ block_id: await blockOf(quill), text: `@${quill.handle} all of it` })
  await quill.hook.has(2)
  for (const { text, body } of quill.hook.received) {
    assert.ok(Buffer.byteLength(JSON.stringify(body.data)) <= 64 * 1024)
    assert.ok(text.length > 1_000)
  }
  const { data } = quill.hook.received[1]?.body ?? { data: {} as Fields }
  assert.is(data['truncated'], true)
  assert.match(String(data['quote']), /^x(?:\u{1f600})+\ufffd$/u)

  async function blockOf({ call }: typeof quill): Promise<string> {
    const { json } = await call('GET', '/agents/me/inbox')
    const [entry] = json['entries'] as { document: { apiUrl: string } }[]
    const read = await call('GET', String(entry?.document.apiUrl))
    return String((read.json['content_blocks'] as Fields[])[1]?.['id'])
  }
})

test('extensions §6 events that come while others are sent arrive once, in their order', async () => {
  const quill = await scene.agent('Quill', ['comment.created'])
  const { invite, comment } = await scene.talk()
  await invite(quill)
  quill.hook.answer = (_request, response) => {
    setTimeout(() => response.writeHead(204).end(), 15)
  }
  const said: string[] = []
  for (const count of [12, 1, 6]) {
    for (let n = 0; n < count; n++) {
      const { comment_id } = await comment({ general: true, text: `C${said.length}` })
      said.push(String(comment_id))
    }
    await quill.hook.has(said.length)
    await quill.settles(said.length)
  }
  const arrived = quill.hook.received.map(({ body }) => (body.data['comment'] as Fields)['id'])
  assert.equal(arrived, said)
  assert.is(quill.hook.most, 1)
  assert.is((await quill.status())['waiting'], 0)
})

test('a purge takes the deliveries of its document along', async () => {
  const { invite, comment, ok, at, slug, browser } = await scene.talk()
  const quill = await scene.agent('Quill', allEvents)
  await invite(quill)
  await comment({ general: true, text: 'One' })
  await quill.settles(2)
  await ok('POST', `${at}/archive`)
  assert.is((await browser.call('DELETE', `${at}/forever`)).status, 204)
  await becomes(async () => (await quill.deliveries()).length === 0)
  for await (const { key, value } of service.store.scan({ gte: '' })) {
    assert.not.ok(key.includes(slug) || Buffer.from(value).includes(slug), key)
  }
})

test.run()
