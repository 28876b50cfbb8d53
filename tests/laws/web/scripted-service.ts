/**
 * The service as a live page meets it on its sockets, played step by step: nothing opens, arrives,
 * is stored or is answered before a test says so. It also plays what a browser has no right to do:
 * a word on a socket that the page has given up.
 */
import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'
import { step1Of, step2Of } from '../../unit/server/wire.ts'

const handlers = ['open', 'message', 'close', 'error'] as const

/** A browser's WebSocket without a network. */
export class ScriptedSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  readonly OPEN = 1
  /** Every socket that was made, oldest first. */
  static made: ScriptedSocket[] = []
  readyState: number = ScriptedSocket.CONNECTING
  binaryType = 'blob'
  readonly bufferedAmount = 0
  readonly sent: Uint8Array[] = []

  constructor() {
    super()
    for (const name of handlers) {
      let current: ((event: Event) => void) | null = null
      Object.defineProperty(this, `on${name}`, {
        set: (handler: typeof current) => {
          if (current === null) this.addEventListener(name, (event) => current?.(event))
          current = handler ?? (() => {})
        },
      })
    }
    ScriptedSocket.made.push(this)
  }

  send(data: Uint8Array): void {
    if (this.readyState === ScriptedSocket.OPEN) this.sent.push(data)
  }

  close(): void {
    this.readyState = ScriptedSocket.CLOSING
  }

  hear(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** What the service does on one socket. */
export class ScriptedLine {
  readonly socket: ScriptedSocket
  readonly #ydoc: Y.Doc
  readonly #isNamed: boolean
  #handled = 0
  #updates = 0

  constructor(socket: ScriptedSocket, ydoc: Y.Doc, isNamed: boolean) {
    this.socket = socket
    this.#ydoc = ydoc
    this.#isNamed = isNamed
  }

  get isUp(): boolean {
    return this.socket.readyState === ScriptedSocket.OPEN
  }

  /** Frames of the page that have not been handled. */
  get waiting(): number {
    return this.socket.sent.length - this.#handled
  }

  open(): void {
    this.socket.readyState = ScriptedSocket.OPEN
    this.socket.dispatchEvent(new Event('open'))
  }

  greet(): void {
    const who = this.#isNamed ? { actor_id: 'human:ada', name: 'Ada' } : nobody
    const data = { epoch: 'e', revision: 1, role: 'editor', read_only: false, schema: 1, ...who }
    this.socket.hear(JSON.stringify({ type: 'event', event: 'hello', data }))
  }

  askForState(): void {
    this.socket.hear(step1Of(Y.encodeStateVector(this.#ydoc)))
  }

  /** Takes the page's next frame, also when the page has given the socket up, and stores it. */
  handle(): void {
    const frame = this.socket.sent[this.#handled]
    if (frame === undefined) return
    this.#handled++
    if (frame[0] !== 0) return
    const decoder = decoding.createDecoder(frame.subarray(2))
    const payload = decoding.readVarUint8Array(decoder)
    if (frame[1] === 0) {
      if (this.isUp) this.socket.hear(step2Of(Y.encodeStateAsUpdate(this.#ydoc, payload)))
      return
    }
    const before = Y.encodeStateVector(this.#ydoc)
    Y.applyUpdate(this.#ydoc, payload)
    this.#updates++
    if (this.#ydoc.store.pendingStructs !== null) throw new Error('an update with a gap')
    if (!this.#isNamed && !same(before, Y.encodeStateVector(this.#ydoc))) {
      throw new Error('something was sent that nobody signed')
    }
  }

  /** All that was handled is on disk. */
  saved(): void {
    const data = { revision: 1, updates: this.#updates }
    this.socket.hear(JSON.stringify({ type: 'event', event: 'saved', data }))
  }
}

const nobody = { actor_id: null, name: null }
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** The words of a document of one text. */
export const wordsOf = (ydoc: Y.Doc): string => textOf(ydoc).toString()

export function textOf(ydoc: Y.Doc): Y.XmlText {
  const fragment = ydoc.getXmlFragment(fragmentName)
  const [text] = fragment.createTreeWalker((node) => node instanceof Y.XmlText)
  if (!(text instanceof Y.XmlText)) throw new Error('there is no text')
  return text
}

/** What the live part of the page expects of a browser. */
export function playBrowser(): void {
  const page = new EventTarget()
  Object.assign(globalThis, {
    WebSocket: ScriptedSocket,
    window: page,
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    location: { origin: 'http://page.test' },
  })
}
