/** Law 5, many frames at once: half a megabyte of small messages of one peer holds nobody up. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import { pace } from '../../pace.ts'
import { awarenessOf, Copy, step1Of, updateOf, within } from '../../unit/server/wire.ts'
import { createDocument, Host } from './frame-fuzz.ts'

const host = new Host()
const { port } = await host.message<{ port: number }>()
const address = `127.0.0.1:${port}`
test.after(() => host.stop())

/** The frame again and again, masked with zeros, as one piece of bytes. */
function burst(frame: Uint8Array, count: number): Buffer {
  const one = Buffer.concat([Buffer.from([130, 128 | frame.length]), Buffer.alloc(4), frame])
  return Buffer.concat(Array.from({ length: count }, () => one))
}

/** The longest turn of the service's event loop, ms, while it works through the burst. */
async function longestTurn(frameOf: (client: number) => Uint8Array, count: number) {
  const document = await createDocument(address, 'A line of words.\n\n'.repeat(5_000))
  const path = `/docs/${document.slug}/live`
  const honest = await new Copy(address, path, document).synced()
  const attacker = await new Copy(address, path, document).synced()
  await host.stats()
  host.send('watch')
  const raw: unknown = Reflect.get(attacker.socket, '_socket')
  const bytes = burst(frameOf(attacker.ydoc.clientID), count)
  const written = new Promise<void>((resolve) => {
    ;(raw as NodeJS.WritableStream).write(bytes, () => resolve())
  })
  await within(written, 'the burst to be read', 60_000)
  if (attacker.socket.readyState === WebSocket.OPEN) {
    const pong = new Promise((resolve) => attacker.socket.once('pong', resolve))
    attacker.socket.ping()
    await within(Promise.race([pong, attacker.closed]), 'the end of the burst', 60_000)
  }
  const { longestTurnMs, errors } = await host.stats()
  assert.equal(errors, [])
  assert.is(honest.closeCode, undefined)
  const { closeCode } = attacker
  for (const one of [honest, attacker]) one.stop()
  return { longestTurnMs, closeCode }
}

const bursts: readonly (readonly [string, (client: number) => Uint8Array, number])[] = [
  ['sync step 1 of a copy that has nothing', () => step1Of(Uint8Array.of(1, 5, 0)), 10_000],
  ['presence', (client) => awarenessOf([[client, 1, '{}']]), 25_000],
  ['queries for presence', () => Uint8Array.of(3), 25_000],
  ['updates without content', () => updateOf(Uint8Array.of(0, 0)), 25_000],
]
for (const [what, frameOf, count] of bursts) {
  test(`law 5: ${count} messages at once do not stall the service: ${what}`, async () => {
    const { longestTurnMs } = await longestTurn(frameOf, count)
    const most = 100 * pace()
    assert.ok(longestTurnMs < most, `a turn took ${longestTurnMs} of ${most} ms`)
  })
}

test.run()
