/** Requests that offer a protocol which is not spoken here are answered as if they did not. */
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRuntime } from '../../../../server/runtime.ts'
import { within } from '../wire.ts'
import { openWorld } from '../world.ts'

const world = await openWorld(systemRuntime)
test.after(() => world.close())

const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'

/** Sends the pieces over one connection; what comes back until it is closed. */
function exchange(pieces: readonly string[]): Promise<string> {
  const [host = '', port] = world.address.split(':')
  const answer = new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), host)
    socket.on('data', (data) => {
      text += String(data)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    for (const piece of pieces) socket.write(piece, 'latin1')
  })
  return within(answer, 'the end of the connection')
}

const statuses = (text: string): string[] => text.match(/HTTP\/1\.1 \d+/g) ?? []

test('Upgrade: h2c on a plain request is answered in HTTP/1.1, and the connection goes on', async () => {
  const text = await exchange([
    `GET /healthz HTTP/1.1\r\nHost: x\r\n${offer}\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\n${offer}\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n`,
    'Connection: close\r\n\r\n',
  ])
  assert.equal(statuses(text), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
})

test('its body is read, and Connection: close is kept', async () => {
  const body = JSON.stringify({ markdown: 'é\n' })
  const bytes = Buffer.from(body)
  const head = `POST /docs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const length = `Content-Length: ${bytes.length}\r\n`
  const closing = offer.replace('Upgrade, ', 'Upgrade, close, ')
  const text = await exchange([
    `${head}${length}${closing}\r\n${bytes.toString('latin1').slice(0, 10)}`,
    bytes.toString('latin1').slice(10),
  ])
  assert.equal(statuses(text), ['HTTP/1.1 201'])
})

test('an upgrade to a websocket elsewhere is still refused', async () => {
  const text = await exchange([
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ])
  assert.equal(statuses(text), ['HTTP/1.1 404'])
})

test.run()
