/**
 * The honest people of one document: a process of its own with a stock client for each, who all type
 * at once, and who compare texts in the end. It may ask `/healthz` as well.
 */
import { request } from 'node:http'
import { HealthAsker } from './health.ts'
import { HonestTypist, openingOf } from './honest-typist.ts'
import { Latencies } from './latencies.ts'
import type { HonestOrder, HonestResult } from './order.ts'
import { pause } from './outlet.ts'

const drainMs = 15_000
const readTimeoutMs = 30_000
const sampleEveryMs = 10

/** The longest time that this process could do nothing. */
class OwnHold {
  #last = performance.now()
  longest = 0
  readonly #timer = setInterval(() => {
    const now = performance.now()
    this.longest = Math.max(this.longest, now - this.#last - sampleEveryMs)
    this.#last = now
  }, sampleEveryMs)

  reset(): void {
    this.longest = 0
  }

  end(): number {
    clearInterval(this.#timer)
    return this.longest
  }
}

class HonestPeople {
  readonly #order: HonestOrder
  readonly #typists: HonestTypist[] = []
  readonly #latencies = new Latencies()
  readonly #health: HealthAsker
  readonly #hold = new OwnHold()
  readonly #timers: ReturnType<typeof setInterval>[] = []
  #isTyping = false

  constructor(order: HonestOrder) {
    this.#order = order
    this.#health = new HealthAsker(order)
  }

  async begin(): Promise<void> {
    const { port, from, seats, keysPerSecond } = this.#order
    for (const [index, seat] of seats.entries()) {
      const typist = new HonestTypist({ ...seat, port, from, index })
      this.#typists.push(typist)
      await typist.begin()
    }
    const ids = this.#typists.map(({ clientID }) => clientID)
    for (const typist of this.#typists) {
      const others = ids.filter((id) => id !== typist.clientID)
      typist.onHeard(others, (client, upTo) => {
        this.#latencies.heard(typist.clientID, client, upTo)
      })
    }
    this.#isTyping = true
    for (const typist of this.#typists) void this.#type(typist, 1000 / keysPerSecond)
  }

  /** From now on it counts. */
  measure(): void {
    this.#latencies.begin()
    this.#hold.reset()
    if (this.#order.asksHealth) this.#health.begin()
  }

  async end(): Promise<HonestResult> {
    this.#isTyping = false
    for (const timer of this.#timers) clearInterval(timer)
    const asked = this.#health.end()
    const ownHold = this.#hold.end()
    const until = performance.now() + drainMs
    while (!this.#latencies.isAllHeard && performance.now() < until) await pause(50)
    const keys = this.#latencies.all()
    const text = await this.#serviceText()
    const clients = this.#typists.map(({ client }) => client)
    const result = {
      ...asked,
      keys,
      typed: this.#typists.reduce((sum, { letters }) => sum + letters.length, 0),
      lost: this.#typists.reduce((sum, typist) => sum + missingIn(text, typist), 0),
      unlike: this.#typists.filter((copy) => !this.#isComplete(copy)).length,
      closes: clients.flatMap(({ closes }) => closes),
      closedForGood: clients.flatMap(({ closedForGood }) => closedForGood),
      ownHold,
    }
    for (const client of clients) client.close()
    return result
  }

  /** At a steady rate, but not all in the same instant. */
  async #type(typist: HonestTypist, everyMs: number): Promise<void> {
    await pause(Math.random() * everyMs)
    if (!this.#isTyping) return
    const listeners = this.#typists
      .filter((other) => other !== typist)
      .map(({ clientID }) => clientID)
    const key = () => this.#latencies.typed(typist.clientID, typist.key(), listeners)
    this.#timers.push(setInterval(key, everyMs))
  }

  #isComplete(copy: HonestTypist): boolean {
    return this.#typists.every(({ index, letters }) => copy.lineOf(index) === letters)
  }

  /** Empty when it cannot be read. */
  #serviceText(): Promise<string> {
    const { port, from, seats } = this.#order
    const [seat] = seats
    if (seat === undefined) return Promise.resolve('')
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${seat.token}` }
      const path = `/docs/${seat.slug}`
      const options = { host: '127.0.0.1', port, localAddress: from, path, headers, agent: false }
      const sent = request(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(Buffer.concat(chunks).toString()))
        response.on('error', () => resolve(''))
      })
      sent.setTimeout(readTimeoutMs, () => sent.destroy())
      sent.on('error', () => resolve(''))
      sent.end()
    })
  }
}

/** Letters of the typist that are not in the text, in order, in their own line. */
function missingIn(body: string, { index, letters }: HonestTypist): number {
  const markdown = markdownIn(body)
  const opening = openingOf(index)
  const line = markdown.split('\n').find((one) => one.startsWith(opening)) ?? ''
  const written = line.slice(opening.length)
  let found = 0
  for (const letter of written) if (letter === letters[found]) found++
  return letters.length - found
}

function markdownIn(body: string): string {
  try {
    return String((JSON.parse(body) as { readonly markdown?: unknown }).markdown)
  } catch {
    return ''
  }
}

let people: HonestPeople | undefined
process.on('message', async (message: HonestOrder | 'measure' | 'end') => {
  if (message === 'measure') people?.measure()
  else if (message === 'end') process.send?.(await people?.end())
  else {
    people = new HonestPeople(message)
    await people.begin()
    process.send?.('typing')
  }
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
