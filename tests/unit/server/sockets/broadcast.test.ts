/** What goes to everybody: one frame made once, and no more of them than a crowd can be sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket, WebSocketServer } from 'ws'
import * as Y from 'yjs'
import type { LivePeer, Writer } from '../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../../persistence/memory-store.ts'
import { type ActorId, newSlug } from '../../../../schema/ids.ts'
import { systemRuntime } from '../../../../server/runtime.ts'
import { AwarenessRoom } from '../../../../server/sockets/awareness.ts'
import { encodeAwareness, encodeEntry } from '../../../../server/sockets/awareness-update.ts'
import type { AwarenessMember } from '../../../../server/sockets/presence-peer.ts'
import { Socket, wholeFrame } from '../../../../server/sockets/socket.ts'
import { editing } from '../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'
import { sources } from '../../../sources.ts'
import { within } from '../wire.ts'

/** The code a client is closed with, and what it heard before, when `use` has the other end. */
async function heardOf(use: (socket: Socket) => void) {
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const server = createServer().on('upgrade', (request, wire, head) => {
    wss.handleUpgrade(request, wire, head, (ws) => use(new Socket(ws, wire, systemRuntime)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  const heard: (string | Buffer)[] = []
  client.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? data : data.toString()))
  try {
    const closed = new Promise((resolve) => client.on('close', resolve))
    return { code: await within(closed, 'the close'), heard }
  } finally {
    client.terminate()
    server.close()
  }
}

test('a frame that was made once arrives as a message, between others and in order', async () => {
  const sizes = [0, 1, 125, 126, 65_535, 65_536, 200_000]
  const { code, heard } = await heardOf((socket) => {
    for (const size of sizes) {
      socket.sendFrame(wholeFrame(Buffer.alloc(size, size % 251)))
      socket.send(`${size}`)
    }
    socket.close(1000, 'all sent')
    socket.sendFrame(wholeFrame(Buffer.from('too late')))
  })
  assert.is(code, 1000)
  const sent = sizes.flatMap((size) => [Buffer.alloc(size, size % 251), `${size}`])
  assert.equal(heard, sent)
})

test('a socket that is being closed hears the answer, whatever was said of reading it', async () => {
  const { code } = await heardOf((socket) => {
    socket.read(false)
    socket.close(4403, 'refused')
    socket.read(false)
  })
  assert.is(code, 4403)
})

/** A clock on which sending takes time. */
class SlowRuntime extends SimulatedRuntime {
  spent = 0

  override elapsed(): number {
    return super.elapsed() + this.spent
  }
}

class SlowPeer implements LivePeer {
  readonly heard: Uint8Array[] = []
  readonly #runtime: SlowRuntime

  constructor(runtime: SlowRuntime) {
    this.#runtime = runtime
  }

  onCurrent(): void {}

  onUpdate(update: Uint8Array): void {
    this.heard.push(update)
    this.#runtime.spent += 10
  }

  onChange(): void {}
  onProvenance(): void {}
  onSaved(): void {}
  onWrite(): void {}
  onBegun(): void {}
  onReading(): void {}

  onClose(code: number, reason: string): void {
    throw new Error(`closed: ${code} ${reason}`)
  }
}

test('what is typed while a broadcast took long goes out together, when that is made up', async () => {
  const runtime = new SlowRuntime()
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { readonly error: unknown }) => {
    throw error
  }
  const documents = openDocuments({ store, runtime, onTrouble })
  const writer: Writer = { actor: 'ai:slow' as ActorId, authMethod: 'token' }
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const replay = {}
  await documents.create({ markdown: 'one\n', linkAccess, slug, writer, puts: [], replay })
  const peer = new SlowPeer(runtime)
  const session = await documents.connect(slug, editing(writer), peer)
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, await session.answerStep1(new Uint8Array([0])))
  const text = (ydoc.getXmlFragment('prosemirror').get(0) as Y.XmlElement).get(0) as Y.XmlText
  ydoc.on('update', (update: Uint8Array) => session.receive(update, false))
  const type = async (words: string) => {
    for (const char of words) text.insert(text.length, char)
    await settled()
  }
  await type('2')
  assert.is(peer.heard.length, 1)
  await type('345')
  await runtime.pass(9)
  assert.is(peer.heard.length, 1, 'it rests as long as the broadcast took')
  await runtime.pass(1)
  assert.is(peer.heard.length, 2, 'all of it in one frame')
  await type('6')
  assert.is(
    (await documents.read(slug, { markdown: true })).markdown,
    'one23456\n',
    'a reader does not wait',
  )
  assert.is(peer.heard.length, 3)
  session.leave()
  await documents.close()
  await store.close()
})

/** A member of a room that keeps what it hears. */
class Listener implements AwarenessMember {
  readonly hasWritten = false
  readonly hasBacklog = false
  readonly reserved: number[] = []
  heard = 0
  readonly #holder: string
  readonly #owners: Map<number, string>
  readonly #onHeard: () => void

  constructor(holder: string, owners = new Map<number, string>(), onHeard = () => {}) {
    this.#holder = holder
    this.#owners = owners
    this.#onHeard = onHeard
  }

  who() {
    return { holder: this.#holder, actor: undefined, name: undefined, sources }
  }

  async reserve(clients: readonly number[]): Promise<readonly number[]> {
    const ours = clients.filter((client) => this.#isOurs(client))
    this.reserved.push(...ours)
    return ours
  }

  #isOurs(client: number): boolean {
    const owner = this.#owners.get(client) ?? this.#holder
    this.#owners.set(client, owner)
    return owner === this.#holder
  }

  hear(): void {
    this.heard++
    this.#onHeard()
  }

  async hearSlowly(): Promise<void> {
    this.hear()
  }

  refuse(): void {
    throw new Error('refused')
  }

  fail(error: unknown): void {
    throw error
  }
}

const said = (client: number, clock: number, state: string): Uint8Array =>
  encodeAwareness([encodeEntry(client, clock, state)])

test('what many say of themselves in one turn is one frame, and a crowd is not flooded', async () => {
  const runtime = new SlowRuntime()
  const room = new AwarenessRoom(runtime)
  const takeTime = () => {
    runtime.spent += 5
  }
  const members = Array.from({ length: 4 }, () => new Listener('anyone', undefined, takeTime))
  for (const one of members) {
    room.join(one)
    room.open(one)
  }
  const heard = () => members.map((one) => one.heard).join(' ')
  const move = async (clock: number) => {
    for (const [client, one] of members.entries()) room.receive(one, said(client, clock, '{}'))
    await settled()
  }
  await move(1)
  assert.is(heard(), '1 1 1 1')
  await move(2)
  await move(3)
  await runtime.pass(19)
  assert.is(heard(), '1 1 1 1', 'it rests as long as the broadcast took')
  await runtime.pass(1)
  assert.is(heard(), '2 2 2 2')
})

test('who repeats what one that left had said does not speak for it when it comes back', async () => {
  const runtime = new SlowRuntime()
  const room = new AwarenessRoom(runtime)
  const owners = new Map<number, string>()
  const [first, again, other] = ['ada', 'ada', 'bo'].map((name) => new Listener(name, owners))
  if (first === undefined || again === undefined || other === undefined) throw new Error('nobody')
  const words = said(7, 1, '{"at":1}')
  for (const one of [first, other]) room.join(one)
  room.receive(first, words)
  await settled()
  room.leave(first)
  owners.clear()
  room.receive(other, words)
  await settled()
  assert.equal([...owners.keys()], [], 'an echo reserves nothing')
  room.join(again)
  room.receive(again, words)
  await settled()
  assert.equal(again.reserved, [7])
  room.receive(again, said(7, 2, '{"at":2}'))
  await settled()
  room.leave(again)
  owners.clear()
  room.receive(other, said(7, 2, '{"at":2}'))
  room.receive(other, said(7, 2, 'null'))
  await settled()
  assert.equal([...owners.keys()], [])
})

test.run()
