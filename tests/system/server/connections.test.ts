/**
 * Extensions §1: more connections than the process may have open end neither the service nor its
 * store. Those beyond the bound are dropped, and served as soon as others have gone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { connectionsFor, descriptorsOfProcess } from '../../../server/connection-bound.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { parsed, Service, within } from '../../client.ts'

const directory = mkdtempSync(join(tmpdir(), 'connections-'))
test.after(() => rmSync(directory, { recursive: true }))

function start(connectionsMax: number) {
  const config = readConfig({ PORT: '0', DATA_DIR: directory, STORE_URL: 'memory:' })
  const logger = pino({ level: 'silent' })
  return startService({ config, runtime: systemRuntime, logger, connectionsMax })
}

/** A connection and all that it is answered until it ends. */
class Line {
  readonly #socket: Socket
  heard = ''
  readonly ended: Promise<void>

  constructor(port: number, localAddress = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress })
    this.#socket.on('error', () => {})
    this.#socket.on('data', (data) => {
      this.heard += data
    })
    this.ended = new Promise((resolve) => this.#socket.once('close', () => resolve()))
  }

  async ask(): Promise<string> {
    const from = this.heard.length
    this.#socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
    const answered = new Promise<void>((resolve) => this.#socket.once('data', () => resolve()))
    await within(5_000, Promise.race([answered, this.ended]))
    return this.heard.slice(from)
  }

  async end(): Promise<void> {
    this.#socket.destroy()
    await this.ended
  }
}

test('§1 connections beyond the bound are dropped, and taken again when others have gone', async () => {
  const service = await start(2)
  const [one, two] = [new Line(service.port), new Line(service.port)]
  assert.match(await one.ask(), /^HTTP\/1\.1 200 /)
  assert.match(await two.ask(), /^HTTP\/1\.1 200 /)
  const beyond = new Line(service.port)
  await within(5_000, beyond.ended)
  assert.is(beyond.heard, '')
  assert.match(await one.ask(), /^HTTP\/1\.1 200 /)
  await two.end()
  // Until the service has heard of its end.
  for (let answer = ''; !answer.startsWith('HTTP/1.1 200 '); ) {
    const next = new Line(service.port)
    answer = await next.ask()
    await next.end()
  }
  await one.end()
  await service.stop()
})

test('§1 where all are taken, who has most loses the oldest for who has fewer', async () => {
  const service = await start(4)
  const flood: Line[] = []
  for (let count = 0; count < 4; count++) {
    flood.push(new Line(service.port))
    await flood[count]?.ask()
  }
  const other = new Line(service.port, '127.0.1.1')
  assert.match(await other.ask(), /^HTTP\/1\.1 200 /)
  await within(5_000, flood[0]?.ended as Promise<void>)
  for (const left of flood.slice(1)) assert.match(await left.ask(), /^HTTP\/1\.1 200 /)
  await Promise.all([other, ...flood].map((line) => line.end()))
  await service.stop()
})

test('§1 the bound leaves the store a fifth of the descriptors and some more', () => {
  for (const descriptors of [128, 200, 1024, 20_000, 1_048_576]) {
    const connections = connectionsFor(descriptors)
    assert.ok(connections > 0)
    assert.ok(connections + descriptors / 5 + 40 <= descriptors, `${descriptors}`)
  }
  assert.ok(Number(descriptorsOfProcess()) > 64)
})

/** The service as `npm start` runs it, with few descriptors: so many that its modules can be read. */
class Poor extends Service {
  override spawn(file: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    return super.spawn(file, args, env, ['sh', '-c', 'ulimit -n 224; exec "$0" "$@"'])
  }
}

test('§1 with few descriptors and hundreds of connections no acknowledged edit is lost', async () => {
  const service = new Poor({ LOG_LEVEL: 'info' })
  test.after(() => service.remove())
  await service.start()
  const made = await service.ask('POST', '/docs', { body: { markdown: 'begin\n' } })
  const { id, access_token: token } = made.body as { id: string; access_token: string }
  const port = Number(new URL(service.base).port)
  const named = { display_name: 'Poor', slug: id }
  await service.ask('POST', '/agents/identify', { token, body: named })
  const crowd = Array.from({ length: 400 }, () => new Line(port))
  await within(10_000, Promise.race(crowd.map(({ ended }) => ended)))
  // On a connection that was there before: it is kept alive.
  const words = 'word '.repeat(20_000)
  let last = 1
  for (let edit = 0; edit < 60; edit++) {
    const edits = [{ before: null, new_string: `\n\n${edit} ${words}` }]
    const body = {
      edits: edit < 30 ? edits : [{ old_string: `${59 - edit} word`, new_string: 'x' }],
    }
    const answer = await service.ask('PATCH', `/docs/${id}`, {
      token,
      body: { ...body, base_revision: last },
    })
    assert.is(answer.status, 200, answer.text.slice(0, 300))
    last = Number(answer.body['revision'])
  }
  await service.end('SIGKILL')
  await service.start()
  const read = await service.ask('GET', `/docs/${id}`, { token })
  assert.is(read.body['revision'], last)
  assert.not.ok(service.output.split('\n').some((line) => Number(parsed(line)['level']) >= 40))
  await service.remove()
})

test.run()
