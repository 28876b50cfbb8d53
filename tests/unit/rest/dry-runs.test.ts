/** Dry runs of PATCH count by the processor time they took (interface §8, extensions §1). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDryRuns } from '../../../rest/dry-runs.ts'
import { createQuotas } from '../../../rest/quotas.ts'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { startService, type TestService } from './service.ts'

const rates = {
  create: 0,
  identify: 0,
  account: 0,
  login: 0,
  guess: 0,
  link: 0,
  invite: 0,
  feedback: 0,
  uploadMb: 0,
}

async function withBudget(dryRunMs: number, run: (service: TestService) => Promise<void>) {
  const service = await startService({ config: { trustProxy: 1, rates: { ...rates, dryRunMs } } })
  try {
    await run(service)
  } finally {
    await service.close()
  }
}

const markdown = Array.from({ length: 3_000 }, (_, at) => `Line ${at} of a plan.\n`).join('\n')
const heavy = {
  edits: Array.from({ length: 100 }, () => ({ old_string: 'nowhere', new_string: '' })),
}
const light = { edits: [{ old_string: 'Line 1 of', new_string: 'Line one of' }] }

interface Sent {
  readonly body?: unknown
  readonly from?: string
  readonly dry?: boolean
}

async function sender(service: TestService) {
  const { slug, token } = await service.create(markdown, 'Quill')
  return ({ body = light, from = '10.0.0.1', dry = true }: Sent = {}) =>
    service.call('PATCH', `/docs/${slug}${dry ? '?dryRun=true' : ''}`, {
      token,
      body,
      headers: { 'X-Forwarded-For': from },
    })
}

test('§8 dry runs send RateLimit headers, in milliseconds that they took', () =>
  withBudget(10_000, async (service) => {
    const send = await sender(service)
    const first = await send()
    assert.is(first.status, 200)
    assert.is(first.headers['ratelimit-limit'], '10000')
    assert.ok(Number(first.headers['ratelimit-reset']) <= 60)
    const left = Number(first.headers['ratelimit-remaining'])
    assert.ok(left < 10_000)
    const failed = await send({ body: heavy })
    assert.is(failed.status, 409)
    assert.ok(Number(failed.headers['ratelimit-remaining']) < left, 'what fails took time too')
  }))

test('§8 a spent minute: the next dry run is RATE_LIMITED, others and edits go on', () =>
  withBudget(1, async (service) => {
    const send = await sender(service)
    let answer = await send()
    assert.is(answer.status, 200)
    while (answer.status === 200) answer = await send()
    assert.is(answer.json['code'], 'RATE_LIMITED')
    assert.is(answer.headers['ratelimit-remaining'], '0')
    assert.is(answer.headers['retry-after'], answer.headers['ratelimit-reset'])
    assert.is((await send({ from: '10.0.0.2' })).status, 200)
    const edited = await send({ dry: false })
    assert.is(edited.status, 200)
    assert.is(edited.headers['ratelimit-limit'], undefined)
    service.ahead = Number(answer.headers['retry-after']) * 1000
    assert.is(
      (await send({ body: { edits: [{ old_string: 'Line 2 of', new_string: 'x' }] } })).status,
      200,
    )
  }))

test('§8 many at once do not slip through together', () =>
  withBudget(1, async (service) => {
    const send = await sender(service)
    const answers = await Promise.all(Array.from({ length: 12 }, () => send({ body: heavy })))
    const codes = answers.map(({ json }) => json['code'])
    assert.is(codes.filter((code) => code !== 'RATE_LIMITED').length, 1, codes.join())
  }))

test('0 is no quota', () =>
  withBudget(0, async (service) => {
    const send = await sender(service)
    const { headers, status } = await send()
    assert.equal([status, headers['ratelimit-limit']], [200, undefined])
  }))

test('only so many wait; one that failed lets the next in, and other addresses do not wait', async () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...rates, dryRunMs: 100 })
  const runs = createDryRuns(quotas)
  const caller = { address: '10.0.0.1', onQuota: () => {} }
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const order: number[] = []
  const many = Array.from({ length: limits.dryRunsWaitingMax + 1 }, (_, at) =>
    runs.run(caller, async (onWork) => {
      await opened
      order.push(at)
      onWork(1)
      if (at === 0) throw new TypeError('a plan failed')
    }),
  )
  const outcomes = Promise.allSettled(many)
  const code = await runs.run(caller, async () => 'ran').catch((error: unknown) => error)
  assert.ok(code instanceof Refusal && code.code === 'BUSY')
  assert.is(await runs.run({ ...caller, address: '10.0.0.2' }, async () => 'ran'), 'ran')
  open()
  assert.is((await outcomes)[0]?.status, 'rejected')
  assert.equal(order, [...many.keys()])
  assert.is(quotas.look('dryRunMs', '10.0.0.1')?.remaining, 100 - many.length)
  assert.is(await runs.run(caller, async () => 'ran'), 'ran')
})

test.run()
