/**
 * One person who types: a stock client with a paragraph of their own, a letter at a time at its end.
 * What they hear of others' letters is told by clientID and clock. Knows no latency and no service.
 */
import * as Y from 'yjs'
import { textOf } from '../editor.ts'
import { StockClient, type StockParts } from './stock-client.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

export interface TypistParts extends StockParts {
  readonly index: number
}

/** Begins each own paragraph, so that it is found again in the text. */
export const openingOf = (index: number): string => `Typist ${index}: `

export class HonestTypist {
  readonly client: StockClient
  readonly index: number
  #letters = ''
  readonly #known = new Map<number, number>()
  #text: Y.XmlText | undefined

  constructor(parts: TypistParts) {
    this.index = parts.index
    this.client = new StockClient(parts)
  }

  get letters(): string {
    return this.#letters
  }

  get clientID(): number {
    return this.client.ydoc.clientID
  }

  async begin(): Promise<void> {
    await this.client.synced()
    const { fragment, provider } = this.client
    provider.awareness.setLocalState({ user: { name: `Typist ${this.index}` } })
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(openingOf(this.index))])
    fragment.push([paragraph])
    this.#text = textOf(fragment, fragment.length - 1)
  }

  /** Types the next letter; returns the clock of its last struct. */
  key(): number {
    const text = this.#text
    if (text === undefined) throw new Error('a typist has not begun')
    const letter = alphabet[this.#letters.length % alphabet.length] ?? ''
    text.insert(text.length, letter)
    this.#letters += letter
    return Y.getState(this.client.ydoc.store, this.clientID) - 1
  }

  /** Tells how far this copy has heard each of those clients, whenever it hears more. */
  onHeard(others: readonly number[], heard: (client: number, upTo: number) => void): void {
    const { ydoc } = this.client
    ydoc.on('afterTransaction', () => {
      for (const other of others) {
        const state = Y.getState(ydoc.store, other)
        if (state === this.#known.get(other)) continue
        this.#known.set(other, state)
        heard(other, state)
      }
    })
  }

  /** What this copy says that the typist with this index wrote. */
  lineOf(index: number): string {
    const opening = openingOf(index)
    for (const block of this.client.fragment.toArray()) {
      if (!(block instanceof Y.XmlElement)) continue
      const text = block.get(0)
      if (!(text instanceof Y.XmlText)) continue
      const plain = plainOf(text)
      if (plain.startsWith(opening)) return plain.slice(opening.length)
    }
    return ''
  }
}

function plainOf(text: Y.XmlText): string {
  const parts: readonly { readonly insert?: unknown }[] = text.toDelta()
  return parts.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
}
