/**
 * Documents on a store in memory, and editors with a copy of their own that send what they did in
 * one message: for updates that are large.
 */
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { LivePeer, LiveSession, Writer } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import { type ActorId, newBlockId, newSlug, type Slug } from '../../../schema/ids.ts'
import { editing } from '../../silent-peers.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { everything } from '../../unit/core/whole-view.ts'

export const alice: Writer = { actor: 'human:alice' as ActorId, authMethod: 'token' }
export const bob: Writer = { actor: 'human:bob' as ActorId, authMethod: 'token' }

export class World {
  readonly runtime = new SimulatedRuntime()
  readonly troubles: unknown[] = []
  readonly store = openMemoryStore({ runtime: this.runtime })
  readonly slug: Slug = newSlug(this.runtime)
  documents = this.#open()

  async #open() {
    const onTrouble = ({ error }: { error: unknown }) => void this.troubles.push(error)
    return openDocuments({ store: await this.store, runtime: this.runtime, onTrouble })
  }

  async begin(markdown: string): Promise<this> {
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const { slug } = this
    const request = { markdown, linkAccess, slug, writer: alice, puts: [], replay: null }
    await (await this.documents).create(request)
    return this
  }

  async read() {
    return (await this.documents).read(this.slug, everything)
  }

  async check(): Promise<void> {
    assert.equal(this.troubles, [])
    assert.is(await verifyDocument(await this.store, this.slug, this.runtime), undefined)
  }
}

/** Who wrote at one place stands in the order of clientIDs: no chance in it. */
let lastClient = 50_000

/** An editor with a copy of its own, which sends what its user does when told to. */
export class Desk implements LivePeer {
  readonly ydoc = new Y.Doc()
  readonly fragment = this.ydoc.getXmlFragment(fragmentName)
  readonly heard = new Y.Doc()
  readonly saved: number[] = []
  frames = 0
  closed: number | undefined
  session: LiveSession | undefined
  readonly #writer: Writer
  #vector: Uint8Array = new Uint8Array()

  private constructor(writer: Writer) {
    this.ydoc.clientID = ++lastClient
    this.#writer = writer
  }

  static async at(world: World, writer = alice): Promise<Desk> {
    const desk = new Desk(writer)
    desk.session = await (await world.documents).connect(world.slug, editing(writer), desk)
    const state = await desk.session.answerStep1(Uint8Array.of(0))
    Y.applyUpdate(desk.ydoc, state)
    Y.applyUpdate(desk.heard, state)
    desk.#vector = Y.encodeStateVector(desk.ydoc)
    return desk
  }

  /** One message with all that was done since the last. */
  send(change?: (update: Uint8Array) => Uint8Array): void {
    const update = Y.encodeStateAsUpdate(this.ydoc, this.#vector)
    this.#vector = Y.encodeStateVector(this.ydoc)
    this.session?.receive(change?.(update) ?? update, false)
  }

  get blocks(): string[] {
    return this.heard.getXmlFragment(fragmentName).toArray().map(String)
  }

  /** It may only read from now on. */
  loseRole(): void {
    this.session?.access({ ...editing(this.#writer).access, role: 'viewer' })
  }

  onCurrent(): void {}

  onUpdate(update: Uint8Array): void {
    this.frames++
    Y.applyUpdate(this.heard, update)
  }

  onSaved({ updates }: { readonly updates: number }): void {
    this.saved.push(updates)
  }

  onClose(code: number): void {
    this.closed = code
    this.session?.leave()
  }

  onChange(): void {}
  onProvenance(): void {}
  onWrite(): void {}
  onBegun(): void {}
  onReading(): void {}
}

export const idOf = () => newBlockId(new SimulatedRuntime())

export function element(name: string, children: (Y.XmlElement | Y.XmlText)[], attributes = {}) {
  const made = new Y.XmlElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value as string)
  made.insert(0, children)
  return made
}

export function text(words: string, by = alice.actor): Y.XmlText {
  const made = new Y.XmlText()
  made.insert(0, words, { authored: { by } })
  return made
}

export const paragraph = (words: string, id = idOf()) => element('paragraph', [text(words)], { id })

export const cell = (name: string, words: string) =>
  element(name, [text(words)], { align: null, colspan: 1, rowspan: 1 })

export const table = (words: string) =>
  element(
    'table',
    ['table_header', 'table_cell'].map((name) =>
      element('table_row', [cell(name, `${words} a`), cell(name, `${words} b`)], { id: idOf() }),
    ),
    { id: idOf() },
  )

/** Paragraphs and tables in turns. */
export const pasted = (count: number): Y.XmlElement[] =>
  Array.from({ length: count }, (_, index) =>
    index % 5 === 4
      ? table(`table ${index}`)
      : paragraph(`paragraph ${index} ${'word '.repeat(9)}`),
  )

export const textOf = (markdown: string) => markdown.replace(/\s+/g, ' ')
