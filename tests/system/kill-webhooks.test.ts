/**
 * Law: a service that is killed while it delivers webhooks to a receiver that fails one request in
 * three delivers every event at least once, under one id, and the events of each document in their
 * order. SEED=n repeats another seed; LONG=1 makes it 1,000 events.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../chance.ts'
import { asList, asText, Service } from '../client.ts'
import { pause, until } from '../waiting.ts'

const seed = Number(process.env['SEED'] ?? 1)
const isLong = process.env['LONG'] !== undefined
const events = isLong ? 1_000 : 48
const kills = isLong ? 25 : 3
const documentsCount = 4
const service = new Service({
  RATE_INVITE: '0',
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRIES: '0,0,0,0,0,0,0,0,0,0',
})

interface Arrived {
  readonly id: string
  readonly slug: string
  readonly comment: string
}

/** Keeps what it answered with success, and fails every third request about a document. */
class Receiver {
  readonly arrived: Arrived[] = []
  requests = 0
  secret = ''
  readonly #ofDocument = new Map<string, number>()
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
          name,
          String(request.headers[name]),
        ]),
      )
      new Webhook(this.secret).verify(text, headers)
      response.writeHead(this.#take(JSON.parse(text), headers['webhook-id'] ?? '')).end()
    })
  })

  #take({ data }: { data: Record<string, never> }, id: string): number {
    const slug = String(data['document']?.['id'])
    const count = (this.#ofDocument.get(slug) ?? 0) + 1
    this.#ofDocument.set(slug, count)
    this.requests += 1
    if (count % 3 === 0) return 503
    this.arrived.push({ id, slug, comment: String(data['comment']?.['id']) })
    return 204
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const receiver = new Receiver()
test.after(() => {
  receiver.close()
  service.remove()
})

/** In the order in which they were answered, which is that of their document's revisions. */
async function say(path: string, token: string, count: number): Promise<string[]> {
  const said: string[] = []
  for (let n = 0; n < count; n++) {
    const body = { general: true, text: `event ${n}` }
    const headers = { 'Idempotency-Key': `${path.slice(6)}-${n}` }
    for (;;) {
      const call = { token, headers }
      const answer = await service.post(`${path}/comments`, body, call).catch(() => undefined)
      if (answer?.status === 201) {
        said.push(asText(answer.body['comment_id']))
        break
      }
      assert.ok(answer === undefined || answer.status === 503, answer?.text)
      await pause(20)
    }
  }
  return said
}

test(`kill -9 amid ${events} events, ${kills} times: each arrives, in order`, async () => {
  const chance = new Chance(seed)
  await service.start()
  const agent = async (handle: string) => {
    const registered = await service.post('/agents/register', { name: handle, handle })
    return asText(registered.body['agent_secret'])
  }
  const [writer, listener] = [await agent('writer'), await agent('listener')]
  const set = await service.ask('PATCH', '/agents/me', {
    token: listener,
    body: { webhook_url: await receiver.start(), webhook_events: ['comment.created'] },
  })
  receiver.secret = asText(set.body['webhook_secret'])
  const paths: string[] = []
  for (let n = 0; n < documentsCount; n++) {
    const created = await service.post('/docs', { markdown: '# Plan\n' }, { token: writer })
    const path = `/docs/${created.body['id']}`
    const grant = { handle: 'listener', role: 'commenter' }
    assert.is((await service.post(`${path}/access`, grant, { token: writer })).status, 201)
    paths.push(path)
  }
  const talking = Promise.all(
    paths.map((path) => say(path, writer, Math.ceil(events / documentsCount))),
  )
  for (let life = 0; life < kills; life++) {
    const least = receiver.requests + 4
    await until(
      30_000,
      () => (receiver.requests >= least ? true : undefined),
      () => 'so few requests came',
    )
    await pause(chance.below(100))
    await service.end('SIGKILL')
    await service.start()
  }
  const said = await talking
  const expected = said.flat().length
  await until(
    isLong ? 900_000 : 40_000,
    () =>
      new Set(receiver.arrived.map(({ comment }) => comment)).size >= expected ? true : undefined,
    () => `${receiver.arrived.length} of ${expected} arrived`,
  )
  const ids = new Map<string, string>()
  for (const { comment, id } of receiver.arrived) {
    assert.is(ids.get(comment) ?? id, id, 'an event has one id')
    ids.set(comment, id)
  }
  for (const [index, path] of paths.entries()) {
    const slug = path.slice('/docs/'.length)
    const arrived = receiver.arrived.filter((one) => one.slug === slug)
    assert.equal([...new Set(arrived.map(({ comment }) => comment))], said[index])
  }
  await until(
    10_000,
    async () => {
      const path = '/agents/me/webhook-deliveries?state=waiting'
      const { body } = await service.get(path, listener)
      return asList(body['deliveries']).length === 0 ? true : undefined
    },
    () => 'something waits still',
  )
  const again = receiver.arrived.length - expected
  assert.ok(receiver.requests > expected, 'no request failed')
  console.log(
    `\nseed ${seed} kills amid webhooks: ${kills}, events ${expected}, requests ` +
      `${receiver.requests}, sent twice ${again}, lost 0`,
  )
})

test.run()
