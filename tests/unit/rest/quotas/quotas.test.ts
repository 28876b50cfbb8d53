/** Timed quotas (interface §8) and the caller's address. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { callerAddress, networkOf } from '../../../../rest/addresses/caller-address.ts'
import {
  createQuotas,
  quotaAddressesMax,
  quotaRegionFactor,
  quotaSiteFactor,
  quotaWindowMs,
} from '../../../../rest/quotas/quotas.ts'
import { systemRuntime } from '../../../../server/runtime.ts'
import { leastOf, pace } from '../../../pace.ts'
import { SimulatedRuntime } from '../../../simulated-runtime.ts'
import { Browser } from '../browser.ts'
import { noRates, startService, type TestService } from '../service.ts'

const rates = { ...noRates, create: 3, identify: 2, account: 1 }

const hourMs = 3_600_000

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

test('§8 each operation with a timed quota tells it when it succeeds and when it is past', async () => {
  const once = {
    ...rates,
    create: 2,
    identify: 1,
    account: 1,
    login: 1,
    link: 2,
    invite: 1,
    feedback: 0,
  }
  const service = await startService({ config: { rates: once } })
  const made = await service.create('x')
  const { slug, token } = made
  const name = { slug, display_name: 'Ada' }
  const shared = service.call('POST', `/docs/${slug}/share-link`, { token })
  const path = new URL(String((await shared).json['url'])).pathname
  const confirmed = (await service.call('GET', path)).json['confirmation_url']
  const confirmation = new URL(String(confirmed)).pathname
  const asked: [string, string, unknown?][] = [
    ['POST', '/docs', { markdown: 'y' }],
    ['POST', '/agents/identify', name],
    ['POST', '/agents/register', { name: 'Quill' }],
    ['POST', '/auth/login', { handle: 'nobody', password: 'a long password' }],
    ['GET', confirmation],
  ]
  for (const [method, address, body] of asked) {
    const call = {
      ...(address === '/agents/identify' && { token }),
      ...(body !== undefined && { body }),
    }
    const first = await service.call(method, address, call)
    assert.is.not(first.status, 429, `${method} ${address}`)
    const past = await service.call(method, address, call)
    assert.is(past.json['code'], 'RATE_LIMITED', `${method} ${address}`)
    for (const { headers } of [first, past]) {
      assert.ok(Number(headers['ratelimit-limit']) > 0, `${method} ${address}`)
      assert.is(headers['ratelimit-remaining'], '0')
      assert.ok(Number(headers['ratelimit-reset']) <= 60)
    }
    assert.is(first.headers['retry-after'], undefined)
    assert.is(past.headers['retry-after'], past.headers['ratelimit-reset'])
  }
  await service.close()
})

test('§13 an account and a registered agent count by themselves, and not by their address', () =>
  limited(async (service) => {
    const scene = { browsers: [] as Browser[] }
    service.ahead += 60_000
    for (const name of ['Ada', 'Bob']) {
      const browser = new Browser(service)
      assert.is((await browser.guest(name)).status, 201)
      // One guest a minute and address.
      service.ahead += 60_001
      scene.browsers.push(browser)
    }
    const agent = await service.call('POST', '/agents/register', { body: { name: 'Quill' } })
    const token = String(agent.json['agent_secret'])
    const body = { markdown: 'x' }
    const statuses = async (make: () => Promise<{ status: number }>) => {
      const seen = []
      for (let made = 0; made < 4; made++) seen.push((await make()).status)
      return seen
    }
    const all = [201, 201, 201, 429]
    assert.equal(await statuses(() => create(service)), all, 'anonymous')
    for (const browser of scene.browsers) {
      assert.equal(await statuses(() => browser.call('POST', '/docs', { body })), all)
    }
    assert.equal(await statuses(() => service.call('POST', '/docs', { body, token })), all)
  }))

test('§13 a document token counts by its address, with those who have none', () =>
  limited(async (service) => {
    const { token } = await service.create('x', 'Maker')
    const made = () => service.call('POST', '/docs', { body: { markdown: 'x' }, token })
    assert.equal([(await made()).status, (await create(service)).status], [201, 201])
    assert.is((await made()).status, 429)
  }))

test('§13 an account has one quota, from whatever addresses it comes', () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...rates, create: 2 })
  const holder = 'account:one'
  for (const address of ['1.1.1.1', '2.2.2.2']) {
    assert.is(quotas.takeOfHolder('create', { holder, address })?.exceeded, false)
  }
  assert.is(quotas.takeOfHolder('create', { holder, address: '3.3.3.3' })?.exceeded, true)
})

test('§13 all callers behind one address together have ten times a quota', () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...rates, create: 2 })
  const address = '1.2.3.4'
  for (let made = 0; made < 20; made++) {
    const caller = { holder: `account:${made}`, address }
    assert.is(quotas.takeOfHolder('create', caller)?.exceeded, false, `${made}`)
  }
  const over = quotas.takeOfHolder('create', { holder: 'account:20', address })
  assert.equal([over?.exceeded, over?.limit], [true, 20])
  assert.is(quotas.take('create', address)?.exceeded, true)
  const elsewhere = { holder: 'account:20', address: '1.2.3.5' }
  assert.is(quotas.takeOfHolder('create', elsewhere)?.exceeded, false)
})

test('§13 a caller that is over its own quota takes nothing from others behind its address', () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...rates, create: 2 })
  const address = '1.2.3.4'
  for (let flood = 0; flood < 1_000; flood++) {
    quotas.take('create', address)
    quotas.takeOfHolder('create', { holder: 'account:flood', address })
  }
  assert.is(quotas.takeOfHolder('create', { holder: 'account:calm', address })?.exceeded, false)
})

test('§13 guests who come by a link count by the link: 300 a minute', async () => {
  const service = await startService({ config: { rates: { ...rates, account: 30 } } })
  const { slug, shareToken } = await service.create('x', 'Maker')
  const at = `/docs/${slug}/guest`
  const came = async () => {
    const browser = new Browser(service)
    await browser.open(`/d/${slug}?token=${shareToken}`)
    return browser.call('POST', at, { body: { name: 'Guest' } })
  }
  const first = await came()
  assert.equal([first.status, first.json['guest']], [201, true])
  assert.is(first.headers['ratelimit-limit'], '300')
  const others = await Promise.all(Array.from({ length: 79 }, came))
  assert.equal(new Set(others.map(({ status }) => status)), new Set([201]))
  const anybody = new Browser(service)
  assert.is((await anybody.call('POST', at, { body: { name: 'x' } })).status, 401)
  await anybody.guest('Somebody')
  assert.is((await anybody.call('POST', at, { body: { name: 'x' } })).status, 403)
  for (let made = others.length + 1; made < 300; made++) await came()
  const over = await came()
  assert.equal([over.status, over.json['code']], [429, 'RATE_LIMITED'])
  await service.close()
})

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

const v4 = (at: number) => `${10 + (at >> 24)}.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
const v6 = (site: number, at: number) => `2001:db8:${site.toString(16)}:${at.toString(16)}::1`

test('however many addresses come, no window that counts is forgotten', () => {
  const runtime = new SimulatedRuntime()
  const quotas = createQuotas(runtime, { ...rates, create: 1 })
  const taken = (address: string) => quotas.take('create', address)?.exceeded
  assert.is(taken('192.0.2.1'), false)
  for (let at = 0; at < 3 * quotaAddressesMax; at++) taken(v4(at))
  assert.is(taken('192.0.2.1'), true)
  for (let site = 0; site < 2 * quotaAddressesMax; site++) taken(v6(site, 0))
  assert.is(taken('192.0.2.1'), true)
})

test('a /48 has sixteen times the quota of one address, whatever it calls itself', () => {
  const quotas = createQuotas(new SimulatedRuntime(), { ...rates, create: 2 })
  let passed = 0
  for (let at = 0; at < 65_536; at++) {
    if (quotas.take('create', v6(7, at))?.exceeded === false) passed += 1
  }
  assert.is(passed, 2 * quotaSiteFactor)
  const neighbour = quotas.take('create', v6(8, 0))
  assert.equal([neighbour?.exceeded, neighbour?.limit, neighbour?.remaining], [false, 2, 1])
})

test('when the table is full, who comes counts with its region; other regions are heard', async () => {
  const runtime = new SimulatedRuntime()
  const quotas = createQuotas(runtime, { ...rates, create: 1, identify: 1 })
  const passes = (address: string) => quotas.take('create', address)?.exceeded === false
  for (let at = 0; at < quotaAddressesMax; at++) assert.ok(passes(v4(at)))
  const late = Array.from({ length: 50 }, (_, at) => passes(`172.16.0.${at}`))
  assert.is(late.filter((one) => one).length, quotaRegionFactor)
  assert.ok(passes('172.17.0.1'), 'of another region')
  assert.is(quotas.take('identify', '172.16.0.1')?.exceeded, false, 'another quota')
  assert.is(quotas.take('create', '172.18.0.1')?.limit, quotaRegionFactor)
  await runtime.pass(quotaWindowMs)
  assert.is(quotas.take('create', '172.16.0.1')?.limit, 1)
})

test('to count an address costs next to nothing when the table is full', () => {
  const quotas = createQuotas(systemRuntime, { ...rates, create: 1 })
  for (let at = 0; at < quotaAddressesMax; at++) quotas.take('create', v4(at))
  let next = quotaAddressesMax
  const took = leastOf(3, () => {
    for (let times = 0; times < 10_000; times++) quotas.take('create', v4(next++))
  })
  assert.ok(took < 200 * pace(), `${took} ms for ten thousand`)
})

test('an address by many spellings is one; what is no address is nobody’s of its own', () => {
  const spellings = [
    ['2001:db8::1', '2001:DB8:0:0::2', '2001:0db8:0000:0000:1:2:3:4', '2001:db8::1%eth0'],
    ['10.0.0.1', '::ffff:10.0.0.1', '::FFFF:10.0.0.1'],
    ['::1', '0:0:0:0:0:0:0:1', '::', '0::9'],
    ['a', 'b', '', '10.0.0', '10.0.0.1, 10.0.0.2', 'x'.repeat(5_000)],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::102:304'],
  ]
  const networks = spellings.map((same) => new Set(same.map(networkOf)))
  for (const [index, each] of networks.entries()) assert.is(each.size, 1, spellings[index]?.join())
  assert.is(new Set(networks.map((each) => [...each][0])).size, spellings.length)
})

test('TRUST_PROXY: a port is taken off, what is no address counts for the proxy', () => {
  const from = (claim: string) =>
    callerAddress(
      { headers: { 'x-forwarded-for': claim }, socket: { remoteAddress: '10.9.9.9' } } as never,
      1,
    )
  assert.is(from('192.0.2.7'), '192.0.2.7')
  assert.is(from('192.0.2.7:4711'), '192.0.2.7')
  assert.is(from('[2001:db8::1]:4711'), '2001:db8::1')
  assert.is(from('2001:db8::1'), '2001:db8::1')
  for (const claim of ['x', 'unknown', '_hidden', '1.2.3.4.5', 'a'.repeat(9_000), '']) {
    assert.is(from(claim), '10.9.9.9', claim)
  }
})

test('extensions §2: with fewer entries than TRUST_PROXY the address is the socket’s', () => {
  const from = (claim: string | undefined, proxies: number) =>
    callerAddress(
      {
        headers: claim === undefined ? {} : { 'x-forwarded-for': claim },
        socket: { remoteAddress: '10.9.9.9' },
      } as never,
      proxies,
    )
  assert.is(from('192.0.2.1, 192.0.2.2', 2), '192.0.2.1')
  assert.is(from('192.0.2.1', 2), '10.9.9.9')
  assert.is(from('192.0.2.1, , ', 2), '10.9.9.9')
  assert.is(from(undefined, 1), '10.9.9.9')
})

test('the clock on the wall opens and closes no quota', async () => {
  const runtime = new SimulatedRuntime()
  const wall = { ahead: 0 }
  const quotas = createQuotas(
    {
      now: () => runtime.now() + wall.ahead,
      elapsed: () => runtime.elapsed(),
      after: (ms, callback) => runtime.after(ms, callback),
      inTurn: (callback) => runtime.inTurn(callback),
      randomBytes: (count) => runtime.randomBytes(count),
    },
    { ...rates, create: 1 },
  )
  const taken = () => quotas.take('create', '10.0.0.1')?.exceeded
  assert.is(taken(), false)
  for (const ahead of [-hourMs, 24 * hourMs, 0]) {
    wall.ahead = ahead
    assert.is(taken(), true, `${ahead}`)
  }
  wall.ahead = -hourMs
  await runtime.pass(quotaWindowMs)
  assert.is(taken(), false)
})

test('§8 a window that begins at a fraction of a millisecond is a minute at most', async () => {
  const runtime = new SimulatedRuntime()
  await runtime.pass(5539.6)
  const quotas = createQuotas(runtime, { ...rates, create: 1 })
  assert.is(quotas.take('create', '10.0.0.1')?.resetSeconds, 60)
})

test('a request through a proxy that is not configured is told to the log once', async () => {
  const hinted = async (trustProxy: number) => {
    const one = await startService({ config: { trustProxy } })
    const headers = { 'X-Forwarded-For': '192.0.2.7' }
    for (let turn = 0; turn < 3; turn++) await one.call('GET', '/healthz', { headers })
    await one.call('GET', '/healthz')
    await one.close()
    return one.log.filter(({ message }) => message.includes('TRUST_PROXY')).length
  }
  assert.equal([await hinted(0), await hinted(1)], [1, 0])
})

test('§13 what a caller has used at other nodes counts here too', () => {
  const runtime = new SimulatedRuntime()
  const [here, there] = [1, 2].map(() => createQuotas(runtime, { ...rates, create: 10 }))
  if (here === undefined || there === undefined) throw new TypeError('two nodes')
  const address = '1.2.3.4'
  for (let made = 0; made < 7; made++) there.take('create', address)
  here.setElsewhere([there.used()])
  assert.is(here.take('create', address)?.remaining, 2)
  assert.is(here.take('create', '4.3.2.1')?.remaining, 9)
  here.setElsewhere([there.used()])
  for (let made = 0; made < 2; made++) {
    assert.is(here.take('create', address)?.exceeded, false)
  }
  assert.is(here.take('create', address)?.exceeded, true)
  there.setElsewhere([here.used()])
  assert.is(there.take('create', address)?.exceeded, true)
})

test.run()
