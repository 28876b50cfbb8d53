/** What is shown of webhooks, how they are repaired, and who is told (extensions §6). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import { becomes } from '../../../waiting.ts'
import { Browser } from '../browser.ts'
import { answers, verified } from './webhook-receiver.ts'
import { allEvents, type Delivery, type Fields, webhookScene } from './webhook-scene.ts'

const scene = await webhookScene({ webhookRetriesMs: [3_600_000, 3_600_000] })
const { service } = scene
test.after(() => scene.close())
test.before.each(() => {
  service.ahead = 0
})

const hour = 3_600_000
const ago = (ms: number) => new Date(Date.now() + service.ahead - ms).toISOString()
const codeOf = ({ status, json }: { status: number; json: Fields }) => `${status} ${json['code']}`

async function owned(name: string) {
  const ada = new Browser(service)
  assert.is((await ada.guest('Ada')).status, 201)
  const quill = await scene.agent(name, allEvents, ada)
  return { ada, quill, at: `/auth/agents/${quill.id}` }
}

test('§13 `webhook_status` is off, ok, failing, ok', async () => {
  const quill = await scene.agent('Quill')
  const off = {
    state: 'off',
    failing_since: null,
    last_success_at: null,
    last_error: null,
    waiting: 0,
  }
  assert.equal(await quill.status(), off)
  await quill.set({ webhook_url: quill.hook.url })
  assert.equal(await quill.status(), { ...off, state: 'ok' })
  quill.hook.answer = answers(500)
  const { json } = await quill.call('POST', '/agents/me/webhook-test')
  await becomes(async () => (await quill.status())['state'] === 'failing')
  const failing = await quill.status()
  assert.equal([failing['last_error'], failing['waiting']], ['the answer was 500', 1])
  assert.ok(Date.parse(String(failing['failing_since'])) > 0)
  quill.hook.answer = answers(204)
  const path = `/agents/me/webhook-deliveries/${json['id']}/redeliver`
  assert.equal((await quill.call('POST', path)).json, { id: json['id'] })
  await becomes(async () => (await quill.status())['state'] === 'ok')
  const { failing_since: since, last_success_at: at, waiting } = await quill.status()
  assert.equal([since, waiting], [null, 0])
  assert.ok(Date.parse(String(at)) > 0)
  await quill.set({ webhook_url: null })
  assert.is((await quill.status())['state'], 'off')
})

test('§13 deliveries are listed newest first, by state, in pages', async () => {
  const { invite, comment, slug } = await scene.talk()
  const quill = await scene.agent('Quill', ['comment.created'])
  await invite(quill)
  for (const text of ['One', 'Two', 'Three']) await comment({ general: true, text })
  const all = await quill.settles(3)
  assert.equal(Object.keys(all[0] ?? {}), [
    'id',
    'event',
    'document',
    'created_at',
    'state',
    'attempts',
    'next_attempt_at',
  ])
  assert.equal(all[0]?.['document'], { id: slug, title: 'Plan', apiUrl: `/docs/${slug}` })
  assert.equal(
    all.map(({ id }) => id),
    quill.hook.received.map(({ id }) => id).toReversed(),
  )
  const path = '/agents/me/webhook-deliveries'
  const first = (await quill.call('GET', `${path}?limit=2`)).json
  const rest = (await quill.call('GET', `${path}?cursor=${first['next_cursor']}`)).json
  const ids = [first, rest].flatMap((page) =>
    (page['deliveries'] as Delivery[]).map(({ id }) => id),
  )
  assert.equal(
    ids,
    all.map(({ id }) => id),
  )
  assert.is(rest['next_cursor'], null)
  assert.equal(await quill.deliveries('?state=given_up'), [])
  assert.is((await quill.call('GET', `${path}?state=lost`)).status, 400)
  assert.is((await quill.call('GET', `${path}?cursor=x`)).status, 400)
})

test('§13 a delivery is not shown after 30 days', async () => {
  const quill = await scene.agent('Quill', [])
  await quill.call('POST', '/agents/me/webhook-test')
  await quill.settles(1)
  service.ahead += 31 * 24 * hour
  assert.equal(await quill.deliveries(), [])
})

test('§13 a redelivery has the same id and bytes, a new timestamp and signature', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['mention'])
  await invite(quill)
  const { comment_id: cid } = await comment({ quote: 'noon', text: `@${quill.handle} hello` })
  const [delivery] = await quill.settles(1)
  service.wallAhead += 5_000
  const path = `/agents/me/webhook-deliveries/${delivery?.id}/redeliver`
  const again = await quill.call('POST', path)
  assert.is(again.status, 202)
  const [first, second] = await quill.hook.has(2)
  assert.equal([first?.id, first?.text], [second?.id, second?.text])
  assert.is.not(first?.headers['webhook-timestamp'], second?.headers['webhook-timestamp'])
  assert.is.not(first?.headers['webhook-signature'], second?.headers['webhook-signature'])
  service.wallAhead -= 5_000
  assert.ok(second)
  verified(quill.secret, second)
  await becomes(async () => (await quill.deliveries())[0]?.attempts.length === 2)
  assert.ok(cid)
  const none = await quill.call('POST', '/agents/me/webhook-deliveries/msg_x/redeliver')
  assert.is(codeOf(none), '404 NOT_FOUND')
})

test('§13 a replay queues what was given up since, in order', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['comment.created'])
  await invite(quill)
  quill.hook.answer = answers(410)
  await comment({ general: true, text: 'One' })
  await quill.settles(1, 'given_up')
  await comment({ general: true, text: 'Two' })
  await quill.settles(2, 'given_up')
  await quill.set({ webhook_url: quill.hook.url })
  quill.hook.answer = answers(204)
  const replay = (since: string) =>
    quill.call('POST', '/agents/me/webhook-deliveries/replay', { since })
  assert.equal((await replay(ago(-60_000))).json, { queued: 0 })
  assert.equal((await replay(ago(60_000))).json, { queued: 2 })
  const delivered = await quill.settles(2)
  const texts = quill.hook.received.map(({ body }) => (body.data['comment'] as Fields)['text'])
  assert.equal(texts, ['One', 'One', 'Two'])
  assert.is(new Set(delivered.map(({ id }) => id)).size, 2)
  assert.is(codeOf(await replay('yesterday')), '400 INVALID_REQUEST')
  assert.is(codeOf(await replay(ago(31 * 24 * hour))), '400 INVALID_REQUEST')
})

test('without an address nothing can be sent again', async () => {
  const quill = await scene.agent('Quill')
  for (const [path, body] of [
    ['webhook-test', undefined],
    ['webhook-deliveries/msg_x/redeliver', undefined],
    ['webhook-deliveries/replay', { since: ago(hour) }],
  ] as const) {
    assert.is(codeOf(await quill.call('POST', `/agents/me/${path}`, body)), '409 WEBHOOK_OFF')
  }
})

test('repairs of one agent are bounded, whoever asks', async () => {
  const quill = await scene.agent('Quill', [])
  const codes: string[] = []
  for (let n = 0; n <= limits.webhookRepairsPerMinute; n++) {
    codes.push(codeOf(await quill.call('POST', '/agents/me/webhook-deliveries/x/redeliver')))
  }
  assert.equal([codes[0], codes.at(-1)], ['404 NOT_FOUND', '429 BUSY'])
})

test('§13 the owner of an agent has the same routes below its id', async () => {
  const { ada, quill, at } = await owned('Quill')
  const profile = await ada.call('GET', at)
  assert.equal(profile.json, (await quill.call('GET', '/agents/me')).json)
  const tested = await ada.call('POST', `${at}/webhook-test`)
  assert.is(tested.status, 202)
  await quill.settles(1)
  const listed = await ada.call('GET', `${at}/webhook-deliveries`)
  assert.equal(listed.json['deliveries'], await quill.deliveries())
  const again = await ada.call('POST', `${at}/webhook-deliveries/${tested.json['id']}/redeliver`)
  assert.is(again.status, 202)
  await quill.hook.has(2)
  const since = { since: ago(hour) }
  const replayed = await ada.call('POST', `${at}/webhook-deliveries/replay`, { body: since })
  assert.equal([replayed.status, replayed.json], [202, { queued: 0 }])
  const eve = new Browser(service)
  await eve.guest('Eve')
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/webhook-deliveries'],
    ['POST', '/webhook-test'],
    ['POST', `/webhook-deliveries/${tested.json['id']}/redeliver`],
  ] as const) {
    assert.is(codeOf(await eve.call(method, `${at}${path}`)), '404 NOT_FOUND')
    assert.is((await service.call(method, `${at}${path}`)).status, 401)
    assert.is((await service.call(method, `${at}${path}`, { token: quill.token })).status, 403)
  }
})

test('§13 the owner is told once of a target that failed for an hour, and when it recovers', async () => {
  const { ada, quill } = await owned('Quill')
  const inbox = async () => (await ada.call('GET', '/inbox')).json['entries'] as Fields[]
  const ping = async () => {
    const { json } = await quill.call('POST', '/agents/me/webhook-test')
    const attempted = async () =>
      (await quill.deliveries()).find(({ id }) => id === json['id'])?.attempts.length === 1
    await becomes(attempted)
  }
  quill.hook.answer = answers(500)
  await ping()
  assert.equal(await inbox(), [])
  service.ahead += hour + 1_000
  await ping()
  await ping()
  await becomes(async () => (await inbox()).length > 0)
  const [entry, more] = await inbox()
  assert.is(more, undefined)
  assert.is(entry?.['event'], 'webhook.failing')
  assert.is(entry?.['document'], null)
  assert.equal(entry?.['actor'], { actor_id: quill.actor, handle: quill.handle, name: 'Quill' })
  assert.equal([entry?.['comment'], entry?.['quote'], entry?.['block']], [null, null, null])
  quill.hook.answer = answers(204)
  await ping()
  await becomes(async () => (await inbox()).length === 2)
  assert.is((await inbox())[1]?.['event'], 'webhook.recovered')
  const acked = await ada.call('POST', '/inbox/ack', {
    body: { up_to: (await inbox())[1]?.['id'] },
  })
  assert.is(acked.json['unread'], 0)
})

test('an agent without an owner has nobody to tell', async () => {
  const quill = await scene.agent('Quill', [])
  quill.hook.answer = answers(500)
  await quill.call('POST', '/agents/me/webhook-test')
  await becomes(async () => (await quill.status())['state'] === 'failing')
  service.ahead += hour + 1_000
  await quill.call('POST', '/agents/me/webhook-test')
  await becomes(async () => (await quill.status())['waiting'] === 2)
  assert.is((await quill.status())['state'], 'failing')
})

test('what waits of an agent that is deleted goes with it', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', allEvents)
  quill.hook.answer = answers(500)
  await invite(quill)
  await comment({ general: true, text: 'One' })
  await becomes(async () => (await quill.deliveries()).at(-1)?.attempts.length === 1)
  assert.is((await quill.call('DELETE', '/agents/me')).status, 200)
  await becomes(async () => {
    for await (const { key } of service.store.scan({ gte: '' })) {
      if (key.includes(quill.id) && !key.startsWith('index/target-due')) return false
    }
    return true
  })
})

test('an address in a private network is 400 and names the setting', async () => {
  const strict = await webhookScene({ webhooksAllowPrivate: false })
  const quill = await strict.agent('Quill')
  const refused = await quill.call('PATCH', '/agents/me', { webhook_url: quill.hook.url })
  assert.is(codeOf(refused), '400 INVALID_REQUEST')
  assert.match(refused.text, /OUTBOUND_ALLOW/)
  const odd = await quill.call('PATCH', '/agents/me', { webhook_url: 'http://nowhere.example/' })
  assert.is(odd.status, 200)
  await quill.call('POST', '/agents/me/webhook-test')
  await becomes(async () => (await quill.deliveries())[0]?.attempts.length === 1)
  const [delivery] = await quill.deliveries()
  assert.is(delivery?.attempts[0]?.error, 'the name does not resolve (ENOTFOUND)')
  await strict.close()
  const open = await webhookScene({ webhooksAllowPrivate: false, outboundAllow: ['127.0.0.0/8'] })
  await open.agent('Quill', ['mention'])
  await open.close()
})

test.run()
