/**
 * Clients that write a document at the same time without regard for the schema, as the guard would
 * let them: known names, primitive values of the right type, any structure. A run is a list of
 * numbers, so that fast-check can shrink it.
 */
import * as Y from 'yjs'
import { documentSchema, fragmentName } from '../../../schema/document-schema.ts'
import { bid, type Desk, y } from '../../unit/core/documents/model/tree-desk.ts'

/** One move: who, what, and the choices it takes. */
export type Move = readonly [client: number, action: number, a: number, b: number, c: number]

const names = Object.keys(documentSchema.nodes).filter((name) => name !== 'doc' && name !== 'text')
const samples: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', 'x', 'a\rb', 'javascript:1', 'https://a.b', '<b>', '<!-- c -->', 'left', '| b\0'],
  number: [0, 1, 2.5, -3, 7, 1e10],
  boolean: [true, false],
  null: [null],
  any: [null, 3, 'wide', true],
}
const words = ['a', 'bc ', ' ', '\n', 'd\r\ne', '\0', '<b>', 'the quick', '😀', '# ', '- ', '|']
const formats: readonly Record<string, object | null>[] = [
  {},
  { strong: {} },
  { em: {}, authored: { by: 'human:a' } },
  { link: { href: 'https://a.b' } },
  { link: { href: 'javascript:x', title: 't' } },
  { code: {}, strong: null },
]

const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length] as Item

function attributesFor(name: string, seed: number): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  const specs = Object.entries(documentSchema.nodes[name]?.spec.attrs ?? {})
  for (const [index, [key, spec]] of specs.entries()) {
    const needed = key === 'source' || key === 'alt'
    if ((seed >> index) % 2 === 0 && !needed) continue
    const { validate } = spec as { validate?: string }
    const type = pick((validate ?? 'any').split('|'), seed)
    if (needed) attributes[key] = pick(['<b>', 'x', '<?', 'a\r<i>', ''], seed)
    else if (key === 'id') attributes[key] = pick([bid(seed % 7), 'bid_bad', bid(seed)], seed)
    else attributes[key] = pick(samples[type] ?? [null], seed + index)
  }
  return attributes
}

export class Crowd {
  readonly #desk: Desk
  readonly #clients: readonly { ydoc: Y.Doc; sent: number; undo: Y.UndoManager }[]
  #waiting: Uint8Array[][]
  /** How often each action was taken. */
  readonly done = new Map<string, number>()

  constructor(desk: Desk, size: number) {
    this.#desk = desk
    this.#waiting = Array.from({ length: size }, () => [])
    this.#clients = Array.from({ length: size }, (_, index) => {
      const ydoc = new Y.Doc()
      ydoc.clientID = 100 + index
      const undo = new Y.UndoManager(ydoc.getXmlFragment(fragmentName), { captureTimeout: 0 })
      Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(desk.ydoc))
      ydoc.on('update', (update: Uint8Array, origin: unknown) => {
        if (origin !== 'server') this.#waiting[index]?.push(update)
      })
      return { ydoc, sent: desk.updates.length, undo }
    })
  }

  move([who, action, a, b, c]: Move): void {
    const index = who % this.#clients.length
    const client = this.#clients[index]
    if (client === undefined) return
    const { ydoc } = client
    const root = ydoc.getXmlFragment(fragmentName)
    const parents = [root, ...elementsOf(root)]
    const parent = pick(parents, a)
    const actions: Record<string, () => void> = {
      element: () => {
        const name = pick(names, c)
        if (depthOf(parent) < 8)
          parent.insert(b % (parent.length + 1), [y(name, attributesFor(name, c))])
      },
      text: () => {
        const text = new Y.XmlText()
        text.insert(0, pick(words, c), { ...pick(formats, c) })
        parent.insert(b % (parent.length + 1), [text])
      },
      paragraph: () => root.insert(b % (root.length + 1), [y('paragraph', {}, pick(words, c))]),
      type: () => {
        const text = pick(textsOf(root), a)
        text?.insert(b % (text.length + 1), pick(words, c))
      },
      erase: () => {
        const text = pick(textsOf(root), a)
        if (text?.length)
          text.delete(b % text.length, Math.min(1 + (c % 3), text.length - (b % text.length)))
      },
      format: () => {
        const text = pick(textsOf(root), a)
        if (text?.length) text.format(b % text.length, 1, { ...pick(formats, c) })
      },
      remove: () => {
        if (parent.length > 0) parent.delete(b % parent.length, 1)
      },
      attribute: () => {
        if (!(parent instanceof Y.XmlElement)) return
        const values = Object.entries(attributesFor(parent.nodeName, c))
        for (const [key, value] of values) parent.setAttribute(key, value as string)
      },
      copy: () => {
        const original = pick(elementsOf(root), b)
        const inside = parent === original || isWithin(parent, original)
        if (original && !inside && depthOf(parent) < 6)
          parent.insert(c % (parent.length + 1), [original.clone()])
      },
      undo: () => void client.undo.undo(),
      receive: () => this.#receive(index),
    }
    const send: [string, () => void] = ['send', () => this.#send(index)]
    const [name, act] = action % 4 === 3 ? send : pick(Object.entries(actions), action >> 2)
    act()
    this.done.set(name, (this.done.get(name) ?? 0) + 1)
  }

  /** Everybody sends and receives everything. */
  settle(): void {
    this.#clients.forEach((_, index) => {
      this.#send(index)
    })
    this.#clients.forEach((_, index) => {
      this.#receive(index)
    })
  }

  #send(index: number): void {
    const updates = this.#waiting[index] ?? []
    this.#waiting[index] = []
    if (updates.length > 0) this.#desk.receive(...updates)
  }

  #receive(index: number): void {
    const client = this.#clients[index]
    if (client === undefined) return
    for (const update of this.#desk.updates.slice(client.sent)) {
      Y.applyUpdate(client.ydoc, update, 'server')
    }
    client.sent = this.#desk.updates.length
  }
}

function elementsOf(parent: Y.XmlFragment): Y.XmlElement[] {
  return parent
    .toArray()
    .filter((child) => child instanceof Y.XmlElement)
    .flatMap((child) => [child, ...elementsOf(child)])
}

function textsOf(parent: Y.XmlFragment): Y.XmlText[] {
  return parent
    .toArray()
    .flatMap((child) => (child instanceof Y.XmlText ? [child] : textsOf(child as Y.XmlElement)))
}

function depthOf(type: Y.XmlFragment): number {
  let depth = 0
  for (let up = type.parent; up !== null; up = up.parent) depth++
  return depth
}

function isWithin(type: Y.XmlFragment, ancestor: Y.XmlFragment | undefined): boolean {
  for (let up = type.parent; up !== null; up = up.parent) if (up === ancestor) return true
  return false
}
