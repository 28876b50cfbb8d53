/**
 * Sockets of the tests: a bare one that speaks y-websocket frame by frame, so that it can say what
 * no stock client would, a copy of a document over it, and a stock provider.
 */
import type { IncomingMessage } from 'node:http'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'

export const waitMs = 8_000

/** Rejects after `ms`; a test that waits for what never comes says so. */
export function within<T>(work: Promise<T>, what: string, ms = waitMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms: ${what}`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export interface Presence {
  readonly client: number
  readonly clock: number
  readonly state: unknown
}

export type Heard =
  | { readonly kind: 'step1' | 'step2' | 'update'; readonly payload: Uint8Array }
  | { readonly kind: 'awareness'; readonly entries: readonly Presence[] }
  | { readonly kind: 'text'; readonly frame: Readonly<Record<string, unknown>> }

const syncKinds = ['step1', 'step2', 'update'] as const

function heardOf(data: Uint8Array): Heard {
  const decoder = decoding.createDecoder(data)
  if (decoding.readVarUint(decoder) === 0) {
    const kind = syncKinds[decoding.readVarUint(decoder)]
    if (kind === undefined) throw new Error('an unknown sync message')
    return { kind, payload: Uint8Array.from(decoding.readVarUint8Array(decoder)) }
  }
  const entries: Presence[] = []
  const inner = decoding.createDecoder(decoding.readVarUint8Array(decoder))
  for (let left = decoding.readVarUint(inner); left > 0; left--) {
    const client = decoding.readVarUint(inner)
    const clock = decoding.readVarUint(inner)
    entries.push({ client, clock, state: JSON.parse(decoding.readVarString(inner)) })
  }
  return { kind: 'awareness', entries }
}

export function frame(types: readonly number[], payload: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const type of types) encoding.writeVarUint(encoder, type)
  encoding.writeVarUint8Array(encoder, payload)
  return encoding.toUint8Array(encoder)
}

export const step1Of = (vector: Uint8Array) => frame([0, 0], vector)
export const step2Of = (update: Uint8Array) => frame([0, 1], update)
export const updateOf = (update: Uint8Array) => frame([0, 2], update)

/** `states` as they are written: JSON, or what a test wants to pass for it. */
export function awarenessOf(entries: readonly (readonly [number, number, string])[]): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, entries.length)
  for (const [client, clock, state] of entries) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clock)
    encoding.writeVarString(encoder, state)
  }
  return frame([1], encoding.toUint8Array(encoder))
}

export interface Refusal {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface WireOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
}

/** A bare websocket that keeps what it heard and can wait for it. */
export class Wire {
  readonly socket: WebSocket
  readonly heard: Heard[] = []
  readonly closed: Promise<number>
  /** The HTTP refusal; `undefined` once the socket is open. */
  readonly opened: Promise<Refusal | undefined>
  closeCode: number | undefined
  readonly #listeners = new Set<() => void>()

  constructor(address: string, path: string, options: WireOptions = {}) {
    const bearer = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
    this.socket = new WebSocket(`ws://${address}${path}`, [...(options.protocols ?? [])], {
      headers: { ...bearer, ...options.headers },
      perMessageDeflate: false,
    })
    this.socket.on('message', (data: Buffer, isBinary) => {
      this.heard.push(
        isBinary ? heardOf(data) : { kind: 'text', frame: JSON.parse(data.toString()) },
      )
      this.follow()
      this.#tell()
    })
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code) => {
        this.closeCode = code
        resolve(code)
        this.#tell()
      })
    })
    this.opened = new Promise((resolve, reject) => {
      this.socket.on('open', () => resolve(undefined))
      this.socket.on('error', reject)
      this.socket.on('unexpected-response', (_, response) => void refusalOf(response).then(resolve))
    })
    this.opened.catch(() => undefined)
  }

  /** What a kind of socket does with each frame, before anyone who waits looks. */
  protected follow(): void {}

  get texts(): Readonly<Record<string, unknown>>[] {
    return this.heard.flatMap((one) => (one.kind === 'text' ? [one.frame] : []))
  }

  events(name: string): Readonly<Record<string, unknown>>[] {
    return this.texts.filter((frame) => frame['event'] === name)
  }

  get presences(): Presence[] {
    return this.heard.flatMap((one) => (one.kind === 'awareness' ? [...one.entries] : []))
  }

  /** Resolves when `claim` holds, which is looked at after each frame. */
  until(claim: () => boolean, what: string): Promise<void> {
    const wait = new Promise<void>((resolve) => {
      const look = () => {
        if (!claim()) return
        this.#listeners.delete(look)
        resolve()
      }
      this.#listeners.add(look)
      look()
    })
    return within(wait, what)
  }

  send(data: Uint8Array | string): void {
    this.socket.send(data)
  }

  /** Resolves when the service has handled all that was sent before (it answers in order). */
  async handled(): Promise<void> {
    const before = this.answers
    this.send(step1Of(new Uint8Array([0])))
    await this.until(() => this.answers > before || this.closeCode !== undefined, 'an answer')
  }

  get answers(): number {
    return this.heard.filter((one) => one.kind === 'step2').length
  }

  /** What code it is closed with. */
  code(): Promise<number> {
    return within(this.closed, 'a close')
  }

  stop(): void {
    this.socket.terminate()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

async function refusalOf(response: IncomingMessage): Promise<Refusal> {
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

/** An honest copy of a document over a bare socket; it sends its own changes at once. */
export class Copy extends Wire {
  readonly ydoc: Y.Doc
  #applied = 0

  constructor(address: string, path: string, options: WireOptions & { ydoc?: Y.Doc } = {}) {
    super(address, path, options)
    this.ydoc = options.ydoc ?? new Y.Doc()
    this.ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this && this.socket.readyState === WebSocket.OPEN) this.send(updateOf(update))
    })
    this.socket.on('open', () => this.send(step1Of(Y.encodeStateVector(this.ydoc))))
  }

  /** Resolves when the service's state is here. */
  async synced(): Promise<this> {
    const answer = await this.opened
    if (answer !== undefined) throw new Error(`refused with ${answer.status}`)
    await this.until(() => this.answers > 0 || this.closeCode !== undefined, 'the state')
    return this
  }

  get text(): string {
    return [...textsOf(this.ydoc)].map(plain).join('\n')
  }

  /** Puts `added` behind `words`. */
  type(words: string, added: string): void {
    for (const text of textsOf(this.ydoc)) {
      const at = plain(text).indexOf(words)
      if (at < 0) continue
      text.insert(at + words.length, added)
      return
    }
    throw new Error(`no ${words} in ${this.text}`)
  }

  untilText(part: string): Promise<void> {
    return this.until(() => this.text.includes(part), `${part} in ${this.text.slice(0, 200)}`)
  }

  override stop(): void {
    super.stop()
    this.ydoc.destroy()
  }

  protected override follow(): void {
    for (; this.#applied < this.heard.length; this.#applied++) {
      const one = this.heard[this.#applied]
      if (one?.kind === 'step1') {
        this.send(step2Of(Y.encodeStateAsUpdate(this.ydoc, one.payload)))
      } else if (one?.kind === 'step2' || one?.kind === 'update') {
        Y.applyUpdate(this.ydoc, one.payload, this)
      }
    }
  }
}

export function* textsOf(ydoc: Y.Doc): Generator<Y.XmlText> {
  const fragment = ydoc.getXmlFragment(fragmentName)
  for (const node of fragment.createTreeWalker((one) => one instanceof Y.XmlText)) {
    if (node instanceof Y.XmlText) yield node
  }
}

/** The characters of a text; what is embedded counts as one. */
export function plain(text: Y.XmlText): string {
  const pieces: { readonly insert?: unknown }[] = text.toDelta()
  return pieces.map(({ insert }) => (typeof insert === 'string' ? insert : '\ufffc')).join('')
}

/** A stock provider; `stop` it, or the process stays. */
export function stock(address: string, slug: string, token: string, ydoc = new Y.Doc()) {
  const provider = new WebsocketProvider(`ws://${address}/docs/${slug}`, 'live', ydoc, {
    disableBc: true,
    maxBackoffTime: 100,
    protocols: ['yjs', `bearer.${token}`],
    WebSocketPolyfill: WebSocket as unknown as typeof globalThis.WebSocket,
  })
  const synced = () =>
    within(
      new Promise<void>((resolve) => {
        if (provider.synced) resolve()
        provider.on('sync', (isSynced: boolean) => isSynced && resolve())
      }),
      'a sync',
    )
  const stop = () => {
    provider.destroy()
    ydoc.destroy()
  }
  return { provider, ydoc, synced, stop }
}
