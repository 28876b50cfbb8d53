/** A stock y-websocket client on a document of the service. */
import WebSocket from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import type { Created } from './service.ts'

export interface Editor {
  readonly ydoc: Y.Doc
  readonly fragment: Y.XmlFragment
  close(): void
}

export async function connectEditor(
  port: number,
  { path }: Created,
  token: string,
): Promise<Editor> {
  class TokenSocket extends WebSocket {
    constructor(address: string) {
      super(address, ['yjs', `bearer.${token}`])
    }
  }
  const ydoc = new Y.Doc()
  const provider = new WebsocketProvider(`ws://127.0.0.1:${port}${path}`, 'live', ydoc, {
    WebSocketPolyfill: TokenSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
  })
  await new Promise<void>((resolve) => provider.once('sync', () => resolve()))
  const close = () => {
    provider.destroy()
    ydoc.destroy()
  }
  return { ydoc, fragment: ydoc.getXmlFragment('prosemirror'), close }
}

/** The text node of the top-level block at that place. */
export function textOf(fragment: Y.XmlFragment, index: number): Y.XmlText {
  const block = fragment.get(index)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${index} is no text block`)
  return text
}

/** A new paragraph that its author's editor already stamped. */
export function stampedParagraph(id: string, text: string, actor: string): Y.XmlElement {
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.setAttribute('id', id)
  const content = new Y.XmlText()
  content.insert(0, text, { authored: { by: actor } })
  paragraph.insert(0, [content])
  return paragraph
}

/** A block id as an editor makes it. */
export const newBlockId = (): string =>
  `bid_${Array.from({ length: 16 }, () => alphabet[Math.floor(Math.random() * 36)]).join('')}`

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
