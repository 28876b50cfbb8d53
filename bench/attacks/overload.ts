/**
 * Honest people who are many, or do much at once: a process of its own that does one such thing and
 * then looks in the service's text whether every word is there.
 */
import * as Y from 'yjs'
import { textOf } from '../editor.ts'
import { CrowdTypist, crowdOpening } from './crowd-typist.ts'
import { Outlet, pause } from './outlet.ts'
import type { OverloadOrder, OverloadResult } from './overload-order.ts'
import { lineOf, replacedPlaces } from './overload-places.ts'
import { StockClient } from './stock-client.ts'

const keysPerSecond = 20
const addEveryMs = 500
const frontKeys = 112_000
const pastedParagraphs = 400
const pastedLine = (person: number, at: number): string =>
  `Pasted ${at} of ${person}: ${'word '.repeat(14)}.`
const offlineParagraphs = 200
/** How long the words may take to be there. */
const thereWithinMs = 120_000
const lookEveryMs = 1_000

const addressOf = (index: number): string => `127.0.1.${index + 1}`

/** All are there; it goes on when the measurement does. */
function allowed(): Promise<void> {
  process.send?.('begun')
  return new Promise((resolve) => process.once('message', () => resolve()))
}

class Overload {
  readonly #order: OverloadOrder
  readonly #outlet: Outlet
  readonly #stock: StockClient[] = []

  constructor(order: OverloadOrder) {
    this.#order = order
    this.#outlet = this.#outletOf(0)
  }

  /** Each of many people has an address of their own. */
  #outletOf(index: number): Outlet {
    return new Outlet({ port: this.#order.port, from: addressOf(index) })
  }

  get #first(): string {
    return this.#order.people[0]?.token ?? ''
  }

  run(): Promise<OverloadResult> {
    switch (this.#order.kind) {
      case 'crowd':
        return this.#crowd()
      case 'top':
        return this.#top()
      case 'front-live':
      case 'front-offline':
        return this.#front(this.#order.kind === 'front-offline')
      case 'replace':
        return this.#replace()
      case 'pastes':
        return this.#pastes()
      case 'merges':
        return this.#merges()
    }
  }

  /** Everybody types at the end of a paragraph of their own. */
  async #crowd(): Promise<OverloadResult> {
    const { people, slug, seconds } = this.#order
    const ydoc = new Y.Doc()
    const crowd: CrowdTypist[] = []
    for (const [index, person] of people.entries()) {
      const typist = new CrowdTypist(this.#outletOf(index), { ...person, slug, index })
      const state = await typist.begin()
      if (index === 0) Y.applyUpdate(ydoc, state)
      crowd.push(typist)
    }
    for (const typist of crowd) typist.beginParagraph(ydoc)
    await allowed()
    await pause(1_000)
    for (let turn = 0; turn < seconds * keysPerSecond; turn++) {
      for (const typist of crowd) typist.key()
      await pause(1000 / keysPerSecond)
    }
    const written = crowd.reduce((sum, { letters }) => sum + letters, 0)
    const missingIn = (markdown: string) => {
      const lines = new Map(markdown.split('\n').map((line) => [line.split(':')[0], line]))
      return crowd.reduce((sum, { letters }, index) => {
        const line = lines.get(crowdOpening(index).slice(0, -1)) ?? ''
        return sum + letters - line.split(':').slice(1).join(':').split('k').length + 1
      }, 0)
    }
    const there = await this.#there(missingIn)
    for (const typist of crowd) typist.leave()
    const closes = crowd.flatMap((typist) => typist.closes)
    const closedForGood = crowd.filter((typist) => typist.closedForGood).length
    return { closes, closedForGood, written, ...there }
  }

  /** Everybody adds a paragraph above all others, in the same instant, again and again. */
  async #top(): Promise<OverloadResult> {
    const { people, seconds } = this.#order
    for (const { token } of people) await this.#join(token)
    await allowed()
    const names: string[] = []
    for (let turn = 0; turn < (seconds * 1000) / addEveryMs; turn++) {
      for (const [index, { fragment }] of this.#stock.entries()) {
        const paragraph = new Y.XmlElement('paragraph')
        const name = `Top ${index} of ${turn}.`
        paragraph.insert(0, [new Y.XmlText(name)])
        fragment.insert(0, [paragraph])
        names.push(name)
      }
      await pause(addEveryMs)
    }
    return this.#outcome(names.length, (markdown) => {
      const lines = new Set(markdown.split('\n'))
      return names.filter((name) => !lines.has(name)).length
    })
  }

  /** One person's keys, each in front of the last; then they leave. */
  async #front(isOffline: boolean): Promise<OverloadResult> {
    const client = await this.#join(this.#first)
    await allowed()
    if (isOffline) client.loseLine()
    const text = textOf(client.fragment, 0)
    for (let key = 0; key < frontKeys; key++) {
      text.insert(0, 'x')
      // Frames leave while others are made, as from a real keyboard.
      if (key % 500 === 0) await pause(0)
    }
    if (isOffline) {
      client.provider.connect()
      await pause(0)
      await client.synced()
    }
    // What is still in the sender's own memory would be lost with it, whoever it sends to.
    await client.flushed()
    client.provider.destroy()
    return this.#outcome(frontKeys, (markdown) => {
      const [first = ''] = markdown.split('\n')
      return frontKeys - (first.split('x').length - 1)
    })
  }

  /** One person replaces a word wherever it stands in one code block. */
  async #replace(): Promise<OverloadResult> {
    const client = await this.#join(this.#first)
    await allowed()
    const text = textOf(client.fragment, 0)
    client.ydoc.transact(() => {
      let at = 0
      for (let place = 0; place < replacedPlaces; place++) {
        text.delete(at, 'old'.length)
        text.insert(at, 'new')
        at += lineOf('new', place).length + 1
      }
    })
    return this.#outcome(replacedPlaces, (markdown) => {
      const lines = new Set(markdown.split('\n'))
      const places = Array.from({ length: replacedPlaces }, (_, place) => lineOf('new', place))
      return places.filter((line) => !lines.has(line)).length
    })
  }

  /** Everybody pastes 36 KB at the end, in the same instant. */
  async #pastes(): Promise<OverloadResult> {
    const { people, slug } = this.#order
    const crowd = people.map(
      (person, index) => new CrowdTypist(this.#outletOf(index), { ...person, slug, index }),
    )
    const states: Uint8Array[] = []
    for (const typist of crowd) states.push(await typist.begin())
    await allowed()
    const pasted = crowd.map((_, index) =>
      Array.from({ length: pastedParagraphs }, (_, at) => pastedLine(index, at)),
    )
    for (const [index, typist] of crowd.entries()) {
      const [state, lines] = [states[index], pasted[index]]
      if (state !== undefined && lines !== undefined) typist.paste(state, lines)
    }
    const there = await this.#there((markdown) => missingLines(markdown, pasted.flat()))
    for (const typist of crowd) typist.leave()
    const closes = crowd.flatMap((typist) => typist.closes)
    const closedForGood = crowd.filter((typist) => typist.closedForGood).length
    return { closes, closedForGood, written: pasted.flat().length, ...there }
  }

  /** Everybody has written all over the document while offline, and comes back at once. */
  async #merges(): Promise<OverloadResult> {
    for (const { token } of this.#order.people) await this.#join(token)
    await allowed()
    for (const client of this.#stock) client.loseLine()
    const names: string[] = []
    for (const [index, { fragment }] of this.#stock.entries()) {
      for (let at = 0; at < offlineParagraphs; at++) {
        const name = `Offline ${at} of ${index}.`
        const paragraph = new Y.XmlElement('paragraph')
        paragraph.insert(0, [new Y.XmlText(name)])
        fragment.insert((at * 7) % fragment.length, [paragraph])
        textOf(fragment, (at * 11) % fragment.length).insert(0, `${index} `)
        names.push(name)
      }
    }
    for (const { provider } of this.#stock) provider.connect()
    const words = (markdown: string) => names.filter((name) => !markdown.includes(name)).length
    return this.#outcome(names.length, words)
  }

  async #join(token: string): Promise<StockClient> {
    const { port, slug } = this.#order
    const from = addressOf(this.#stock.length)
    const client = new StockClient({ port, from, slug, token })
    this.#stock.push(client)
    await client.synced()
    client.provider.awareness.setLocalState({ user: { name: `Person ${this.#stock.length}` } })
    return client
  }

  async #outcome(
    written: number,
    missingIn: (markdown: string) => number,
  ): Promise<OverloadResult> {
    const there = await this.#there(missingIn)
    const closes = this.#stock.flatMap((client) => client.closes)
    const closedForGood = this.#stock.filter(({ closedForGood: all }) => all.length > 0).length
    for (const client of this.#stock) client.close()
    return { closes, closedForGood, written, ...there }
  }

  /** Looks until all is there, or for as long as it may take. */
  async #there(missingIn: (markdown: string) => number) {
    const { slug } = this.#order
    const token = this.#first
    const started = performance.now()
    for (let missing = Number.NaN; ; await pause(lookEveryMs)) {
      const read = await this.#outlet.call({ method: 'GET', path: `/docs/${slug}`, token })
      if (read.status === 200) missing = missingIn(String(read.json['markdown']))
      const elapsed = performance.now() - started
      if (missing === 0) return { missing, secondsUntilThere: elapsed / 1000 }
      if (elapsed > thereWithinMs) return { missing, secondsUntilThere: Number.NaN }
    }
  }
}

function missingLines(markdown: string, lines: readonly string[]): number {
  const there = new Set(markdown.split('\n'))
  return lines.filter((line) => !there.has(line)).length
}

process.setMaxListeners(0)
process.once('message', async (order: OverloadOrder) => {
  process.send?.(await new Overload(order).run())
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
