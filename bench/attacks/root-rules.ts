/**
 * Updates that are small and name no neighbour, at the root of a document of many blocks: each
 * element is compared with every block. Who is closed comes back at once.
 */
import { randomClient, rootRules, rulesPerUpdate } from './hostile-bytes.ts'
import type { Attack, Facts } from './order.ts'
import { type Outlet, pause } from './outlet.ts'

export async function floodRootRules(outlet: Outlet, attack: Attack): Promise<Facts> {
  const { target, many, seconds, rate = 10 } = attack
  const until = performance.now() + seconds * 1000
  const facts = { updates: 0, connects: 0, refused: 0, closes: 0 }
  const one = async (token: string) => {
    while (performance.now() < until) {
      let isClosed = false
      const wire = await outlet.connect({
        slug: target.slug,
        token,
        onClose: () => {
          isClosed = true
          facts.closes++
        },
      })
      if (wire === undefined) {
        facts.refused++
        await pause(200)
        continue
      }
      facts.connects++
      const client = randomClient()
      for (let clock = 0; !isClosed && performance.now() < until; clock += rulesPerUpdate) {
        await outlet.send(wire, rootRules(client, clock))
        facts.updates++
        await pause(1000 / rate)
      }
      wire.close()
    }
  }
  await Promise.all(target.tokens.slice(0, many).map(one))
  return facts
}
