/**
 * What the page counts as saved, in every order in which sockets open, break, are given up and are
 * answered: a change leaves the count only once the service has it. Another seed: SEED=….
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'
import type { LiveCopy } from '../../../web/live/live-copy.ts'
import { Chance, seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { playBrowser, ScriptedLine, ScriptedSocket, textOf, wordsOf } from './scripted-service.ts'

playBrowser()
const { LiveCopy: Made } = await import('../../../web/live/live-copy.ts')

class Scene {
  readonly service = new Y.Doc()
  readonly lines: ScriptedLine[] = []
  readonly copy: LiveCopy
  isNamed: boolean
  typed = 0
  #saidName = false

  constructor(isNamed = true) {
    this.isNamed = isNamed
    ScriptedSocket.made = []
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('.')])
    this.service.getXmlFragment(fragmentName).insert(0, [paragraph])
    const nothing = () => {}
    const copy: LiveCopy = new Made({
      slug: 'abc',
      copies: undefined,
      role: () => 'editor',
      onHello: ({ name }) => {
        this.#saidName = name !== null
        return true
      },
      onEvent: nothing,
      mayWrite: () => copy.unsaved.count === 0 || this.#saidName,
      onSynced: nothing,
      onRefused: nothing,
      onNotOpened: () => Promise.resolve(false),
      onChanged: nothing,
    })
    this.copy = copy
    copy.connection.connect()
  }

  get line(): ScriptedLine {
    return this.lines.at(-1) as ScriptedLine
  }

  /** The newest socket opens; the service says who it meets and asks what the page has. */
  open(): void {
    const socket = ScriptedSocket.made.at(-1)
    if (socket?.readyState !== ScriptedSocket.CONNECTING) return
    this.lines.push(new ScriptedLine(socket, this.service, this.isNamed))
    this.line.open()
  }

  /** The whole way to a page in step. */
  join(): void {
    this.open()
    this.line.greet()
    this.line.askForState()
    this.settle()
  }

  settle(): void {
    while (this.line.waiting > 0) this.line.handle()
    this.line.saved()
  }

  type(): void {
    if (this.copy.fragment.length === 0) return
    textOf(this.copy.ydoc).insert(0, 'x')
    this.typed++
  }

  /** The last `count` changes are the ones that are not saved; the service has all others. */
  check(): void {
    const { clientID } = this.copy.ydoc
    const has = Y.getState(this.service.store, clientID)
    const missing = this.typed - has
    const { count } = this.copy.unsaved
    assert.ok(count >= missing, `${missing} changes are missing, ${count} count as unsaved`)
  }

  close(): void {
    this.copy.destroy()
    this.service.destroy()
  }
}

test('what is typed is unsaved until the service says otherwise', () => {
  const scene = new Scene()
  scene.join()
  scene.type()
  scene.type()
  scene.line.handle()
  scene.line.saved()
  assert.is(scene.copy.unsaved.count, 1)
  scene.settle()
  assert.is(scene.copy.unsaved.count, 0)
  scene.close()
})

test('what was typed before the answer goes with it, and once', () => {
  const scene = new Scene()
  scene.join()
  scene.copy.connection.reconnect()
  scene.open()
  scene.type()
  scene.line.greet()
  scene.type()
  scene.line.askForState()
  scene.settle()
  assert.is(scene.copy.unsaved.count, 0)
  assert.is(wordsOf(scene.service), 'xx.')
  scene.close()
})

test('what was typed without a name goes with the next socket, whole', () => {
  const scene = new Scene(false)
  scene.join()
  scene.type()
  scene.type()
  scene.settle()
  assert.is(scene.copy.unsaved.count, 2)
  assert.is(wordsOf(scene.service), '.')
  scene.isNamed = true
  scene.copy.connection.reconnect()
  scene.type()
  scene.open()
  scene.line.greet()
  scene.line.saved()
  assert.is(scene.copy.unsaved.count, 3)
  scene.line.askForState()
  assert.is(scene.copy.unsaved.count, 3)
  scene.settle()
  assert.is(scene.copy.unsaved.count, 0)
  assert.is(wordsOf(scene.service), 'xxx.')
  scene.close()
})

test('a late word of a socket that was given up counts for nothing', () => {
  const scene = new Scene()
  scene.join()
  const first = scene.line
  scene.copy.connection.reconnect()
  scene.open()
  scene.type()
  scene.line.greet()
  scene.line.askForState()
  first.saved()
  assert.is(scene.copy.unsaved.count, 1)
  scene.close()
})

test('a connection that was closed does not come back', () => {
  const scene = new Scene()
  scene.join()
  scene.copy.connection.close()
  const made = ScriptedSocket.made.length
  scene.copy.connection.connect()
  assert.is(ScriptedSocket.made.length, made)
  scene.close()
})

test('in whatever order, only what the service has counts as saved', () => {
  const seeds = seedsOf(7_000, process.env['LONG'] ? 5_000 : 75)
  let saved = 0
  for (const seed of seeds) {
    const chance = new Chance(seed)
    const scene = new Scene(chance.happens(0.7))
    scene.join()
    const old = () => chance.pick(scene.lines) ?? scene.line
    const steps: readonly (() => unknown)[] = [
      () => scene.type(),
      () => scene.type(),
      () => scene.line.handle(),
      () => scene.line.handle(),
      () => old().handle(),
      () => scene.line.isUp && scene.line.saved(),
      () => old().saved(),
      () => scene.copy.connection.reconnect(),
      () => scene.open(),
      () => scene.line.isUp && greetOnce(scene.line) && scene.line.askForState(),
      () => {
        scene.isNamed ||= chance.happens(0.2)
      },
    ]
    const greeted = new Set<ScriptedLine>([scene.line])
    const greetOnce = (line: ScriptedLine) => {
      if (greeted.has(line)) return false
      greeted.add(line)
      line.greet()
      return true
    }
    for (let step = 0; step < 60; step++) {
      chance.pick(steps)?.()
      scene.check()
    }
    scene.isNamed = true
    scene.copy.connection.reconnect()
    scene.join()
    scene.check()
    assert.is(scene.copy.unsaved.count, 0)
    assert.is(wordsOf(scene.service).length, scene.typed + 1)
    saved += scene.typed
    scene.close()
  }
  const tally = new Tally()
  tally.add('changes', saved)
  tally.tell(`${seeds[0]}–${seeds.at(-1)} saved pages`, { changes: seeds.length })
})

test.run()
