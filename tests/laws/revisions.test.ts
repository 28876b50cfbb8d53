/**
 * Revisions while people type: what was acknowledged is in the next read, a served revision never
 * changes, 304 is only said of what did not change, frames ascend, `saved` counts every message.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { fragmentName } from '../../schema/document-schema.ts'
import type { ActorId } from '../../schema/ids.ts'
import { decodeMessage, step1Frame, step2Frame } from '../../server/sockets/messages.ts'
import { Chance, seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { updateOf } from '../unit/server/wire.ts'
import { pause, until } from '../waiting.ts'
import { Alphabet } from './alphabet.ts'
import { textsIn } from './live-editor.ts'
import { RestWriter, Served } from './rest-writer.ts'
import { type LawDocument, LawService, type Member } from './service.ts'

interface Frame {
  readonly type: string
  readonly revision: number
  readonly since_revision: number
  readonly event?: string
  readonly data?: { readonly revision: number; readonly updates: number }
}

/** A client of our own that asks for events and counts what it sends. */
class CountingClient {
  readonly ydoc = new Y.Doc()
  readonly frames: Frame[] = []
  readonly #socket: WebSocket
  sent = 0
  #synced = false

  constructor(service: LawService, { slug }: LawDocument, { token }: Member) {
    const address = `ws://${service.address}/docs/${slug}/live?events=json`
    this.#socket = new WebSocket(address, ['yjs', `bearer.${token}`])
    this.#socket.on('open', () => this.#socket.send(step1Frame(Y.encodeStateVector(this.ydoc))))
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#receive(data)
      else this.frames.push(JSON.parse(data.toString()))
    })
    this.ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this) this.send(update)
    })
  }

  get isSynced(): boolean {
    return this.#synced
  }

  get saved(): number {
    return this.#lastSaved?.updates ?? 0
  }

  /** The revision that was durable when the last message was. */
  get savedRevision(): number {
    return this.#lastSaved?.revision ?? 0
  }

  get #lastSaved(): Frame['data'] {
    return this.frames.findLast(({ event }) => event === 'saved')?.data
  }

  send(update: Uint8Array): void {
    this.sent++
    this.#socket.send(updateOf(update))
  }

  leave(): void {
    this.#socket.close()
  }

  #receive(data: Buffer): void {
    const message = decodeMessage(data)
    if (message?.kind === 'step1') {
      this.sent++
      this.#socket.send(step2Frame(Y.encodeStateAsUpdate(this.ydoc, message.vector)))
    } else if (message?.kind === 'step2' || message?.kind === 'update') {
      Y.applyUpdate(this.ydoc, message.update, this)
      if (message.kind === 'step2') this.#synced = true
    }
  }
}

class Watcher {
  readonly frames: Frame[] = []
  readonly #socket: WebSocket

  constructor(service: LawService, { slug }: LawDocument, { token }: Member) {
    const address = `ws://${service.address}/docs/${slug}/changes/connect?since_revision=1`
    this.#socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })
    this.#socket.on('message', (data: Buffer) => this.frames.push(JSON.parse(data.toString())))
  }

  leave(): void {
    this.#socket.close()
  }
}

function assertAscending(frames: readonly Frame[]): void {
  let last = 0
  for (const { type, revision, since_revision: since } of frames) {
    if (type === 'ready') last = Math.min(revision, since)
    if (type !== 'doc_changed') continue
    assert.ok(revision > last && since < revision, `${revision} after ${last}`)
    last = revision
  }
}

async function scenario(service: LawService, seed: number): Promise<Tally> {
  const chance = new Chance(seed)
  const alphabet = new Alphabet()
  const served = new Served()
  const words = alphabet.words('maker' as ActorId, 8)
  const document = await service.document(words, 4)
  const [maker, typist, agent, reader] = document.members
  if (!maker || !typist || !agent || !reader) throw new TypeError('four members')
  const client = new CountingClient(service, document, typist)
  const watcher = new Watcher(service, document, maker)
  const parts = { service, document, alphabet, served }
  const writer = new RestWriter({ ...parts, member: agent, chance: chance.fork() })
  const readers = new RestWriter({ ...parts, member: reader, chance: chance.fork() })
  await until(
    5_000,
    () => client.isSynced || undefined,
    () => 'sync',
  )
  let takenMeanwhile = 0
  const typing = async () => {
    const [text] = textsIn(client.ydoc.getXmlFragment(fragmentName))
    if (text === undefined) throw new TypeError('no text')
    for (let left = 25; left > 0; left--) {
      const char = alphabet.fresh(typist.actor, 1)
      text.insert(chance.between(1, text.length), char)
      if (chance.happens(0.2)) client.send(Y.encodeStateAsUpdate(client.ydoc))
      await until(
        5_000,
        () => client.saved === client.sent || undefined,
        () => 'saved',
      )
      const acknowledged = client.savedRevision
      const { markdown } = await readers.read()
      if (!markdown.includes(char)) {
        // The agent had read it by then, and replaced the stretch that it stood in.
        const isTaken = writer.taken.some((gone) => gone.includes(char))
        assert.ok(isTaken, 'an acknowledged keystroke is read')
        const text = await service.documents.revisionText(document.slug, acknowledged)
        assert.ok(text?.includes(char), 'an acknowledged keystroke was in its revision')
        takenMeanwhile++
      }
      await pause(chance.below(chance.happens(0.1) ? 300 : 12))
    }
  }
  const editing = async () => {
    for (let left = 8; left > 0; left--) {
      await writer.replace()
      await pause(chance.below(30))
    }
  }
  await Promise.all([typing(), editing()])
  const { revision, markdown } = await readers.read()
  served.note({ revision, markdown })
  await until(
    5_000,
    () => watcher.frames.at(-1)?.revision === revision || undefined,
    () => `${watcher.frames.at(-1)?.revision} is not ${revision}`,
  )
  assertAscending(watcher.frames)
  assertAscending(client.frames)
  await assertHistory(service, document, { revision, served })
  const { answers } = readers
  client.leave()
  watcher.leave()
  const tally = new Tally()
  tally.add('revisions', revision)
  tally.add('messages', client.sent)
  tally.add('keys taken', takenMeanwhile)
  for (const [what, count] of answers) tally.add(what, count)
  return tally
}

/** History is dense, every text can be rebuilt, and each is what was served. */
async function assertHistory(
  { documents }: LawService,
  { slug }: LawDocument,
  { revision, served }: { readonly revision: number; readonly served: Served },
): Promise<void> {
  for (let at = 1; at <= revision; at++) {
    const text = await documents.revisionText(slug, at)
    assert.type(text, 'string', `revision ${at}`)
    assert.ok(!served.texts.has(at) || served.texts.get(at) === text, `revision ${at} changed`)
  }
  assert.is(await documents.revisionText(slug, revision + 1), undefined)
}

test('revisions ascend, never change and hold what was acknowledged', async () => {
  const service = await LawService.start()
  const seeds = seedsOf(1, process.env['LONG'] ? 8 : 2)
  try {
    const tally = new Tally()
    for (const done of await Promise.all(seeds.map((seed) => scenario(service, seed)))) {
      tally.addAll(done)
    }
    const least = { revisions: 8 * seeds.length, messages: 25 * seeds.length, 304: 1 }
    tally.tell(`${seeds[0]}–${seeds.at(-1)} revisions`, least)
    assert.equal(service.errors, [])
  } finally {
    await service.end()
  }
})

test.run()
