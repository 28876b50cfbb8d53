/** Extensions §1: stopping ends in time, whoever hangs on; a refused upgrade leaves nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../schema/limits.ts'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { Copy, within } from '../../unit/server/wire.ts'
import { simulatedWorld } from '../../unit/server/world.ts'
import { createDocument } from './frame-fuzz.ts'

const directory = mkdtempSync(join(tmpdir(), 'stopping-'))
test.after(() => rmSync(directory, { recursive: true }))

async function start() {
  const runtime = new SimulatedRuntime()
  const config = readConfig({ PORT: '0', DATA_DIR: directory, STORE_URL: 'memory:' })
  const service = await startService({ config, runtime, logger: pino({ level: 'silent' }) })
  return { service, runtime, address: `127.0.0.1:${service.port}` }
}

/** A connection that said this much and then nothing; it never closes its own side. */
async function stuck(port: number, said: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.write(said, () => resolve()))
  await settled(50)
  return socket
}

test('a request that never comes to its end holds nothing beyond its time', async () => {
  const { service, runtime } = await start()
  const head = 'POST /docs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const socket = await stuck(service.port, `${head}Content-Length: 1000\r\n\r\n{"markdown"`)
  let isStopped = false
  const stopped = service.stop().then(() => {
    isStopped = true
  })
  await runtime.pass(1_000)
  assert.not(isStopped, 'a request under way has a while')
  await runtime.pass(limits.stopWithinMs - 2_000)
  await within(stopped, 'the stop')
  socket.destroy()
})

test('an editor that does not answer the close holds nothing beyond its time', async () => {
  const { service, runtime, address } = await start()
  const document = await createDocument(address, 'words\n')
  const copy = await new Copy(address, `/docs/${document.slug}/live`, document).synced()
  const raw = Reflect.get(copy.socket, '_socket') as { pause(): void }
  raw.pause()
  const stopped = service.stop()
  await runtime.pass(limits.stopWithinMs - 2_000)
  await within(stopped, 'the stop')
  copy.stop()
})

test('a refused upgrade that stays holds nothing beyond its time', async () => {
  const { service, runtime } = await start()
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const socket = await stuck(service.port, `GET /nowhere HTTP/1.1\r\nHost: x\r\n${upgrade}`)
  const stopped = service.stop()
  await runtime.pass(limits.stopWithinMs - 2_000)
  await within(stopped, 'the stop')
  socket.destroy()
})

test('a refused upgrade is gone when its peer closes, or after a while', async () => {
  const world = await simulatedWorld()
  const port = Number(world.address.split(':')[1])
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const ask = `GET /nowhere HTTP/1.1\r\nHost: x\r\n${upgrade}`
  const polite = await stuck(port, ask)
  polite.end()
  await settled(50)
  assert.is(await world.connections, 0)
  const rude = await stuck(port, ask)
  assert.is(await world.connections, 1)
  await world.runtime.pass(limits.socketCloseTimeoutMs)
  await settled(50)
  assert.is(await world.connections, 0)
  rude.destroy()
  await world.close()
})

test.run()
