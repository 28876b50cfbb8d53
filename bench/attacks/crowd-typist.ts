/**
 * One of a crowd who type in a document too large for a hundred copies in one process: a stock client
 * as the service sees it, by bytes. Answers step 1 with what the service lacks, comes back when it
 * was told nothing to the contrary, and keeps all it ever wrote until then.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { readSync, syncFrame } from '../typed-frames.ts'
import type { Wire } from '../wire.ts'
import { randomClient } from './hostile-bytes.ts'
import { type Outlet, pause } from './outlet.ts'

const contentString = 4
const contentFormat = 6
const hasOrigin = 0x80
const nothing = new Uint8Array()
const backoffMaxMs = 2_500

interface Written {
  readonly end: number
  readonly update: Uint8Array
}

export interface CrowdSeat {
  readonly slug: string
  readonly token: string
  readonly actor: string
  readonly index: number
}

export const crowdOpening = (index: number): string => `Crowd ${index}:`

export class CrowdTypist {
  readonly client = randomClient()
  readonly closes: string[] = []
  readonly #outlet: Outlet
  readonly #seat: CrowdSeat
  readonly #written: Written[] = []
  #base = new Map<number, number>()
  #clock = 0
  #letters = 0
  #wire: Wire | undefined
  #failures = 0
  #isLeaving = false
  #state: Uint8Array | undefined
  #synced: () => void = () => {}

  constructor(outlet: Outlet, seat: CrowdSeat) {
    this.#outlet = outlet
    this.#seat = seat
  }

  get letters(): number {
    return this.#letters
  }

  get closedForGood(): boolean {
    return this.closes.some((why) => /^44\d\d/.test(why))
  }

  /** The document's whole state. */
  async begin(): Promise<Uint8Array> {
    const state = new Promise<void>((resolve) => {
      this.#synced = resolve
    })
    await this.#connect()
    await state
    return this.#state ?? new Uint8Array([0, 0])
  }

  /** An own paragraph at the end of `ydoc`, which has the document. */
  beginParagraph(ydoc: Y.Doc): void {
    this.#state = undefined
    const before = Y.encodeStateVector(ydoc)
    this.#base = Y.decodeStateVector(before)
    ydoc.clientID = this.client
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(crowdOpening(this.#seat.index))])
    ydoc.getXmlFragment('prosemirror').push([paragraph])
    this.#write(Y.encodeStateAsUpdate(ydoc, before), Y.getState(ydoc.store, this.client))
  }

  /** Paragraphs in one go at the end of the document, as `state` has it. */
  paste(state: Uint8Array, paragraphs: readonly string[]): void {
    const ydoc = new Y.Doc()
    Y.applyUpdate(ydoc, state)
    const before = Y.encodeStateVector(ydoc)
    this.#base = Y.decodeStateVector(before)
    ydoc.clientID = this.client
    const pasted = paragraphs.map((text) => {
      const paragraph = new Y.XmlElement('paragraph')
      paragraph.insert(0, [new Y.XmlText(text)])
      return paragraph
    })
    ydoc.getXmlFragment('prosemirror').push(pasted)
    this.#write(Y.encodeStateAsUpdate(ydoc, before), Y.getState(ydoc.store, this.client))
  }

  key(): void {
    this.#letters++
    const key = { client: this.client, clock: this.#clock, actor: this.#seat.actor }
    this.#write(stampedLetter(key), this.#clock + clocksPerKey)
  }

  leave(): void {
    this.#isLeaving = true
    this.#wire?.close()
  }

  #write(update: Uint8Array, end: number): void {
    this.#clock = end
    this.#written.push({ end, update })
    this.#wire?.send(syncFrame(nothing, 2, update))
  }

  async #connect(): Promise<void> {
    const { slug, token } = this.#seat
    const wire = await this.#outlet.connect({
      slug,
      token,
      onMessage: (payload, from) => this.#read(from, payload),
      onClose: (why) => void this.#closed(why),
    })
    if (wire === undefined) return
    this.#wire = wire
    const vector = new Map(this.#base)
    if (this.#clock > 0) vector.set(this.client, this.#clock)
    wire.send(syncFrame(nothing, 0, vectorBytes(vector)))
  }

  #read(wire: Wire, payload: Buffer): void {
    const message = readSync(payload, false)
    if (message?.step === 0) {
      const known = Y.decodeStateVector(message.payload).get(this.client) ?? 0
      const lacking = this.#written.filter(({ end }) => end > known).map(({ update }) => update)
      const whole = lacking.length === 0 ? new Uint8Array([0, 0]) : Y.mergeUpdates(lacking)
      wire.send(syncFrame(nothing, 1, whole))
    } else if (message?.step === 1) {
      this.#failures = 0
      if (this.#clock === 0) this.#state = message.payload
      this.#synced()
    }
  }

  async #closed(why: string): Promise<void> {
    this.#wire = undefined
    if (this.#isLeaving) return
    this.closes.push(why)
    if (this.closedForGood) return
    await pause(Math.min(backoffMaxMs, 100 * 2 ** ++this.#failures))
    if (!this.#isLeaving) await this.#connect()
  }
}

/** Clocks that one key takes: its stamp, itself, the end of the stamp. */
const clocksPerKey = 3

/**
 * A letter behind the last one of the same client, with a stamp of its own, as the page sends it
 * between letters that are somebody else's.
 */
function stampedLetter({ client, clock, actor }: Key): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const number of [1, clocksPerKey, client, clock]) encoding.writeVarUint(encoder, number)
  const begin = (content: number, left: number) => {
    encoding.writeUint8(encoder, content | hasOrigin)
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, left)
  }
  const stamp = (left: number, by: object | null) => {
    begin(contentFormat, left)
    encoding.writeVarString(encoder, 'authored')
    encoding.writeVarString(encoder, JSON.stringify(by))
  }
  stamp(clock - 1, { by: actor })
  begin(contentString, clock)
  encoding.writeVarString(encoder, 'k')
  stamp(clock + 1, null)
  encoding.writeVarUint(encoder, 0)
  return encoding.toUint8Array(encoder)
}

interface Key {
  readonly client: number
  readonly clock: number
  readonly actor: string
}

function vectorBytes(vector: ReadonlyMap<number, number>): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, vector.size)
  for (const [client, clock] of vector) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clock)
  }
  return encoding.toUint8Array(encoder)
}
