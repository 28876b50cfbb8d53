/**
 * A stock client in a process of its own, as anybody's script has it, which ends with whatever
 * nobody catches. Its arguments: address, slug, token. It says when it is synced, and answers each
 * message with the states that it knows of others.
 */
import { stock } from '../../unit/server/wire.ts'

const [address = '', slug = '', token = ''] = process.argv.slice(2)
const { provider, ydoc, synced } = stock(address, slug, token)
const { awareness } = provider
awareness.setLocalState({ user: { name: 'stock' }, at: 0 })
process.on('message', (at) => {
  awareness.setLocalStateField('at', at)
  const states = [...awareness.getStates()].filter(([client]) => client !== ydoc.clientID)
  process.send?.(states.map(([, state]) => state))
})
await synced()
process.send?.('synced')
