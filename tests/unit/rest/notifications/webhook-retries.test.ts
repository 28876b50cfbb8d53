/** How deliveries are retried, kept in order and bounded (extensions §6). */
import type { ServerResponse } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import { becomes } from '../../../waiting.ts'
import { type Answering, answers, neverAnswers, type Received } from './webhook-receiver.ts'
import { type Fields, webhookScene } from './webhook-scene.ts'

const second = 1_000
const scene = await webhookScene({
  webhookRetriesMs: [0, 0, 3_600_000, 3_600_000],
  webhookTimeoutMs: 400,
  limits: { ...limits, deliveriesWaitingMax: 5 },
})
const { service } = scene
test.after(() => scene.close())

const textOf = ({ body }: Received) => (body.data['comment'] as Fields)['text']
/** So many requests fail, the others do not. */
function failsFirst(count: number): Answering {
  let failed = 0
  return (_request, response) => {
    failed += 1
    response.writeHead(failed <= count ? 500 : 204).end()
  }
}

test('a failed attempt is made again: same id, same bytes, new signature', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['mention'])
  await invite(quill)
  quill.hook.answer = failsFirst(1)
  await comment({ quote: 'noon', text: `@${quill.handle} hello` })
  const [first, again] = await quill.hook.has(2)
  assert.is(first?.id, again?.id)
  assert.is(first?.text, again?.text)
  const [delivery] = await quill.settles(1)
  assert.equal(
    delivery?.attempts.map(({ status, error }) => [status, error]),
    [
      [500, 'the answer was 500'],
      [204, null],
    ],
  )
  assert.is(delivery?.next_attempt_at, null)
  const { state, failing_since: since, last_error: error, waiting } = await quill.status()
  assert.equal([state, since, error, waiting], ['ok', null, 'the answer was 500', 0])
})

for (const [what, status, headers] of [
  ['a redirect', 302, { Location: 'http://127.0.0.1:1/' }],
  ['a permanent redirect', 308, { Location: '/elsewhere' }],
  ['a refusal', 404, {}],
  ['not modified', 304, {}],
] as const) {
  test(`${what} is a failure, and not followed`, async () => {
    const quill = await scene.agent('Quill', [])
    quill.hook.answer = answers(status, headers)
    await quill.call('POST', '/agents/me/webhook-test')
    await quill.hook.has(1)
    await becomes(async () => (await quill.deliveries())[0]?.attempts[0]?.status === status)
    assert.is((await quill.status())['state'], 'failing')
    assert.ok(quill.hook.received.every(({ path }) => path === '/hook'))
  })
}

test('a receiver that does not answer in time has failed', async () => {
  const quill = await scene.agent('Quill', [])
  quill.hook.answer = neverAnswers
  await quill.call('POST', '/agents/me/webhook-test')
  await becomes(async () => (await quill.deliveries())[0]?.attempts.length === 1)
  const [delivery] = await quill.deliveries()
  assert.is(delivery?.attempts[0]?.error, 'no answer within 400 ms')
  assert.ok(delivery?.next_attempt_at)
})

test('of an answer no more than a little is read, and its status counts', async () => {
  const quill = await scene.agent('Quill', [])
  let sent = 0
  quill.hook.answer = (_request, response) => {
    response.writeHead(200)
    const more = () => {
      if (response.destroyed) return
      sent += 16_384
      response.write(Buffer.alloc(16_384), more)
    }
    more()
  }
  await quill.call('POST', '/agents/me/webhook-test')
  const [delivery] = await quill.settles(1)
  assert.is(delivery?.attempts[0]?.status, 200)
  assert.ok(sent < 16 * 1024 * 1024, String(sent))
})

test('`Retry-After` of 429 and 503 is honoured, up to one hour', async () => {
  for (const [status, asked, least, most] of [
    [503, '120', 115, 125],
    [429, '999999', 3_590, 3_605],
    [500, '120', 0, 5],
  ] as const) {
    const quill = await scene.agent('Quill', [])
    quill.hook.answer = answers(status, { 'Retry-After': asked })
    await quill.call('POST', '/agents/me/webhook-test')
    await becomes(async () => (await quill.deliveries())[0]?.attempts.length === 1)
    const [delivery] = await quill.deliveries()
    const seconds = (Date.parse(String(delivery?.next_attempt_at)) - Date.now()) / second
    assert.ok(seconds > least - 2 && seconds < most, `${status}: ${seconds}`)
  }
})

test('410 ends the target until the address is set again', async () => {
  const quill = await scene.agent('Quill', [])
  quill.hook.answer = answers(410)
  await quill.call('POST', '/agents/me/webhook-test')
  await becomes(async () => (await quill.status())['state'] === 'gone')
  const [delivery] = await quill.deliveries()
  assert.is(delivery?.state, 'given_up')
  const refused = await quill.call('POST', '/agents/me/webhook-test')
  assert.equal([refused.status, refused.json['code']], [409, 'WEBHOOK_OFF'])
  quill.hook.answer = answers(200)
  await quill.set({ webhook_url: quill.hook.url })
  assert.is((await quill.status())['state'], 'ok')
  const replayed = await quill.call('POST', '/agents/me/webhook-deliveries/replay', {
    since: new Date(Date.now() - 60 * second).toISOString(),
  })
  assert.equal([replayed.status, replayed.json], [202, { queued: 1 }])
  await quill.settles(1)
  assert.is(quill.hook.received[1]?.id, delivery?.id)
})

test('a retry holds back later events of its document, and of no other', async () => {
  const [one, other] = [await scene.talk(), await scene.talk()]
  const quill = await scene.agent('Quill', ['comment.created'])
  await one.invite(quill)
  await other.invite(quill)
  quill.hook.answer = failsFirst(2)
  await one.comment({ general: true, text: 'A1' })
  await quill.hook.has(1)
  await one.comment({ general: true, text: 'A2' })
  await other.comment({ general: true, text: 'B1' })
  await one.comment({ general: true, text: 'A3' })
  await quill.settles(4)
  const order = quill.hook.received.map(textOf)
  assert.equal(
    order
      .filter((text) => String(text).startsWith('A'))
      .filter((text, at, all) => all.indexOf(text) === at),
    ['A1', 'A2', 'A3'],
  )
  assert.ok(order.lastIndexOf('A1') < order.indexOf('A2'), order.join())
})

test('after the third failed attempt of one delivery the later ones are sent', async () => {
  const { invite, comment } = await scene.talk()
  const quill = await scene.agent('Quill', ['comment.created'])
  await invite(quill)
  quill.hook.answer = (request, response) =>
    void response.writeHead(textOf(request) === 'One' ? 500 : 204).end()
  await comment({ general: true, text: 'One' })
  await comment({ general: true, text: 'Two' })
  await comment({ general: true, text: 'Three' })
  await quill.settles(2)
  assert.equal(quill.hook.received.map(textOf), ['One', 'One', 'One', 'Two', 'Three'])
  const [waiting] = await quill.deliveries('?state=waiting')
  assert.is(waiting?.attempts.length, 3)
})

test('after the last attempt a delivery is given up, with one log line', async () => {
  const short = await webhookScene({ webhookRetriesMs: [0] })
  const quill = await short.agent('Quill', [])
  quill.hook.answer = answers(500)
  const test = await quill.call('POST', '/agents/me/webhook-test')
  const [delivery] = await quill.settles(1, 'given_up')
  assert.is(delivery?.attempts.length, 2)
  assert.is((await quill.status())['state'], 'failing')
  const lines = short.service.log.filter(({ message }) => /failed permanently/.test(message))
  assert.equal(
    lines.map(({ fields }) => fields),
    [{ agentId: quill.id, id: test.json['id'], count: 1, error: 'the answer was 500' }],
  )
  await short.close()
})

test('one agent has four deliveries at a time, and one while its target fails', async () => {
  const quill = await scene.agent('Quill', ['comment.created'])
  // The fourth lets all go, since nothing may wait for a time.
  const held: ServerResponse[] = []
  quill.hook.answer = (_request, response) => {
    held.push(response)
    if (held.length === 4) for (const one of held.splice(0)) one.writeHead(204).end()
  }
  const talks = await Promise.all(Array.from({ length: 8 }, () => scene.talk()))
  for (const { invite } of talks) await invite(quill)
  await Promise.all(talks.map(({ comment }) => comment({ general: true, text: 'One' })))
  await quill.settles(8)
  assert.is(quill.hook.most, 4)
})

test('where too many wait the oldest is given up, and counted', async () => {
  const quill = await scene.agent('Quill', ['comment.created'])
  const { invite, comment } = await scene.talk()
  await invite(quill)
  quill.hook.answer = answers(503, { 'Retry-After': '600' })
  for (let n = 1; n <= 9; n++) {
    await comment({ general: true, text: `C${n}` })
    if (n === 1) await quill.hook.has(1)
  }
  await becomes(async () => Number((await quill.status())['waiting']) === 9)
  // How many wait is looked at once a minute, where the target is not known to fail.
  service.ahead += 61 * second
  await comment({ general: true, text: 'C10' })
  await becomes(async () => (await quill.deliveries('?state=given_up')).length >= 4)
  const givenUp = await quill.deliveries('?state=given_up')
  const all = await quill.deliveries()
  assert.equal(givenUp, all.slice(-givenUp.length), 'the oldest')
  assert.match(String(givenUp[0]?.attempts.at(-1)?.error), /too many pending deliveries/)
  const lines = service.log.filter(({ fields }) => 'count' in fields && 'agentId' in fields)
  const counts = lines.map(({ fields }) => (fields as { count: number }).count)
  assert.ok(counts.reduce((sum, count) => sum + count, 0) >= 4)
})

test.run()
