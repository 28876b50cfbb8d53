/**
 * A stock client in a process of its own, that does nothing against what is sent to it: what an
 * attacker can end with it, they can end in every page and program of others.
 */
import { StockClient, type StockParts } from './stock-client.ts'

process.on('message', async (parts: StockParts | 'heard') => {
  if (parts === 'heard') {
    process.send?.(client?.provider.awareness.getStates().size ?? 0)
    return
  }
  client = new StockClient(parts)
  client.provider.awareness.setLocalState({ user: { name: 'Bystander' } })
  await client.synced()
  process.send?.('synced')
})
process.on('disconnect', () => process.exit(0))

let client: StockClient | undefined
