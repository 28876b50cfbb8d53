/**
 * A live editor: a stock y-websocket provider over a slow line and what a person does in it. Its
 * kind says how it treats marks: it leaves them alone, stamps its own words as the browser's
 * plugin does, or forges others' names.
 */
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { fragmentName } from '../../schema/document-schema.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Chance } from '../chance.ts'
import { type Alphabet, lettersOf } from './alphabet.ts'
import type { Homes } from './homes.ts'
import type { LawService, Member } from './service.ts'
import { type Line, socketsOver } from './slow-socket.ts'

export type Marking = 'plain' | 'stamps' | 'forges'

export interface EditorParts {
  readonly service: LawService
  readonly slug: Slug
  readonly member: Member
  readonly chance: Chance
  readonly alphabet: Alphabet
  readonly marking: Marking
  readonly victim: Member
  readonly delayMaxMs: number
  /** Told of each letter that is typed. */
  readonly homes?: Homes
}

export class LiveEditor {
  readonly ydoc = new Y.Doc()
  readonly fragment = this.ydoc.getXmlFragment(fragmentName)
  readonly undo: Y.UndoManager
  readonly line: Line
  readonly member: Member
  readonly chance: Chance
  /** Codes with which the service closed a socket of this editor. */
  readonly closes: number[] = []
  /**
   * Letters that this editor threw away when it heard that their text is written anew elsewhere,
   * and that had not come back from there when its line broke: they were on their way, and are
   * lost.
   */
  readonly lost = new Set<string>()
  #orphaned: string[] = []
  readonly #parts: EditorParts
  readonly #provider: WebsocketProvider
  #cursor: { text: Y.XmlText; position: Y.RelativePosition } | undefined

  constructor(parts: EditorParts) {
    const { service, slug, member, chance, delayMaxMs } = parts
    this.#parts = parts
    this.member = member
    this.chance = chance
    const socket = service.socket.bind(service)
    this.line = { socket, chance: chance.fork(), delayMaxMs, underWay: 0, leaving: 0, open: 0 }
    this.ydoc.clientID = chance.between(1, 0x7fffffff)
    this.undo = new Y.UndoManager(this.fragment, {
      captureTimeout: 0,
      trackedOrigins: new Set([this]),
    })
    this.#provider = new WebsocketProvider(
      `ws://${service.address}/docs/${slug}`,
      'live',
      this.ydoc,
      {
        disableBc: true,
        maxBackoffTime: 60,
        protocols: ['yjs', `bearer.${member.token}`],
        WebSocketPolyfill: socketsOver(this.line),
      },
    )
    this.ydoc.on('afterTransaction', (transaction) => this.#hear(transaction))
    this.#provider.on('sync', (isSynced) => this.#tell('is synced', isSynced))
    this.#provider.on('connection-close', (event) => {
      if (event !== null) this.closes.push(event.code)
      for (const letter of this.#orphaned.splice(0)) this.lost.add(letter)
      this.#tell('is closed', event?.code)
    })
  }

  get isSynced(): boolean {
    return this.#provider.synced
  }

  get actor(): ActorId {
    return this.member.actor
  }

  get isOnline(): boolean {
    return this.#provider.shouldConnect
  }

  goOffline(): void {
    this.#tell('goes offline')
    this.#provider.disconnect()
  }

  goOnline(): void {
    if (this.#provider.shouldConnect) return
    this.#tell('goes online')
    this.#provider.connect()
  }

  leave(): void {
    this.#provider.destroy()
    this.undo.destroy()
    this.ydoc.destroy()
  }

  act(change: () => void): void {
    this.ydoc.transact(change, this)
  }

  get texts(): Y.XmlText[] {
    return textsIn(this.fragment)
  }

  /** Types a few characters, one transaction each, often where it typed last. */
  type(): boolean {
    const place = this.#place()
    if (place === undefined) return false
    const { text } = place
    let { at } = place
    for (let left = this.chance.between(1, 4); left > 0; left--) {
      const char = this.#parts.alphabet.fresh(this.member.actor, 1)
      this.#parts.homes?.type(char, text)
      this.act(() => this.#insert(text, at, char))
      this.#tell('types', char, at, plainOf(text))
      at++
    }
    this.#cursor = { text, position: Y.createRelativePositionFromTypeIndex(text, at, -1) }
    return true
  }

  /** Takes out up to three characters; they are gone for good. */
  erase(): boolean {
    const text = this.chance.pick(this.texts.filter((one) => one.length > 0))
    if (text === undefined) return false
    const at = this.chance.below(text.length)
    const length = Math.min(this.chance.between(1, 3), text.length - at)
    const letters = plainOf(text).slice(at, at + length)
    if (lettersOf(letters).length !== length) return false
    this.#parts.alphabet.erase(letters)
    this.#tell('erases', letters)
    this.act(() => text.delete(at, length))
    return true
  }

  format(): boolean {
    const text = this.chance.pick(this.texts.filter((one) => one.length > 1 && isProse(one)))
    if (text === undefined) return false
    const at = this.chance.below(text.length - 1)
    const length = Math.min(this.chance.between(1, 6), text.length - at)
    const mark = this.chance.pick(['strong', 'em', 'strike']) ?? 'em'
    const value = this.chance.happens(0.3) ? null : {}
    this.#tell('formats', mark, value, plainOf(text).slice(at, at + length))
    this.act(() => text.format(at, length, { [mark]: value } as object))
    this.#tell('now', text.toDelta())
    return true
  }

  addBlock(): boolean {
    const words = this.#parts.alphabet.fresh(this.member.actor, this.chance.between(1, 6))
    const name = this.chance.pick(['paragraph', 'heading', 'code_block']) ?? 'paragraph'
    this.act(() => this.fragment.insert(this.#placeOfBlocks(), [this.#block(name, words)]))
    return true
  }

  /** Several paragraphs at once, in one message. */
  paste(): boolean {
    const count = this.chance.between(3, 8)
    const { actor } = this.member
    const words = Array.from({ length: count }, () => this.#parts.alphabet.fresh(actor, 4))
    const blocks = words.map((some) => this.#block('paragraph', some))
    this.#tell('pastes', words)
    this.act(() => this.fragment.insert(this.#placeOfBlocks(), blocks))
    return true
  }

  /** Changes a heading's level, or an id to something that is none or another's. */
  setAttribute(): boolean {
    const blocks = this.fragment.toArray().filter((one) => one instanceof Y.XmlElement)
    const block = this.chance.pick(blocks)
    const other = this.chance.pick(blocks)
    if (block === undefined || other === undefined) return false
    this.act(() => {
      if (block.nodeName === 'heading') {
        block.setAttribute('level', this.chance.between(1, 6) as unknown as string)
      } else if (this.chance.happens(0.3)) {
        block.setAttribute('id', other.getAttribute('id') ?? '')
      } else block.removeAttribute('id')
    })
    return true
  }

  #block(name: string, words: string): Y.XmlElement {
    const element = new Y.XmlElement(name)
    const text = new Y.XmlText()
    element.insert(0, [text])
    text.insert(0, words, this.#marks())
    return element
  }

  #placeOfBlocks(): number {
    const first = this.fragment.get(0) as Y.XmlElement
    return this.chance.between(first.nodeName === 'front_matter' ? 1 : 0, this.fragment.length)
  }

  #hear(transaction: Y.Transaction): void {
    if (transaction.origin === this) return
    const { alphabet, member } = this.#parts
    const gone: string[] = []
    Y.iterateDeletedStructs(transaction, transaction.deleteSet, (item) => {
      if (item instanceof Y.Item && item.content instanceof Y.ContentString)
        gone.push(...lettersOf(item.content.str))
    })
    const own = gone.filter((letter) => alphabet.typistOf(letter) === member.actor)
    if (own.length + this.#orphaned.length === 0) return
    const standing = new Set(this.texts.flatMap((text) => lettersOf(plainOf(text))))
    this.#orphaned = [...this.#orphaned, ...own].filter((letter) => !standing.has(letter))
  }

  #tell(...what: readonly unknown[]): void {
    this.#parts.alphabet.tell(this.member.actor, ...what)
  }

  #insert(text: Y.XmlText, at: number, words: string): void {
    const { marking } = this.#parts
    if (marking === 'plain') text.insert(at, words)
    else text.insert(at, words, this.#marks())
  }

  #marks(): object {
    const { marking, victim } = this.#parts
    if (marking === 'plain') return {}
    return { authored: { by: marking === 'stamps' ? this.member.actor : victim.actor } }
  }

  #place(): { text: Y.XmlText; at: number } | undefined {
    const cursor = this.#cursor
    if (cursor !== undefined && this.chance.happens(0.7)) {
      const place = Y.createAbsolutePositionFromRelativePosition(cursor.position, this.ydoc)
      if (place !== null && this.texts.includes(cursor.text)) {
        return { text: cursor.text, at: place.index }
      }
    }
    const text = this.chance.pick(this.texts)
    return text === undefined ? undefined : { text, at: this.chance.between(0, text.length) }
  }
}

export function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return [child]
    return child instanceof Y.XmlElement ? textsIn(child) : []
  })
}

/** Embeds count as one character, as they do in positions. */
export const plainOf = (text: Y.XmlText): string =>
  text
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === 'string' ? insert : '\ufffc'))
    .join('')

const isProse = (text: Y.XmlText): boolean =>
  ['paragraph', 'heading', 'table_cell'].includes((text.parent as Y.XmlElement).nodeName)
