/**
 * A person writes offline while an agent edits the same document. When the connection is back both
 * changes are there, nobody's was lost, and nobody had to resolve a conflict.
 */

import WebSocket from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

const service = process.env['SCRIPTORIUM_URL'] ?? 'http://localhost:4000'

interface Answer {
  readonly id: string
  readonly access_token: string
  readonly markdown: string
}

async function call(method: string, path: string, body?: object, token?: string): Promise<Answer> {
  const response = await fetch(service + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

const created = await call('POST', '/docs', { markdown: '# Trip\n\nPack a tent.\n\nBuy food.\n' })
const path = `/docs/${created.id}`
const token = created.access_token
await call('POST', '/agents/identify', { display_name: 'Traveller', slug: created.id }, token)

class TravellersSocket extends WebSocket {
  constructor(address: string) {
    super(address, ['yjs', `bearer.${token}`])
  }
}
const ydoc = new Y.Doc()
const provider = new WebsocketProvider(`${service.replace('http', 'ws')}${path}`, 'live', ydoc, {
  WebSocketPolyfill: TravellersSocket as unknown as typeof globalThis.WebSocket,
  disableBc: true,
})
const synced = () =>
  new Promise<void>((resolve) => {
    provider.on('sync', (isSynced: boolean) => isSynced && resolve())
  })
await synced()
const blocks = ydoc.getXmlFragment('prosemirror')
const lines = () => blocks.toArray().map((block) => block.toString().replace(/<[^>]*>/g, ''))

provider.disconnect()
const tent = (blocks.get(1) as Y.XmlElement).get(0) as Y.XmlText
tent.insert(tent.length - 1, ' and a stove')
console.log('offline:  ', lines().join(' | '))

const edits = [
  { old_string: 'Buy food.', new_string: 'Buy food for three days.' },
  { old_string: 'Pack', new_string: 'Please pack' },
]
const edited = await call('PATCH', path, { edits }, token)
console.log('meanwhile:', edited.markdown.trim().split('\n\n').join(' | '))

provider.connect()
await synced()
for (;;) {
  const read = await call('GET', path, undefined, token)
  if (!read.markdown.includes('stove')) continue
  console.log('together: ', read.markdown.trim().split('\n\n').join(' | '))
  break
}
provider.destroy()
ydoc.destroy()
