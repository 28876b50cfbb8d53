/**
 * The driver of the fan-out: a process of its own with a socket for each typist. Every typist writes at
 * the end of an own paragraph that carries the author's mark, as an editor does; a key counts each
 * time a socket hears it, its latency from the moment it was written to its socket.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { newBlockId, stampedParagraph, textOf } from './editor.ts'
import { FrameReader, keyUpdate, readSync, syncFrame } from './typed-frames.ts'
import { Wire } from './wire.ts'

export type Protocol = 'ours' | 'y-websocket' | 'hocuspocus' | 'relay'

export interface Seat {
  readonly actor: string
  /** Our credential; empty for servers that ask for none. */
  readonly token: string
}

export interface Room {
  readonly name: string
  readonly seats: readonly Seat[]
}

export interface DriverOrder {
  readonly protocol: Protocol
  readonly port: number
  /** Of several nodes: the sockets of a room take them in turns. */
  readonly ports?: readonly number[]
  readonly rooms: readonly Room[]
}

export interface Stage {
  /** Keys a second of all typists together. */
  readonly rate: number
  readonly seconds: number
}

export interface StageResult {
  readonly offered: number
  /** Keys heard by sockets, a second. */
  readonly delivered: number
  readonly p50: number
  readonly p99: number
  /** Of the keys written, those every socket of the room heard. */
  readonly isComplete: boolean
  readonly closed: number
  /** Why the last one that was closed was. */
  readonly why?: string | undefined
}

const bucketsPerMs = 10
const bucketsMax = 60_000
const warmSeconds = 1
const drainMs = 3_000

class Typist {
  readonly client = Math.floor(Math.random() * 0x0fffffff) + 1
  readonly wire: Wire
  readonly #prefix: Uint8Array
  readonly seat: Seat
  #clock = 0
  #left = 0
  #right = 0
  #firstClock = 0
  /** Of the letter that the paragraph began with. */
  #leftmost = 0
  #written: number[] = []

  constructor(wire: Wire, prefix: Uint8Array, seat: Seat) {
    this.wire = wire
    this.#prefix = prefix
    this.seat = seat
  }

  /** Begins a paragraph in the room's document and says so, by the update that is answered. */
  beginParagraph(ydoc: Y.Doc): Uint8Array {
    const fragment = ydoc.getXmlFragment('prosemirror')
    ydoc.clientID = this.client
    const before = Y.encodeStateVector(ydoc)
    fragment.push([stampedParagraph(newBlockId(), 'A', this.seat.actor)])
    const update = Y.encodeStateAsUpdate(ydoc, before)
    this.send(update)
    const letter = textOf(fragment, fragment.length - 1)._start?.right
    this.#left = letter?.id.clock ?? 0
    this.#right = letter?.right?.id.clock ?? 0
    this.#leftmost = this.#left
    this.#clock = Y.getState(ydoc.store, this.client)
    this.#firstClock = this.#clock
    this.#written = []
    return update
  }

  send(update: Uint8Array): void {
    this.wire.send(syncFrame(this.#prefix, 2, update))
  }

  key(): void {
    const { client } = this
    const place = { client, clock: this.#clock, left: this.#left, right: this.#right }
    this.#written.push(performance.now())
    this.send(keyUpdate(place))
    this.#left = this.#clock++
  }

  /** When the key of that clock was written; undefined: none of this stage. */
  writtenAt(clock: number): number | undefined {
    return this.#written[clock - this.#firstClock]
  }

  /** The room's document takes over what was typed, so that the next paragraph can follow. */
  catchUp(ydoc: Y.Doc): void {
    let left = this.#leftmost
    const updates: Uint8Array[] = []
    for (let clock = this.#firstClock; clock < this.#clock; clock++) {
      updates.push(keyUpdate({ client: this.client, clock, left, right: this.#right }))
      left = clock
    }
    if (updates.length > 0) Y.applyUpdate(ydoc, Y.mergeUpdates(updates))
  }
}

class Crowd {
  readonly #order: DriverOrder
  readonly #reader: FrameReader
  readonly #typists: Typist[] = []
  readonly #byClient = new Map<number, Typist>()
  readonly #rooms: { readonly ydoc: Y.Doc; readonly typists: Typist[] }[] = []
  readonly #latencies = new Uint32Array(bucketsMax)
  #heard = 0
  #heardInAll = 0
  #closed = 0
  #why: string | undefined
  #isMeasuring = false

  constructor(order: DriverOrder) {
    this.#order = order
    this.#reader = new FrameReader(order.protocol === 'hocuspocus')
  }

  async connect(): Promise<void> {
    for (const room of this.#order.rooms) {
      const members = { ydoc: new Y.Doc(), typists: [] as Typist[] }
      this.#rooms.push(members)
      for (const seat of room.seats) {
        const typist = await this.#seat(room, seat, members.ydoc)
        members.typists.push(typist)
        this.#typists.push(typist)
        this.#byClient.set(typist.client, typist)
      }
    }
  }

  async run({ rate, seconds }: Stage): Promise<StageResult> {
    for (const { ydoc, typists } of this.#rooms) {
      if (this.#order.ports !== undefined) beginAtOnce(ydoc, typists)
      else {
        for (const typist of typists) {
          typist.catchUp(ydoc)
          typist.beginParagraph(ydoc)
        }
      }
      await pause(0)
    }
    await pause(1_000)
    this.#heardInAll = 0
    let written = await this.#write(rate, warmSeconds)
    this.#heard = 0
    this.#latencies.fill(0)
    this.#isMeasuring = true
    const started = performance.now()
    const measured = await this.#write(rate, seconds)
    written += measured
    const took = (performance.now() - started) / 1000
    const delivered = this.#heard / took
    const perKey = this.#typists.length / this.#rooms.length
    const expected = written * perKey
    const until = performance.now() + drainMs
    while (this.#heardInAll < expected && performance.now() < until) await pause(20)
    this.#isMeasuring = false
    return {
      offered: (measured / took) * perKey,
      delivered,
      p50: this.#latencyAt(0.5),
      p99: this.#latencyAt(0.99),
      isComplete: this.#heardInAll === expected,
      closed: this.#closed,
      why: this.#why,
    }
  }

  /** Keys in turns round the room; returns how many. */
  async #write(rate: number, seconds: number): Promise<number> {
    const started = performance.now()
    let written = 0
    for (;;) {
      const elapsed = (performance.now() - started) / 1000
      const due = Math.floor(Math.min(elapsed, seconds) * rate)
      for (; written < due; written++) this.#typists[written % this.#typists.length]?.key()
      if (elapsed >= seconds) return written
      await pause(1)
    }
  }

  #seat(room: Room, seat: Seat, ydoc: Y.Doc): Promise<Typist> {
    const { protocol, ports = [] } = this.#order
    const at = this.#rooms.at(-1)?.typists.length ?? 0
    const port = ports[at % ports.length] ?? this.#order.port
    const prefix = protocol === 'hocuspocus' ? named(room.name) : new Uint8Array()
    const path = protocol === 'ours' ? `/docs/${room.name}/live` : `/${room.name}`
    const isFirst = at === 0
    return new Promise((resolve, reject) => {
      let isSynced = protocol === 'relay'
      const wire = new Wire({
        port,
        path,
        ...(seat.token !== '' && { protocols: ['yjs', `bearer.${seat.token}`] }),
        onMessage: (payload) => {
          if (isSynced) {
            this.#hear(payload)
            return
          }
          const message = readSync(payload, protocol === 'hocuspocus')
          if (message?.step === 0) wire.send(syncFrame(prefix, 1, emptyUpdate))
          if (message?.step !== 1) return
          isSynced = true
          if (isFirst) Y.applyUpdate(ydoc, message.payload)
          resolve(typist)
        },
        onClose: (why) => {
          this.#closed++
          this.#why = why
        },
      })
      const typist = new Typist(wire, prefix, seat)
      wire.open().then(() => {
        if (protocol === 'relay') {
          resolve(typist)
          return
        }
        if (protocol === 'hocuspocus') wire.send(authFrame(prefix))
        wire.send(syncFrame(prefix, 0, new Uint8Array([0])))
      }, reject)
    })
  }

  #hear(payload: Buffer): void {
    const now = performance.now()
    for (const { client, clock, length } of this.#reader.read(payload)) {
      const typist = this.#byClient.get(client)
      if (typist === undefined) continue
      for (let at = clock; at < clock + length; at++) {
        const written = typist.writtenAt(at)
        if (written === undefined) continue
        this.#heardInAll++
        if (!this.#isMeasuring) continue
        this.#heard++
        const bucket = Math.floor((now - written) * bucketsPerMs)
        const last = Math.min(bucketsMax - 1, bucket)
        this.#latencies[last] = (this.#latencies[last] ?? 0) + 1
      }
    }
  }

  #latencyAt(share: number): number {
    const wanted = this.#latencies.reduce((sum, count) => sum + count, 0) * share
    let seen = 0
    for (const [bucket, count] of this.#latencies.entries()) {
      seen += count
      if (seen >= wanted && seen > 0) return bucket / bucketsPerMs
    }
    return Number.NaN
  }
}

/**
 * No paragraph follows another one of this stage: what typists at different nodes send comes in any
 * order, and an editor builds only on what it was sent.
 */
function beginAtOnce(ydoc: Y.Doc, typists: readonly Typist[]): void {
  for (const typist of typists) typist.catchUp(ydoc)
  const state = Y.encodeStateAsUpdate(ydoc)
  const begun = typists.map((typist) => {
    const own = new Y.Doc()
    Y.applyUpdate(own, state)
    return typist.beginParagraph(own)
  })
  for (const update of begun) Y.applyUpdate(ydoc, update)
}

const emptyUpdate = new Uint8Array([0, 0])

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function named(name: string): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, name)
  return encoding.toUint8Array(encoder)
}

/** Hocuspocus wants a token even where nobody asks for one. */
function authFrame(prefix: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeUint8Array(encoder, prefix)
  encoding.writeVarUint(encoder, 2)
  encoding.writeVarUint(encoder, 0)
  encoding.writeVarString(encoder, 'bench')
  return encoding.toUint8Array(encoder)
}

let crowd: Crowd | undefined
process.on('message', async (message: DriverOrder | Stage) => {
  if ('rate' in message) {
    process.send?.(await crowd?.run(message))
    return
  }
  crowd = new Crowd(message)
  await crowd.connect()
  process.send?.('connected')
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
