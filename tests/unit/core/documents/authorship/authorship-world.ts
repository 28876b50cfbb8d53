/**
 * A small world to test authorship in: one service that commits updates as the engine does, stores
 * what it is told to store and can be restarted from it, and plain Yjs peers, each of one actor,
 * with real undo. Peers neither know nor respect the marks.
 */
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Participant, StoredRecord } from '../../../../../core/commit/participant.ts'
import { Authorship } from '../../../../../core/documents/authorship/authorship.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import type { ActorId } from '../../../../../schema/ids.ts'

export const alice = 'human:alice' as ActorId
export const bob = 'human:bob' as ActorId
export const carol = 'ai:carol' as ActorId

export interface Sent {
  readonly peer: Peer
  readonly update: Uint8Array
}

export class Peer {
  readonly actor: ActorId
  readonly doc = new Y.Doc()
  readonly undo: Y.UndoManager
  readonly outbox: Sent[] = []
  readonly inbox: Uint8Array[] = []

  constructor(actor: ActorId, client: number) {
    this.actor = actor
    this.doc.clientID = client
    const trackedOrigins = new Set([this])
    this.undo = new Y.UndoManager(this.fragment, { captureTimeout: 0, trackedOrigins })
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'service') this.outbox.push({ peer: this, update })
    })
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment(fragmentName)
  }

  /** The texts of the document, one a block, in order. */
  get texts(): Y.XmlText[] {
    return textsOf(this.doc)
  }

  act(change: (peer: Peer) => void): void {
    this.doc.transact(() => change(this), this)
  }

  receive(): void {
    for (const update of this.inbox.splice(0)) Y.applyUpdate(this.doc, update, 'service')
  }
}

export class World {
  ydoc = new Y.Doc({ gc: true })
  authorship = new Authorship(this.ydoc, () => 0)
  readonly peers: Peer[] = []
  corrections = 0
  /** By section, then by the rest of the key as the store has it. */
  readonly #stored = new Map<string, Map<string, StoredRecord>>()
  #nextClient = 1000
  #correctionClient = 4_000_000_000

  constructor() {
    this.#listen()
  }

  join(actor: ActorId): Peer {
    this.#nextClient += 1
    const peer = new Peer(actor, this.#nextClient)
    Y.applyUpdate(peer.doc, Y.encodeStateAsUpdate(this.ydoc), 'service')
    this.peers.push(peer)
    return peer
  }

  /** One commit of updates that may be of several peers; every peer gets the merged frame. */
  commit(sent: readonly Sent[]): void {
    this.within((transaction) => {
      for (const { peer, update } of sent) {
        Y.applyUpdate(this.ydoc, update)
        this.authorship.note(transaction, peer.actor)
      }
    })
  }

  within(write: (transaction: Y.Transaction) => void): void {
    Y.transact(
      this.ydoc,
      (transaction) => {
        write(transaction)
        this.ydoc.clientID = this.#correctionClient
        const before = Y.getState(this.ydoc.store, this.#correctionClient)
        this.authorship.project(transaction)
        this.corrections += Y.getState(this.ydoc.store, this.#correctionClient) - before
        this.ydoc.clientID = 0
      },
      'write',
      false,
    )
    this.#store()
  }

  /** All peers send and receive until nothing is under way; each update is a commit of its own. */
  settle(): void {
    for (let busy = true; busy; ) {
      busy = false
      for (const peer of this.peers) {
        for (const sent of peer.outbox.splice(0)) {
          this.commit([sent])
          busy = true
        }
      }
      for (const peer of this.peers) {
        busy ||= peer.inbox.length > 0
        peer.receive()
      }
    }
  }

  /** Forgets all that was not stored. */
  restart(): void {
    const state = Y.encodeStateAsUpdateV2(this.ydoc)
    this.ydoc = new Y.Doc({ gc: true })
    this.authorship = new Authorship(this.ydoc, () => 0)
    for (const participant of this.authorship.participants) {
      const stored = [...this.#recordsOf(participant)].sort(([a], [b]) => (a < b ? -1 : 1))
      participant.load(stored.map(([, record]) => record))
    }
    Y.transact(this.ydoc, () => Y.applyUpdateV2(this.ydoc, state), 'load', false)
    this.#correctionClient += 1
    this.#listen()
  }

  get ledgerSize(): number {
    return this.#stored.get('ledger')?.size ?? 0
  }

  /** Each block as `author:text` runs, by the marks; `?` where there is none. */
  read(): string[] {
    return textsOf(this.ydoc).map((text) => describe(text))
  }

  #store(): void {
    for (const participant of this.authorship.participants) {
      const records = this.#recordsOf(participant)
      const write = { revision: 0, deleted: [], revived: [] }
      participant.commit(write, {
        put: (path, value) => records.set(keyOf(path), { path: path.map(String), value }),
        delete: (path) => assert.ok(records.delete(keyOf(path)), 'deletes what is stored'),
      })
    }
  }

  #recordsOf({ section }: Participant): Map<string, StoredRecord> {
    const known = this.#stored.get(section)
    if (known !== undefined) return known
    const made = new Map<string, StoredRecord>()
    this.#stored.set(section, made)
    return made
  }

  #listen(): void {
    this.ydoc.on('update', (update: Uint8Array) => {
      for (const peer of this.peers) peer.inbox.push(update)
    })
  }
}

/** In the order of the store. */
const keyOf = (path: readonly (string | number)[]): string =>
  path.map((part) => String(part).padStart(12, '0')).join('/')

export function textsOf(doc: Y.Doc): Y.XmlText[] {
  const texts: Y.XmlText[] = []
  for (const element of doc.getXmlFragment(fragmentName).toArray()) {
    const text = element instanceof Y.XmlElement ? element.get(0) : undefined
    if (text instanceof Y.XmlText) texts.push(text)
  }
  return texts
}

/** All texts, those behind a break too, in order. */
export function allTextsOf(doc: Y.Doc): Y.XmlText[] {
  return doc
    .getXmlFragment(fragmentName)
    .toArray()
    .flatMap((element) => (element instanceof Y.XmlElement ? element.toArray() : []))
    .filter((child) => child instanceof Y.XmlText)
}

/** A paragraph of several texts with a break between each two. */
export function addBroken(peer: Peer, index: number, ...lines: readonly string[]): void {
  const element = new Y.XmlElement('paragraph')
  const children = lines.flatMap((line) => {
    const text = new Y.XmlText()
    text.insert(0, line)
    return [new Y.XmlElement('hard_break'), text]
  })
  element.insert(0, children.slice(1))
  peer.fragment.insert(index, [element])
}

export function describe(text: Y.XmlText): string {
  const runs: { by: string; insert: string }[] = []
  for (const { insert, attributes } of text.toDelta()) {
    const by = attributes?.authored?.by ?? '?'
    const last = runs.at(-1)
    if (last !== undefined && last.by === by) last.insert += insert
    else runs.push({ by, insert })
  }
  return runs.map(({ by, insert }) => `${by.replace(/^.*:/, '')}:${insert}`).join(' | ')
}

/** A paragraph of one text, put in front of the block at `index`. */
export function addBlock(peer: Peer, index: number, text: string): void {
  const element = new Y.XmlElement('paragraph')
  const inner = new Y.XmlText()
  if (text !== '') inner.insert(0, text)
  element.insert(0, [inner])
  peer.fragment.insert(index, [element])
}

/** As y-prosemirror does on Enter: the tail is deleted here and written into a new block. */
export function splitBlock(peer: Peer, index: number, at: number): void {
  const text = peer.texts[index]
  if (text === undefined) return
  const tail = plain(text).slice(at)
  if (tail !== '') text.delete(at, tail.length)
  addBlock(peer, index + 1, tail)
}

/** As y-prosemirror does on Backspace at the start of the block after `index`. */
export function joinBlocks(peer: Peer, index: number): void {
  const [text, next] = [peer.texts[index], peer.texts[index + 1]]
  if (text === undefined || next === undefined) return
  const tail = plain(next)
  if (tail !== '') text.insert(text.length, tail)
  peer.fragment.delete(index + 1, 1)
}

export const plain = (text: Y.XmlText): string =>
  text.toDelta().reduce((all: string, { insert }: { insert: string }) => all + insert, '')
