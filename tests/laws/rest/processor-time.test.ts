/**
 * Dry runs, edits and diffs count by the processor time they took, edits by the bytes they write
 * too (interface §8, extensions §2).
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createProcessorTime } from '../../../rest/quotas/processor-time.ts'
import { createQuotas, type Rates } from '../../../rest/quotas/quotas.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { noRates, startService, type TestService } from '../../unit/rest/service.ts'

const withBudget = (dryRunMs: number, run: (service: TestService) => Promise<void>) =>
  withRates({ ...noRates, dryRunMs }, run)

async function withRates(rates: Rates, run: (service: TestService) => Promise<void>) {
  const service = await startService({ config: { trustProxy: 1, rates } })
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
  const quotas = createQuotas(new SimulatedRuntime(), { ...noRates, dryRunMs: 100 })
  const runs = createProcessorTime(quotas)
  const caller = { address: '10.0.0.1', onQuota: () => {} }
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const order: number[] = []
  const many = Array.from({ length: limits.dryRunLine.waitingMax + 1 }, (_, at) =>
    runs.dryRun(caller, async (onWork) => {
      await opened
      order.push(at)
      onWork(1)
      if (at === 0) throw new TypeError('a plan failed')
    }),
  )
  const outcomes = Promise.allSettled(many)
  const code = await runs.dryRun(caller, async () => 'ran').catch((error: unknown) => error)
  assert.ok(code instanceof Refusal && code.code === 'BUSY')
  assert.is(await runs.dryRun({ ...caller, address: '10.0.0.2' }, async () => 'ran'), 'ran')
  open()
  assert.is((await outcomes)[0]?.status, 'rejected')
  assert.equal(order, [...many.keys()])
  assert.is(quotas.look('dryRunMs', '10.0.0.1')?.remaining, 100 - many.length)
  assert.is(await runs.dryRun(caller, async () => 'ran'), 'ran')
})

const spending = (rate: Partial<Rates>, run: (service: TestService) => Promise<void>) =>
  withRates({ ...noRates, ...rate }, run)

test('extensions §2: who spent the minute on edits is BUSY, with Retry-After alone', () =>
  spending({ workMs: 1 }, async (service) => {
    const { slug, token } = await service.create(markdown, 'Quill')
    const send = (line: number, from = '10.0.0.1') =>
      service.call('PATCH', `/docs/${slug}`, {
        token,
        body: { edits: [{ old_string: `Line ${line} of`, new_string: `line ${line} of` }] },
        headers: { 'X-Forwarded-For': from },
      })
    let line = 1
    let answer = await send(line)
    assert.is(answer.status, 200)
    assert.is(answer.headers['ratelimit-limit'], undefined)
    while (answer.status === 200) answer = await send(++line)
    assert.is(answer.status, 429)
    assert.is(answer.json['code'], 'BUSY')
    assert.ok(Number(answer.headers['retry-after']) <= 60)
    assert.is(answer.headers['ratelimit-limit'], undefined)
    const diff = (from: string) =>
      service.call('GET', `/docs/${slug}/diff?from=1&to=2`, {
        token,
        headers: { 'X-Forwarded-For': from },
      })
    assert.is((await diff('10.0.0.1')).json['code'], 'BUSY')
    assert.is((await diff('10.0.0.2')).status, 200)
    assert.is((await send(++line, '10.0.0.3')).status, 200)
    const dry = await service.call('PATCH', `/docs/${slug}?dryRun=true`, {
      token,
      body: { edits: [{ old_string: 'Line 50 of', new_string: '' }] },
      headers: { 'X-Forwarded-For': '10.0.0.1' },
    })
    assert.is(dry.status, 200)
    service.ahead = Number(answer.headers['retry-after']) * 1000
    assert.is((await send(++line)).status, 200)
  }))

const blockOf = (base: number) => `\`\`\`\n${`${base} words\n`.repeat(20_000)}\`\`\`\n`

test('extensions §2: megabytes that edits and reverts write count a day', () =>
  spending({ writeMb: 1 }, async (service) => {
    const { slug, token } = await service.create('# Title\n', 'Quill')
    const replace = (base: number, from: string) =>
      service.call('PATCH', `/docs/${slug}`, {
        token,
        body: { base_revision: base, replace_document: blockOf(base) },
        headers: { 'X-Forwarded-For': from },
      })
    let revision = 1
    let answer = await replace(revision, '10.0.0.1')
    while (answer.status === 200) {
      revision = Number(answer.json['revision'])
      answer = await replace(revision, '10.0.0.1')
    }
    assert.ok(revision > 2)
    assert.is(answer.status, 429)
    assert.is(answer.json['code'], 'BUSY')
    assert.is(answer.headers['ratelimit-limit'], undefined)
    assert.ok(Number(answer.headers['retry-after']) > 3_600)
    const revert = (from: string) =>
      service.call('POST', `/docs/${slug}/revert`, {
        token,
        body: { revision: 1, base_revision: revision },
        headers: { 'X-Forwarded-For': from },
      })
    assert.is((await revert('10.0.0.1')).json['code'], 'BUSY')
    assert.is((await revert('10.0.0.2')).status, 200)
    service.ahead = 24 * 3_600_000
    assert.is((await replace(revision + 1, '10.0.0.1')).status, 200)
  }))

test('extensions §2: the same diff again costs nothing', async () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...noRates, workMs: 100 })
  const time = createProcessorTime(quotas)
  const caller = { address: '10.0.0.1' }
  await withRates({ ...noRates }, async (service) => {
    const { slug, token } = await service.create(markdown, 'Quill')
    const body = { base_revision: 1, replace_document: markdown.replaceAll('plan', 'map') }
    await service.call('PATCH', `/docs/${slug}`, { token, body })
    const sources = { address: '10.0.0.1', link: '' }
    const worked: number[] = []
    for (const [from, to] of [
      [1, 2],
      [1, 2],
      [2, 1],
    ] as const) {
      let ms = 0
      const begin = { index: 0, offset: 0 }
      const onWork = (more: number) => {
        ms += more
      }
      const between = { from, to, begin, sources, onWork }
      await time.work(caller, () => service.documents.past.diff(slug as Slug, between))
      worked.push(ms)
    }
    const [first = 0, again, back = 0] = worked
    assert.ok(first > 0 && back > 0)
    assert.is(again, 0)
  })
})

test('of one address few edits run at the same time, and others do not wait for them', async () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...noRates, workMs: 100 })
  const time = createProcessorTime(quotas)
  const caller = { address: '10.0.0.1' }
  const { atOnce } = limits.editLine
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let begun = 0
  const many = Array.from({ length: atOnce + 5 }, () =>
    time.work(caller, async (onWork) => {
      begun += 1
      await opened
      onWork(100)
    }),
  )
  assert.is(await time.work({ address: '10.0.0.2' }, async () => 'ran'), 'ran')
  assert.is(begun, atOnce)
  open()
  const outcomes = await Promise.allSettled(many)
  assert.is(outcomes.filter(({ status }) => status === 'rejected').length, 5)
  assert.is(begun, atOnce)
})

test.run()
