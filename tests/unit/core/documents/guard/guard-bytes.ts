/**
 * A small document and a writer of update bytes, for tests that say what no stock client would.
 */
import * as encoding from 'lib0/encoding'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { Guard, type Verdict } from '../../../../../core/documents/guard/guard.ts'
import { serverActor } from '../../../../../core/documents/state/document-state.ts'
import type { ActorId } from '../../../../../schema/ids.ts'

export const ada = 'human:ada' as ActorId
export const eve = 'human:eve' as ActorId
export const service = 1
export const adas = 2
export const eves = 3

/** A document by the service: a paragraph with the text `hello`, then Ada's ` world`. */
export function setting() {
  const ydoc = new Y.Doc()
  ydoc.clientID = service
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.setAttribute('id', 'bid_0123456789abcdef')
  paragraph.insert(0, [new Y.XmlText('hello')])
  ydoc.getXmlFragment('prosemirror').insert(0, [paragraph])
  ydoc.clientID = adas
  const text = paragraph.get(0)
  if (!(text instanceof Y.XmlText)) throw new TypeError('no text')
  text.insert(5, ' world')
  const owners = new Map<number, ActorId>([
    [service, serverActor],
    [adas, ada],
  ])
  const guard = new Guard({ ydoc, ownerOf: (client) => owners.get(client) })
  return { ydoc, guard, owners, paragraphId: idOf(paragraph), textId: idOf(text) }
}

export function idOf(type: Y.XmlElement | Y.XmlText): Y.ID {
  if (type._item === null) throw new TypeError('not in a document')
  return type._item.id
}

/** What an update of one's own making says; `bytes` are written as they are. */
export type Piece =
  | number
  | string
  | { readonly bytes: readonly number[] }
  | { readonly any: unknown }

export function bytesOf(...pieces: readonly Piece[]): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const piece of pieces) {
    if (typeof piece === 'number') encoding.writeVarUint(encoder, piece)
    else if (typeof piece === 'string') encoding.writeVarString(encoder, piece)
    else if ('bytes' in piece) for (const byte of piece.bytes) encoding.writeUint8(encoder, byte)
    else encoding.writeAny(encoder, piece.any as string)
  }
  return encoding.toUint8Array(encoder)
}

export const info = (...bits: number[]) => ({ bytes: [bits.reduce((all, bit) => all | bit, 0)] })
export const [gc, del, json, binary, str, embed, format, type, any, subdoc, skip] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const
export const origin = 0x80
export const right = 0x40
export const sub = 0x20
export const id = ({ client, clock }: Y.ID): Piece[] => [client, clock]
/** One section of Eve's, from clock 0, and an empty delete set. */
export const ofEve = (count: number, ...pieces: Piece[]) => bytesOf(1, count, eves, 0, ...pieces, 0)

export const judge = (guard: Guard, update: Uint8Array, actor = eve): Verdict =>
  guard.judge(update, actor, { mayPark: false })

export function refused(verdict: Verdict, close: number, reason?: RegExp): void {
  assert.is(verdict.kind, 'refuse')
  if (verdict.kind !== 'refuse') return
  assert.is(verdict.close, close, verdict.reason)
  if (reason) assert.match(verdict.reason, reason)
}

export function admitted(verdict: Verdict): Extract<Verdict, { kind: 'admit' }> {
  if (verdict.kind !== 'admit') throw new Error(JSON.stringify(verdict))
  return verdict
}
