/**
 * An agent edits over REST while a person types in a live editor, in the same paragraph. Both see
 * one text, and every character has its author.
 */
import WebSocket from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

const service = process.env['SCRIPTORIUM_URL'] ?? 'http://localhost:4000'

interface Answer {
  readonly id: string
  readonly access_token: string
  readonly share_url: string
  readonly your_token: string
  readonly markdown: string
  readonly actors: Readonly<Record<string, { readonly name: string }>>
  readonly authorship: readonly { from: number; to: number; author: string }[]
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

const markdown = '# Plan\n\nWe ship on Monday, after the tests.\n'
const created = await call('POST', '/docs', { markdown })
const path = `/docs/${created.id}`
const agent = created.access_token
await call('POST', '/agents/identify', { display_name: 'Quill', slug: created.id }, agent)

const shared = new URL(created.share_url, service).searchParams.get('token') ?? ''
const person = (await call('GET', `${path}?docs`, undefined, shared)).your_token
await call('POST', '/agents/identify', { display_name: 'Ann', slug: created.id }, person)

class AnnsSocket extends WebSocket {
  constructor(address: string) {
    super(address, ['yjs', `bearer.${person}`])
  }
}
const ydoc = new Y.Doc()
const provider = new WebsocketProvider(`${service.replace('http', 'ws')}${path}`, 'live', ydoc, {
  WebSocketPolyfill: AnnsSocket as unknown as typeof globalThis.WebSocket,
  disableBc: true,
})
await new Promise<void>((resolve) => provider.once('sync', () => resolve()))

const paragraph = ydoc.getXmlFragment('prosemirror').get(1) as Y.XmlElement
const text = paragraph.get(0) as Y.XmlText
const plain = () => paragraph.toString().replace(/<[^>]*>/g, '')

const seen = new Promise<void>((resolve) => {
  ydoc.on('update', () => plain().includes('Tuesday') && plain().endsWith('day.') && resolve())
})
const edits = [{ old_string: 'Monday', new_string: 'Tuesday' }]
const agentsEdit = call('PATCH', path, { edits }, agent)
for (const key of ' Good day.') text.insert(text.length, key)
await Promise.all([agentsEdit, seen])

let read: Answer
do read = await call('GET', `${path}?include=authorship`, undefined, agent)
while (!read.markdown.includes('Good day.'))
console.log('the editor sees: ', plain())
console.log('the agent reads: ', read.markdown.split('\n')[2])
for (const { from, to, author } of read.authorship) {
  const name = read.actors[author]?.name ?? author
  console.log(`${name.padEnd(6)} wrote ${JSON.stringify(read.markdown.slice(from, to))}`)
}
provider.destroy()
ydoc.destroy()
