/**
 * Interface §4.5, stale rules 1 to 6: twenty agents that read once and never again, and three
 * people who type, on one document. Whatever was answered with 200 stands once, what was appended
 * behind one place stands in the order of the commits, no keystroke is lost, and nobody waits for
 * long. LONG=1: a minute of it.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type * as Y from 'yjs'
import { Chance } from '../chance.ts'
import { type Answer, asList, asText, type Made, Service } from '../client.ts'
import { pause } from '../waiting.ts'
import { Live, until } from './acceptance/sockets.ts'

const durationMs = process.env['LONG'] === undefined ? 9_000 : 60_000
const agents = 20
const typists = 3
const seed = 20

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const ground = `# Crowd

typist0

typist1

- anchor
- other

between

- pinned typist2
- more

the end
`

/** The ways to append, each at a place of its own. */
const places = ['anchor', 'block', 'replacement', 'end'] as const
type Place = (typeof places)[number]

interface Base {
  readonly revision: number
  readonly pinned: string
}

function editAt(place: Place, word: string, { pinned }: Base): object {
  switch (place) {
    case 'anchor':
      return { after: 'anchor', new_string: `\n\n- ${word}` }
    case 'block':
      return { after_block: pinned, new_string: `- ${word}` }
    case 'replacement':
      return { old_string: 'the end', new_string: `${word}\n\nthe end` }
    case 'end':
      return { before: null, new_string: `\n\n${word}` }
    default:
      throw new TypeError(place)
  }
}

interface Append {
  readonly place: Place
  readonly word: string
  readonly agent: number
  readonly answer: Answer
  /** From the request to the answer. */
  readonly ms: number
  readonly at: number
}

class Agent {
  readonly appends: Append[] = []
  readonly #made: Made
  readonly #token: string
  readonly #chance: Chance
  readonly #base: Base

  constructor(made: Made, token: string, given: { chance: Chance; base: Base }) {
    this.#made = made
    this.#token = token
    this.#chance = given.chance
    this.#base = given.base
  }

  /** Appends again and again on the base of its only read. */
  async work(agent: number, end: number): Promise<void> {
    while (performance.now() < end) {
      const place = this.#chance.pick(places) ?? 'end'
      const word = `w${agent}x${this.appends.length}z`
      const started = performance.now()
      const edits = [editAt(place, word, this.#base)]
      const body = { edits, base_revision: this.#base.revision }
      const answer = await this.#made.patch(body, { token: this.#token })
      const at = performance.now()
      this.appends.push({ place, word, agent, answer, ms: at - started, at })
      await pause(this.#chance.between(100, 500))
    }
  }
}

/** A person who types at the end of one text. */
class Person {
  readonly live: Live
  typed = ''
  readonly #text: Y.XmlText
  readonly #chance: Chance

  constructor(live: Live, mark: string, chance: Chance) {
    this.live = live
    this.#text = live.textWith(mark)
    this.#chance = chance
  }

  async work(end: number): Promise<void> {
    while (performance.now() < end) {
      this.#type(this.#chance.happens(0.15) ? ' ' : 'abcdefghij'.charAt(this.#chance.below(10)))
      await pause(this.#chance.between(40, 160))
    }
    this.#type('.')
  }

  #type(character: string): void {
    this.#text.insert(this.#text.length, character)
    this.typed += character
  }
}

async function named(made: Made, name: string): Promise<string> {
  const headers = { 'X-Service-Share-Ingress': '1' }
  const read = await service.get(`${made.path}?docs`, made.shareToken, headers)
  const token = asText(read.body['your_token'])
  const body = { display_name: name, slug: made.slug }
  assert.is((await service.post('/agents/identify', body, { token })).status, 200)
  return token
}

async function baseOf(made: Made): Promise<Base> {
  const { body } = await made.read('?include=block_quotes')
  const pinned = asList(body['content_blocks']).find(({ quote }) => {
    return String(quote).startsWith('- pinned')
  })
  const items = asList(body['content_blocks']).filter(({ quote, id }) => {
    return id !== null && String(quote) === '- pinned typist2'
  })
  assert.ok(pinned && items.length === 1)
  return { revision: Number(body['revision']), pinned: asText(items[0]?.['id']) }
}

const succeeded = ({ answer }: Append): boolean => answer.status === 200

/** At `share` of the ascending numbers. */
const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0

function assertAppends(appends: readonly Append[], markdown: string): void {
  for (const { word, answer } of appends) {
    const times = markdown.split(word).length - 1
    assert.is(times, answer.status === 200 ? 1 : 0, `${word} ${answer.status} ${answer.text}`)
    if (answer.status === 200) assert.ok(asText(answer.body['markdown']).includes(word))
  }
  for (const place of places) {
    const byRevision = appends
      .filter((append) => append.place === place && succeeded(append))
      .sort((a, b) => Number(a.answer.body['revision']) - Number(b.answer.body['revision']))
      .map(({ word }) => word)
    const byPlace = byRevision.toSorted((a, b) => markdown.indexOf(a) - markdown.indexOf(b))
    assert.equal(byPlace, byRevision, `${place}: order of the commits`)
  }
  const revisions = appends.filter(succeeded).map(({ answer }) => answer.body['revision'])
  assert.is(new Set(revisions).size, revisions.length)
}

/** Nobody gets less than half of what the others get, or waits long for one answer. */
function assertFair(crowd: readonly Agent[]): void {
  const counts = crowd.map(({ appends }) => appends.filter(succeeded).length)
  const middle = quantile(counts, 0.5)
  assert.ok(Math.min(...counts) >= middle / 2, `appends of each: ${counts}`)
  const waits = crowd.flatMap(({ appends }) => appends.map(({ ms }) => ms))
  assert.ok(Math.max(...waits) < 5_000, `${Math.max(...waits)} ms for an answer`)
}

test('twenty stale agents and three live typists on one document', async () => {
  const chance = new Chance(seed)
  const made = await service.document(ground)
  const base = await baseOf(made)
  const crowd: Agent[] = []
  for (let index = 0; index < agents; index++) {
    const token = await named(made, `Agent ${index}`)
    crowd.push(new Agent(made, token, { chance: chance.fork(), base }))
  }
  const people: Person[] = []
  for (let index = 0; index < typists; index++) {
    const token = await named(made, `Person ${index}`)
    const live = await new Live(service, made.slug, { token }).synced()
    people.push(new Person(live, `typist${index}`, chance.fork()))
  }
  try {
    const end = performance.now() + durationMs
    await Promise.all([
      ...crowd.map((agent, index) => agent.work(index, end)),
      ...people.map((person) => person.work(end)),
    ])
    await until(async () => {
      const markdown = await made.markdown()
      return people.every(({ typed }, index) => markdown.includes(`typist${index}${typed}`))
    }, 20_000)
    const markdown = await made.markdown()
    const texts = () => new Set(people.map(({ live }) => live.text))
    await until(() => texts().size === 1, 20_000)
    const appends = crowd.flatMap((agent) => agent.appends)
    assertAppends(appends, markdown)
    assertFair(crowd)
    const share = appends.filter(succeeded).length / appends.length
    const waits = appends.map(({ ms }) => ms)
    const keystrokes = people.reduce((sum, { typed }) => sum + typed.length, 0)
    const [p50, p99] = [0.5, 0.99].map((part) => Math.round(quantile(waits, part)))
    const told = `${appends.length} appends, ${Math.round(share * 1000) / 10} % at once`
    console.log(`seed ${seed} crowd: ${told}, p50 ${p50} ms, p99 ${p99} ms, ${keystrokes} keys`)
    assert.ok(share >= 0.95, `${share} of the appends succeeded at once`)
    assert.ok(appends.length > agents * (durationMs / 5_000), `${appends.length} appends`)
    for (const [index, { typed }] of people.entries()) {
      assert.ok(texts().values().next().value?.includes(`typist${index}${typed}`))
    }
    await service.end('SIGKILL')
    await service.start()
    assert.is(await made.markdown(), markdown)
  } finally {
    for (const { live } of people) live.stop()
  }
})

test.run()
