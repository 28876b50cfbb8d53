/**
 * Sockets as strangers open them: a stock y-websocket provider on a document, or a bare websocket
 * that keeps its frames. Knows the addresses and the names of the interface, nothing else.
 */
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { type Fields, parsed, type Service, within } from '../../client.ts'

const polyfill = WebSocket as unknown as typeof globalThis.WebSocket

/** `ws` with a header on each upgrade, for clients that can set one. */
function withHeaders(headers: Readonly<Record<string, string>>) {
  class HeaderSocket extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      super(address, protocols, { headers })
    }
  }
  return HeaderSocket as unknown as typeof globalThis.WebSocket
}

/** The characters of a text; an embedded node counts as one, as its index does. */
function plain(text: Y.XmlText): string {
  const pieces: { readonly insert?: unknown }[] = text.toDelta()
  return pieces.map(({ insert }) => (typeof insert === 'string' ? insert : '\ufffc')).join('')
}

export interface LiveOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: Record<string, string>
  readonly doc?: Y.Doc
  /** The class to make sockets of. */
  readonly polyfill?: typeof globalThis.WebSocket
}

/** One live editor: a Y.Doc and its provider. Close it, or the process stays. */
export class Live {
  readonly doc: Y.Doc
  readonly provider: WebsocketProvider
  readonly closed: Promise<number>

  constructor(service: Service, slug: string, options: LiveOptions = {}) {
    this.doc = options.doc ?? new Y.Doc()
    const { token, headers, params } = options
    const base = `${service.base.replace('http', 'ws')}/docs/${slug}`
    this.provider = new WebsocketProvider(base, 'live', this.doc, {
      disableBc: true,
      params: params ?? {},
      protocols: token === undefined ? [] : ['yjs', `bearer.${token}`],
      WebSocketPolyfill: options.polyfill ?? (headers ? withHeaders(headers) : polyfill),
    })
    this.closed = new Promise((resolve) => {
      this.provider.on('connection-close', (event) => {
        if (event !== null && event.code !== 1006) resolve(event.code)
      })
    })
  }

  get fragment() {
    return this.doc.getXmlFragment('prosemirror')
  }

  /** All text, without nodes and marks, a line for each text node. */
  get text() {
    const lines: string[] = []
    for (const node of this.fragment.createTreeWalker((one) => one instanceof Y.XmlText)) {
      if (node instanceof Y.XmlText) lines.push(plain(node))
    }
    return lines.join('\n')
  }

  async synced() {
    await until(() => this.provider.synced)
    return this
  }

  /** The first text that contains `words`. */
  textWith(words: string): Y.XmlText {
    const seek = (node: Y.XmlFragment): Y.XmlText | undefined => {
      for (const child of node.toArray()) {
        if (child instanceof Y.XmlText && plain(child).includes(words)) return child
        const found = child instanceof Y.XmlElement ? seek(child) : undefined
        if (found !== undefined) return found
      }
      return undefined
    }
    const found = seek(this.fragment)
    if (found === undefined) throw new Error(`no text with ${words} in ${this.text}`)
    return found
  }

  type(words: string, added: string) {
    const text = this.textWith(words)
    text.insert(plain(text).indexOf(words) + words.length, added)
  }

  stop() {
    this.provider.destroy()
    this.doc.destroy()
  }
}

export interface BareOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: string[]
}

/** A websocket that keeps what it heard. */
export class Bare {
  readonly socket: WebSocket
  readonly frames: Fields[] = []
  readonly binary: Uint8Array[] = []
  readonly closed: Promise<number>
  /** The HTTP refusal of the upgrade, or undefined once the socket is open. */
  readonly opened: Promise<{ status: number; body: Fields; headers: Fields } | undefined>

  constructor(service: Service, path: string, options: BareOptions = {}) {
    const bearer = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
    this.socket = new WebSocket(
      service.base.replace('http', 'ws') + path,
      options.protocols ?? [],
      {
        headers: { ...bearer, ...options.headers },
      },
    )
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) this.binary.push(data as Uint8Array)
      else this.frames.push(parsed(String(data)))
    })
    this.closed = new Promise((resolve) => this.socket.on('close', (code) => resolve(code)))
    this.opened = new Promise((resolve, reject) => {
      this.socket.on('open', () => resolve(undefined))
      this.socket.on('error', (error) => reject(error))
      this.socket.on('unexpected-response', (_request, response: IncomingMessage) => {
        let text = ''
        response.on('data', (data) => (text += data))
        response.on('end', () => {
          const status = response.statusCode ?? 0
          resolve({ status, body: parsed(text), headers: response.headers as Fields })
        })
      })
    })
    this.opened.catch(() => undefined)
  }

  frame(type: string): Fields | undefined {
    return this.frames.find((frame) => frame['type'] === type)
  }

  stop() {
    this.socket.terminate()
  }
}

/** Looks again each few milliseconds until `claim` holds. */
export function until(claim: () => boolean | Promise<boolean>, ms = 8000): Promise<void> {
  let isOver = false
  const look = async () => {
    while (!isOver && !(await claim())) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return within(ms, look()).finally(() => {
    isOver = true
  })
}
