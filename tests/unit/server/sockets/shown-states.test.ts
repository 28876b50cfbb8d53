/** Extensions §5, law 5: who is shown where not all can be, and what many identities get. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Guest, ShownStates } from '../../../../server/sockets/shown-states.ts'

interface Parts {
  readonly name: string
  readonly address?: string
  readonly link?: string
  readonly holder?: string
  readonly writes?: boolean
}

class Person implements Guest {
  readonly name: string
  readonly holder: string
  readonly person: string
  readonly sources: Guest['sources']
  writes: boolean

  constructor({ name, address = 'home', link = 'link', holder = name, writes = false }: Parts) {
    this.name = name
    this.holder = holder
    this.person = holder
    this.sources = { address, link }
    this.writes = writes
  }
}

function people(count: number, parts: (index: number) => Parts): Person[] {
  return Array.from({ length: count }, (_, index) => new Person(parts(index)))
}

const shownOf = (places: ShownStates<Person>, many: readonly Person[]): number =>
  many.filter((one) => places.isShown(one)).length

function admitted(...groups: readonly Person[][]): ShownStates<Person> {
  const places = new ShownStates<Person>()
  for (const one of groups.flat()) places.admit(one)
  return places
}

const family = (count: number) =>
  people(count, (at) => ({ name: `honest ${at}`, address: `home ${at}` }))

test('200 are shown, the rest are counted; a place that gets free goes to who wants one', () => {
  const class1 = people(230, (at) => ({ name: `${at}`, address: 'school' }))
  const places = admitted(class1)
  assert.is(shownOf(places, class1), 200)
  assert.is(places.hiddenCount, 30)
  const [first] = class1
  const last = class1.at(-1)
  if (first === undefined || last === undefined) throw new Error('nobody')
  places.remove(first)
  places.admit(last)
  assert.ok(places.isShown(last))
  assert.is(places.hiddenCount, 29)
  for (const one of class1) places.remove(one)
  assert.is(places.hiddenCount, 0)
})

test('of one holder 8 are shown; who is shown anywhere is not counted', () => {
  const tabs = people(12, (at) => ({ name: `${at}`, holder: 'ada' }))
  const places = admitted(tabs)
  assert.is(shownOf(places, tabs), 8)
  assert.is(places.hiddenCount, 0)
})

test('a thousand accounts of one network get an eighth of the places, not those of others', () => {
  const honest = family(150)
  const flood = people(1_000, (at) => ({ name: `e${at}`, address: 'evil', link: `account ${at}` }))
  const places = admitted(honest, flood)
  assert.is(shownOf(places, honest), 150)
  const later = people(40, (at) => ({ name: `late ${at}`, address: `late home ${at}` }))
  for (const one of later) places.admit(one)
  assert.is(shownOf(places, honest), 150, 'who was shown stays')
  const [evil, more] = [shownOf(places, flood), shownOf(places, later)]
  assert.is(evil + more, 50)
  assert.ok(evil <= 25, `${evil}`)
})

test('nor by the link that all came by', () => {
  const flood = people(1_000, (at) => ({ name: `e${at}`, address: 'evil' }))
  const honest = family(150)
  const places = admitted(flood, honest)
  assert.is(shownOf(places, honest), 150)
})

test('many networks by one link do not push out an office on one network', () => {
  const office = people(12, (at) => ({ name: `${at}`, address: 'office', link: 'office' }))
  const flood = people(1_000, (at) => ({ name: `e${at}`, address: `bot ${at}`, link: 'leaked' }))
  for (const groups of [
    [office, flood],
    [flood, office],
  ]) {
    assert.is(shownOf(admitted(...groups), office), 12)
  }
})

test('who writes goes before who only looks, up to a share for each network', () => {
  const readers = family(200)
  const writers = people(100, (at) => ({ name: `w${at}`, address: 'office', writes: true }))
  const places = admitted(readers, writers)
  const shown = shownOf(places, writers)
  assert.ok(shown >= 20 && shown <= 50, `${shown}`)
  assert.is(shownOf(places, readers), 200 - shown)
  const same = people(201, (at) => ({ name: `${at}`, writes: at === 200 }))
  assert.ok(admitted(same).isShown(same[200] as Person))
})

test('places come to rest: asking again and again moves nobody', () => {
  const groups = [family(150), people(300, (at) => ({ name: `e${at}`, address: 'evil' }))]
  const places = admitted(...groups)
  let moves = 0
  for (let round = 0; round < 3; round++) {
    for (const one of groups.flat()) if (places.admit(one) !== undefined) moves++
  }
  assert.is(moves, 0)
})

test.run()
