/** A stock y-websocket client on a document of the service, from a loopback address of its own. */
import type { ClientRequestArgs } from 'node:http'
import WebSocket from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

export interface StockParts {
  readonly port: number
  readonly from: string
  readonly slug: string
  readonly token: string
}

const syncTimeoutMs = 240_000

export class StockClient {
  readonly ydoc = new Y.Doc()
  readonly fragment = this.ydoc.getXmlFragment('prosemirror')
  readonly provider: WebsocketProvider
  /** Codes and reasons of ends after which it does not come back. */
  readonly closedForGood: string[] = []
  /** Of all ends. */
  readonly closes: string[] = []

  constructor({ port, from, slug, token }: StockParts) {
    class FromSocket extends WebSocket {
      constructor(address: string) {
        const options: ClientRequestArgs = { localAddress: from }
        super(address, ['yjs', `bearer.${token}`], options)
      }
    }
    this.provider = new WebsocketProvider(
      `ws://127.0.0.1:${port}/docs/${slug}`,
      'live',
      this.ydoc,
      {
        WebSocketPolyfill: FromSocket as unknown as typeof globalThis.WebSocket,
        disableBc: true,
      },
    )
    this.provider.on('connection-close', (event) => {
      this.closes.push(event === null ? 'by itself' : `${event.code} ${event.reason}`)
    })
    this.provider.on('closed', ({ code, reason }) => {
      this.closedForGood.push(`${code} ${reason}`)
    })
  }

  /** Resolves when it has the document, or will never have it. */
  synced(): Promise<void> {
    return new Promise((resolve) => {
      if (this.provider.synced || this.closedForGood.length > 0) {
        resolve()
        return
      }
      const late = setTimeout(resolve, syncTimeoutMs)
      const end = () => {
        clearTimeout(late)
        resolve()
      }
      this.provider.on('sync', (isSynced) => {
        if (isSynced) end()
      })
      this.provider.once('closed', end)
    })
  }

  /** Resolves when all that it has to say has left this process, also by a second line. */
  async flushed(): Promise<void> {
    for (let turn = 0; turn < 6_000; turn++) {
      const { ws, wsconnected, synced } = this.provider
      const socket = ws as unknown as WebSocket | null
      if (wsconnected && synced && socket?.bufferedAmount === 0) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Without a goodbye; it does not come back by itself. */
  loseLine(): void {
    this.provider.shouldConnect = false
    const socket = this.provider.ws as unknown as WebSocket | null
    socket?.terminate()
  }

  close(): void {
    this.provider.destroy()
    this.ydoc.destroy()
  }
}
