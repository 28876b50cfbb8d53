/**
 * Somebody's clientID taken while their line is down: Alice, a stock client, announces hers and
 * loses her line; Eve announces the same with a higher clock; Alice comes back and types.
 */
import * as Y from 'yjs'
import { awarenessFrame } from './hostile-bytes.ts'
import type { Attack, Facts } from './order.ts'
import { type Outlet, pause } from './outlet.ts'
import { StockClient } from './stock-client.ts'

const waitMs = 5_000

/** `tokens`: Alice's, then Eve's; without hers Eve is a passer-by who knows the slug. */
export async function squat(outlet: Outlet, { target }: Attack): Promise<Facts> {
  const [alices = '', eves = ''] = target.tokens
  const { port, from } = outlet
  const alice = new StockClient({ port, from, slug: target.slug, token: alices })
  try {
    await alice.synced()
    alice.provider.awareness.setLocalState({ user: { name: 'Alice' } })
    await pause(500)
    alice.loseLine()
    await pause(500)
    const eve = await outlet.connect({ slug: target.slug, token: eves })
    if (eve !== undefined) {
      const client = alice.ydoc.clientID
      await outlet.send(eve, awarenessFrame([{ client, clock: 1_000, json: '{"eve":1}' }]))
      await pause(500)
    }
    alice.provider.connect()
    await alice.synced()
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('Alice is back')])
    alice.fragment.push([paragraph])
    const isHeard = await heard(outlet, target.slug, alices)
    eve?.close()
    return { 'Alice closed for good': alice.closedForGood.length, 'Alice heard': isHeard }
  } finally {
    alice.close()
  }
}

async function heard(outlet: Outlet, slug: string, token: string): Promise<number> {
  const until = performance.now() + waitMs
  while (performance.now() < until) {
    const read = await outlet.call({ method: 'GET', path: `/docs/${slug}`, token })
    if (String(read.json['markdown']).includes('Alice is back')) return 1
    await pause(200)
  }
  return 0
}
