/** Timed quotas (interface §8), the caller's address, and the queue before large parses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createParseQueue } from '../../rest/parse-queue.ts'
import { createQuotas } from '../../rest/quotas.ts'
import { limits } from '../../schema/limits.ts'
import { systemRuntime } from '../../server/runtime.ts'
import { bound } from './bound-documents.ts'
import { startService, type TestService } from './service.ts'

const rates = { create: 3, identify: 2, account: 1 }

async function limited(run: (service: TestService) => Promise<void>, trustProxy = 0) {
  const service = await startService({ config: { rates, trustProxy } })
  try {
    await run(service)
  } finally {
    await service.close()
  }
}

const create = (service: TestService, headers = {}) =>
  service.call('POST', '/docs', { body: { markdown: 'x' }, headers })

test('§8 operations with a quota send RateLimit headers', () =>
  limited(async (service) => {
    for (const remaining of ['2', '1', '0']) {
      const { headers } = await create(service)
      assert.is(headers['ratelimit-limit'], '3')
      assert.is(headers['ratelimit-remaining'], remaining)
      assert.ok(Number(headers['ratelimit-reset']) <= 60)
    }
  }))

test('§8 past the quota: 429 RATE_LIMITED with the headers and Retry-After', () =>
  limited(async (service) => {
    for (let i = 0; i < 3; i++) await create(service)
    const { json, headers } = await create(service)
    assert.is(json['code'], 'RATE_LIMITED')
    assert.is(headers['ratelimit-remaining'], '0')
    assert.is(headers['retry-after'], headers['ratelimit-reset'])
  }))

test('§8 waiting Retry-After out is enough', () =>
  limited(async (service) => {
    for (let i = 0; i < 4; i++) await create(service)
    const { headers } = await create(service)
    service.ahead = Number(headers['retry-after']) * 1000
    assert.is((await create(service)).status, 201)
  }))

test('each quota counts for itself; refused requests count; reads have none', () =>
  limited(async (service) => {
    for (let i = 0; i < 3; i++) await create(service)
    const identify = () => service.call('POST', '/agents/identify', { body: {} })
    assert.is((await identify()).status, 401)
    assert.is((await identify()).status, 401)
    assert.is((await identify()).status, 429)
    const register = () => service.call('POST', '/agents/register', { body: { name: 'A' } })
    assert.is((await register()).status, 201)
    assert.is((await register()).status, 429)
    const health = await service.call('GET', '/healthz')
    assert.is(health.headers['ratelimit-limit'], undefined)
  }))

test('a rate of 0 is no quota', async () => {
  const service = await startService()
  for (let i = 0; i < 5; i++) assert.is((await create(service)).status, 201)
  const { headers } = await create(service)
  assert.is(headers['ratelimit-limit'], undefined)
  await service.close()
})

test('TRUST_PROXY 0: X-Forwarded-For is the caller’s own claim', () =>
  limited(async (service) => {
    for (let i = 0; i < 3; i++) await create(service, { 'X-Forwarded-For': `10.0.0.${i}` })
    assert.is((await create(service, { 'X-Forwarded-For': '10.0.0.9' })).status, 429)
  }))

test('TRUST_PROXY 1: the last address counts, what stands before it does not', () =>
  limited(async (service) => {
    const from = (list: string) => create(service, { 'X-Forwarded-For': list })
    for (let i = 0; i < 3; i++) assert.is((await from(`9.9.9.${i}, 10.0.0.1`)).status, 201)
    assert.is((await from('8.8.8.8, 10.0.0.1')).status, 429)
    assert.is((await from('10.0.0.1, 10.0.0.2')).status, 201)
  }, 1))

test('IPv6 callers count by /64, IPv4 in IPv6 dress by its address', () => {
  const quotas = createQuotas(systemRuntime, { ...rates, create: 1 })
  const taken = (address: string) => quotas.take('create', address)?.exceeded
  assert.is(taken('2001:db8::1'), false)
  assert.is(taken('2001:db8:0:0:ffff::2'), true)
  assert.is(taken('2001:db8:0:1::1'), false)
  assert.is(taken('10.0.0.1'), false)
  assert.is(taken('::ffff:10.0.0.1'), true)
})

test('the number of addresses in memory is bounded', () => {
  const quotas = createQuotas(systemRuntime, { ...rates, create: 1 })
  for (let i = 0; i < 60_000; i++)
    quotas.take('create', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  assert.is(quotas.take('create', '10.0.0.0')?.exceeded, false)
})

const large = limits.parseQueueFromBytes

/** Jobs that wait until they are let go. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('large parses run one at a time, small ones do not wait', async () => {
  const queue = createParseQueue()
  const { open, opened } = gate()
  const order: string[] = []
  const first = queue.run(large, async () => {
    await opened
    order.push('first')
  })
  const second = queue.run(large, async () => order.push('second'))
  await queue.run(large - 1, async () => order.push('small'))
  open()
  await Promise.all([first, second])
  assert.equal(order, ['small', 'first', 'second'])
})

test('a full queue is UNAVAILABLE; a failed job frees its place', async () => {
  const queue = createParseQueue()
  const { open, opened } = gate()
  const jobs = Array.from({ length: limits.parseQueueMaxJobs }, (_, index) =>
    queue.run(large, async () => {
      await opened
      if (index === 0) throw new TypeError('a job failed')
    }),
  )
  const outcomes = Promise.allSettled(jobs)
  try {
    await queue.run(large, async () => undefined)
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code: string }).code, 'UNAVAILABLE')
  }
  open()
  assert.is((await outcomes)[0]?.status, 'rejected')
  assert.is(await queue.run(large, async () => 'ran'), 'ran')
})

test('a create past the queue is 503 with Retry-After; what waits is answered', async () => {
  const { open, opened } = gate()
  const service = await startService({
    wrapDocuments: (documents) => ({
      ...bound(documents),
      create: (request) => opened.then(() => documents.create({ ...request, markdown: 'x' })),
    }),
  })
  const body = { markdown: 'word '.repeat(large / 5 + 1) }
  const post = () => service.call('POST', '/docs', { body })
  const waiting = Array.from({ length: limits.parseQueueMaxJobs + 1 }, post)
  const refused = await Promise.race(waiting)
  assert.is(refused.json['code'], 'UNAVAILABLE')
  assert.is(refused.headers['retry-after'], '1')
  open()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  assert.is(statuses.filter((status) => status === 201).length, limits.parseQueueMaxJobs)
  await service.close()
})

test.run()
