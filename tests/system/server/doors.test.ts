/** Extensions §1: who may read the metrics, what they say, and the backup door's manners. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { Metrics, metricsFor } from '../../../server/metrics.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { settled } from '../../simulated-runtime.ts'
import { Copy, within } from '../../unit/server/wire.ts'
import { createDocument } from './frame-fuzz.ts'

const directory = mkdtempSync(join(tmpdir(), 'doors-'))
const config = readConfig({ PORT: '0', DATA_DIR: join(directory, 'data') })
const logger = pino({ level: 'silent' })
const service = await startService({ config, runtime: systemRuntime, logger })
const address = `127.0.0.1:${service.port}`
const socketPath = join(directory, 'data', 'control.sock')
test.after(async () => {
  await service.stop()
  rmSync(directory, { recursive: true })
})

const gauge = (text: string, name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
const metrics = async () => (await fetch(`http://${address}/metrics`)).text()

test('the gauges follow documents and sockets', async () => {
  const document = await createDocument(address, 'words\n')
  const copy = await new Copy(address, `/docs/${document.slug}/live`, document).synced()
  const text = await metrics()
  assert.is(gauge(text, 'scriptorium_open_documents'), 1)
  assert.is(gauge(text, 'scriptorium_live_sockets'), 1)
  assert.is(gauge(text, 'scriptorium_change_sockets'), 0)
  copy.stop()
  const left = async () => {
    while (gauge(await metrics(), 'scriptorium_live_sockets') > 0) await settled()
  }
  await within(left(), 'the gauge to fall')
})

test('the text is Prometheus: help and type for each, requests by route and status', async () => {
  const text = await metrics()
  for (const line of text.split('\n')) {
    assert.ok(line === '' || /^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? \S+)$/.test(line), line)
  }
  assert.match(text, /^# TYPE scriptorium_request_seconds histogram$/m)
  assert.match(
    text,
    /scriptorium_request_seconds_count\{method="POST",route="\/docs",status="201"\}/,
  )
  assert.not.match(text, /dtk_|shr_/)
})

const token = 'a token of the operator'
const nobody = {
  openDocuments: () => 0,
  documents: () => [],
  liveSockets: () => 0,
  changeSockets: () => 0,
}
type Case = readonly [
  who: string,
  socketAddress: string,
  host: string | undefined,
  proxied: boolean,
  authorization: string | undefined,
  isLetIn: boolean,
]
const callers: readonly Case[] = [
  ['loopback', '127.0.0.1', 'localhost:4000', false, undefined, true],
  ['loopback by its number', '127.0.0.1', '127.0.0.1', false, undefined, true],
  ['another address of loopback', '127.8.0.9', '127.8.0.9:4000', false, undefined, true],
  ['loopback of IPv6', '::1', '[::1]:4000', false, undefined, true],
  ['loopback of IPv4 in IPv6', '::ffff:127.0.0.1', 'LOCALHOST:1', false, undefined, true],
  ['a proxy that adds no header', '127.0.0.1', 'docs.example', false, undefined, false],
  [
    'a page under a name that leads here',
    '127.0.0.1',
    'evil.example:4000',
    false,
    undefined,
    false,
  ],
  ['a name that only begins so', '127.0.0.1', '127.0.0.1.evil.example', false, undefined, false],
  ['another that only begins so', '127.0.0.1', 'localhost.evil.example', false, undefined, false],
  ['a host in a host', '127.0.0.1', 'evil.example:80:localhost', false, undefined, false],
  ['a request without a Host', '127.0.0.1', undefined, false, undefined, false],
  ['a stranger who says localhost', '192.0.2.1', 'localhost', false, undefined, false],
  ['a proxy on this machine', '127.0.0.1', 'localhost', true, undefined, false],
  ['a proxy with the token', '127.0.0.1', 'docs.example', true, `Bearer ${token}`, true],
  ['a stranger', '192.0.2.1', 'docs.example', false, undefined, false],
  ['a stranger with a guess', '192.0.2.1', 'docs.example', false, 'Bearer a guess', false],
  ['a stranger with the token', '192.0.2.1', 'docs.example', false, `Bearer ${token}`, true],
  ['who writes bearer small', '192.0.2.1', 'docs.example', false, `bearer ${token}`, true],
]
for (const [who, socketAddress, host, proxied, authorization, isLetIn] of callers) {
  test(`metrics: ${who} ${isLetIn ? 'reads' : 'does not read'} them`, async () => {
    const own = new Metrics(nobody)
    const caller = { socketAddress, host, proxied, authorization }
    const text = await metricsFor(own, token)(caller)
    own.close()
    assert.is(text !== undefined, isLetIn)
  })
}

test('without a metrics token no token lets in', async () => {
  const own = new Metrics(nobody)
  const door = metricsFor(own, undefined)
  const caller = { socketAddress: '192.0.2.1', host: 'docs.example', proxied: false }
  assert.is(await door({ ...caller, authorization: 'Bearer undefined' }), undefined)
  assert.is(await door({ ...caller, authorization: undefined }), undefined)
  own.close()
})

test('extensions §1: over the wire, only a Host of this machine gets them', async () => {
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { port: service.port, host: '127.0.0.1', path: '/metrics', headers }
      const request = httpRequest(options, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject)
      request.end()
    })
  assert.is(await status({ Host: `localhost:${service.port}` }), 200)
  assert.is(await status({ Host: 'docs.example' }), 404)
  assert.is(await status({ Host: 'localhost', 'X-Forwarded-Proto': 'https' }), 404)
})

function asked(line: string): Promise<Record<string, unknown>> {
  const answer = new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(socketPath, () => socket.write(line))
    socket.on('data', (data) => {
      text += String(data)
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  return within(answer, 'an answer').then((text) => JSON.parse(text) as Record<string, unknown>)
}

test('the backup door is for this user alone, and answers one line with one', async () => {
  assert.is(statSync(socketPath).mode & 0o777, 0o600)
  const target = join(directory, 'copy')
  const answer = await asked(`${JSON.stringify({ command: 'backup', directory: target })}\n`)
  assert.is(answer['ok'], true, JSON.stringify(answer))
  assert.ok(Number(answer['records']) > 0)
  assert.is(
    (await asked(`${JSON.stringify({ command: 'backup', directory: target })}\n`))['ok'],
    false,
    'not empty',
  )
})

test('rubbish at the backup door is answered, and who leaves early harms nobody', async () => {
  const command = (directory: unknown) => JSON.stringify({ command: 'backup', directory })
  const lines = { directory: command(7), reset: '{"command":"reset-password","handle":"x"}' }
  for (const line of [
    '{\n',
    'null\n',
    '{}\n',
    '\n',
    '{"command":"toString"}\n',
    `${lines.directory}\n`,
  ]) {
    assert.is((await asked(line))['ok'], false, line)
  }
  const other = command(join(directory, 'other'))
  for (const said of [
    '',
    '{"direc',
    `${other}\n`,
    `${lines.reset}\n`,
    `${lines.reset}\n`.repeat(2),
  ]) {
    const socket = connect(socketPath)
    socket.on('error', () => {})
    await new Promise<void>((resolve) => socket.write(said || ' ', () => resolve()))
    socket.destroy()
  }
  await settled(50)
  assert.is((await fetch(`http://${address}/healthz`)).status, 200)
})

test.run()
