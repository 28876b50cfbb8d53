/**
 * Random editing by plain Yjs peers against a model that knows no formats, ledgers or items: every
 * typed character is unique, so the model knows who typed it, who ever counted as its author, and
 * what each actor deleted, by comparing texts before and after.
 * Laws after each commit: a character that stays keeps its author; a typed one is its typist's; a
 * split, join or move in a calm document changes no author; words put back are their inserter's or
 * their old author's, the latter only if the words of the document stand as before less some, or as
 * whole deleted runs of that inserter, each once.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { Tally } from '../../tally.ts'
import {
  addBlock,
  alice,
  bob,
  carol,
  describe,
  joinBlocks,
  type Peer,
  plain,
  type Sent,
  splitBlock,
  textsOf,
  World,
} from '../../unit/core/documents/authorship/authorship-world.ts'

const dave = 'human:dave' as ActorId
const actors = [alice, bob, carol, dave]
const runs = process.env['LONG'] ? 20_000 : 75
const seed = Number(process.env['SEED'] ?? 20_260_117)

const kinds = [
  'type',
  'type',
  'forgeTyped',
  'delete',
  'delete',
  'forge',
  'strip',
  'bold',
  'split',
  'join',
  'move',
  'undo',
  'undo',
  'redo',
  'paste',
  'restart',
] as const
type Kind = (typeof kinds)[number]

interface Step {
  readonly who: number
  readonly kind: Kind
  readonly block: number
  readonly at: number
  readonly size: number
  /** Calm: sent and seen by all at once. Else it waits for a later delivery. */
  readonly calm: boolean
}

interface Char {
  readonly id: string
  readonly char: string
  readonly by: string
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(3),
  kind: fc.constantFrom(...kinds),
  block: fc.nat(20),
  at: fc.nat(60),
  size: fc.integer({ min: 1, max: 40 }),
  calm: fc.boolean(),
})

class Model {
  readonly authors = new Map<string, string>()
  readonly typists = new Map<string, ActorId>()
  readonly ever = new Map<string, Set<string>>()
  /** What each actor deleted in one go and has not put back. */
  readonly deleted = new Map<ActorId, string[]>()
  kept = 0
  restored = 0
}

class Run {
  readonly world = new World()
  readonly model = new Model()
  readonly #kindOf = new WeakMap<Sent, Kind>()
  readonly #clipboard = new Map<Peer, string>()
  readonly #calm: boolean
  #nextChar = 0x4e00

  constructor(count: number, calm: boolean) {
    this.#calm = calm
    for (const actor of actors.slice(0, count)) this.world.join(actor)
    const [first] = this.world.peers
    assert.ok(first)
    this.#act(first, 'type', () => {
      for (let index = 0; index < 3; index++) addBlock(first, index, this.#fresh(40))
    })
    this.deliver()
  }

  take(step: Step): void {
    const peer = this.world.peers[step.who % this.world.peers.length]
    assert.ok(peer)
    if (step.kind === 'restart') {
      this.world.restart()
      return
    }
    if (step.kind === 'undo' || step.kind === 'redo') {
      const before = peer.outbox.length
      peer.undo[step.kind]()
      this.#tag(peer, before, 'undo')
    } else this.#act(peer, step.kind, () => this.#change(peer, step))
    if (this.#calm || step.calm) this.deliver()
  }

  /**
   * Commits all that was sent, up to three peers' updates at once, until everyone has everything.
   */
  deliver(): void {
    const { peers } = this.world
    for (let busy = true; busy; ) {
      const batch = peers.flatMap((peer) => peer.outbox.splice(0, this.#calm ? 1 : 3))
      if (batch.length > 0) this.#commit(batch)
      busy = batch.length > 0 || peers.some((peer) => peer.inbox.length > 0)
      for (const peer of peers) peer.receive()
    }
    const expected = textsOf(this.world.ydoc).map(describe)
    for (const peer of peers) assert.equal(peer.texts.map(describe), expected, 'peers converge')
  }

  #commit(batch: readonly Sent[]): void {
    const before = readAll(this.world.ydoc)
    const last = new Map<string, Set<string>>()
    for (const { char, by } of before.flat()) last.set(char, (last.get(char) ?? new Set()).add(by))
    this.world.commit(batch)
    const after = readAll(this.world.ydoc)
    const origins = originsOf(batch, this.#kindOf)
    this.#noteReinserted(origins)
    const alone = this.#calm && batch.length === 1 ? batch[0]?.peer.actor : undefined
    if (alone !== undefined) this.#noteDeleted(alone, before, after)
    for (const text of after) {
      let run: Char[] = []
      for (const one of [...text, undefined]) {
        const isNew = one !== undefined && !this.model.authors.has(one.id)
        if (one !== undefined) this.#judge(one, { last, origin: originOf(origins, one.id) })
        if (isNew) run.push(one)
        else if (run.length > 0) {
          const standsAsBefore = alone !== undefined && isSubsequence({ run, after, before })
          if (alone !== undefined && !standsAsBefore) this.#judgeRun(run, alone)
          run = []
        }
      }
    }
  }

  #judge(
    one: Char,
    { last, origin }: { last: Map<string, Set<string>>; origin: Origin | undefined },
  ) {
    const { model } = this
    const known = model.authors.get(one.id)
    if (known !== undefined) {
      assert.is(one.by, known, `author of ${one.char} that stood before`)
      return
    }
    assert.ok(origin, 'a new character comes from somebody')
    const { actor, kind } = origin
    const ever = model.ever.get(one.char) ?? new Set()
    if (ever.size === 0) {
      model.typists.set(one.char, actor)
      assert.is(one.by, actor, "a typed character is its typist's")
    } else if (this.#calm && (kind === 'split' || kind === 'join' || kind === 'move')) {
      assert.ok(last.get(one.char)?.has(one.by), `${kind} keeps the author`)
    } else {
      assert.ok(one.by === actor || ever.has(one.by), `${one.by} once was the author`)
      model.restored += 1
      if (one.by !== actor || model.typists.get(one.char) === actor) model.kept += 1
    }
    model.authors.set(one.id, one.by)
    model.ever.set(one.char, ever.add(one.by))
  }

  /** Whoever inserts a known character again may count as its author, if only within one commit. */
  #noteReinserted(origins: readonly Origin[]): void {
    for (const { text, actor } of origins) {
      for (const char of text) this.model.ever.get(char)?.add(actor)
    }
  }

  /** A run that kept another author must be spelled by whole runs its inserter deleted. */
  #judgeRun(run: readonly Char[], actor: ActorId): void {
    if (run.every(({ by }) => by === actor)) return
    const text = run.map(({ char }) => char).join('')
    const spent = spell(text, this.model.deleted.get(actor) ?? [])
    assert.ok(spent, `${text} is not made of whole runs deleted by ${actor}`)
    const deleted = this.model.deleted.get(actor) ?? []
    for (const piece of spent) deleted.splice(deleted.lastIndexOf(piece), 1)
  }

  #noteDeleted(actor: ActorId, before: Char[][], after: Char[][]): void {
    const alive = new Set(after.flat().map(({ id }) => id))
    const deleted = this.model.deleted.get(actor) ?? []
    this.model.deleted.set(actor, deleted)
    for (const text of before) {
      const parts = text.map(({ id, char }) => (alive.has(id) ? '\0' : char)).join('')
      deleted.push(...parts.split('\0').filter((part) => part !== ''))
    }
  }

  #act(peer: Peer, kind: Kind, change: () => void): void {
    const before = peer.outbox.length
    peer.act(change)
    this.#tag(peer, before, kind)
  }

  #tag(peer: Peer, from: number, kind: Kind): void {
    for (const sent of peer.outbox.slice(from)) this.#kindOf.set(sent, kind)
  }

  #change(peer: Peer, { kind, block, ...step }: Step): void {
    const { texts } = peer
    const index = texts.length === 0 ? 0 : block % texts.length
    const text = texts[index]
    if (text === undefined) {
      addBlock(peer, 0, this.#fresh(step.size))
      return
    }
    const at = step.at % (text.length + 1)
    const size = Math.min(step.size, text.length - at)
    const other = { authored: { by: actors[step.size % actors.length] } }
    if (kind === 'type') text.insert(at, this.#fresh(1 + (step.size % 5)))
    if (kind === 'forgeTyped') text.insert(at, this.#fresh(step.size), step.size % 3 ? other : {})
    if (kind === 'delete') this.#clipboard.set(peer, plain(text).slice(at, at + size))
    if (kind === 'delete' && size > 0) text.delete(at, size)
    if (kind === 'forge' && size > 0) text.format(at, size, other)
    if (kind === 'strip' && size > 0) text.format(at, size, { authored: null })
    if (kind === 'bold' && size > 0) text.format(at, size, { strong: step.at % 2 ? {} : null })
    if (kind === 'split') splitBlock(peer, index, at)
    if (kind === 'join' && index + 1 < texts.length) joinBlocks(peer, index)
    if (kind === 'move') {
      const whole = plain(text)
      peer.fragment.delete(index, 1)
      addBlock(peer, step.at % texts.length, whole)
    }
    if (kind === 'paste') text.insert(at, this.#clipboard.get(peer) ?? '')
  }

  #fresh(length: number): string {
    const codes = Array.from({ length }, () => this.#nextChar++)
    return String.fromCharCode(...codes)
  }
}

/**
 * Whether the characters of a new run, with all that stayed, stand in the order of the document
 * before: then the update is no more than a deletion (and a split or a join).
 */
function isSubsequence(of: { run: readonly Char[]; before: Char[][]; after: Char[][] }): boolean {
  const ids = new Set(of.run.map(({ id }) => id))
  const [before, after] = [of.before.flat(), of.after.flat()]
  const [old, stays] = [before, after].map((chars) => new Set(chars.map(({ id }) => id)))
  const left = before.map(({ id, char }) => (stays?.has(id) ? id : char))
  const right = after
    .filter(({ id }) => old?.has(id) || ids.has(id))
    .map(({ id, char }) => (ids.has(id) ? char : id))
  let next = 0
  for (const one of left) if (one === right[next]) next += 1
  return next === right.length
}

interface Origin {
  readonly client: number
  readonly from: number
  readonly to: number
  readonly actor: ActorId
  readonly kind: Kind
  readonly text: string
}

function originsOf(batch: readonly Sent[], kindOf: WeakMap<Sent, Kind>): Origin[] {
  return batch.flatMap((sent) =>
    Y.decodeUpdate(sent.update).structs.map((struct) => {
      const { client, clock: from } = struct.id
      const content = struct instanceof Y.Item ? struct.content : undefined
      const text = content instanceof Y.ContentString ? content.str : ''
      const kind = kindOf.get(sent) ?? 'bold'
      return { client, from, to: from + struct.length, actor: sent.peer.actor, kind, text }
    }),
  )
}

function originOf(origins: readonly Origin[], id: string): Origin | undefined {
  const [client, clock] = id.split('/').map(Number)
  return origins.find(
    (one) => one.client === client && one.from <= Number(clock) && Number(clock) < one.to,
  )
}

/** Every living character of every text with its mark, read the way Yjs documents formats. */
function readAll(doc: Y.Doc): Char[][] {
  return textsOf(doc).map((text) => {
    const chars: Char[] = []
    let by = '?'
    for (let item = text._start; item !== null; item = item.right) {
      const { content, id } = item
      if (item.deleted) continue
      if (content instanceof Y.ContentFormat && content.key === 'authored') {
        by = content.value === null ? '?' : JSON.stringify(content.value)
      }
      if (!(content instanceof Y.ContentString)) continue
      const author = /^\{"by":"([^"]*)"\}$/.exec(by)?.[1] ?? `not a mark: ${by}`
      for (const [index, char] of content.str.split('').entries()) {
        chars.push({ id: `${id.client}/${id.clock + index}`, char, by: author })
      }
    }
    return chars
  })
}

/** The pieces, each once, of which a text is made; the longest that fits first. */
function spell(text: string, pieces: readonly string[]): string[] | undefined {
  if (text === '') return []
  const fitting = [...new Set(pieces)].filter((piece) => text.startsWith(piece))
  for (const piece of fitting.sort((a, b) => b.length - a.length)) {
    const left = [...pieces]
    left.splice(left.lastIndexOf(piece), 1)
    const rest = spell(text.slice(piece.length), left)
    if (rest !== undefined) return [piece, ...rest]
  }
  return undefined
}

function fuzz(name: string, calm: boolean, keptAtLeast: number): void {
  const tally = new Tally()
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 4 }),
      fc.array(step, { maxLength: 40 }),
      (count, steps) => {
        const run = new Run(count, calm)
        for (const one of steps) run.take(one)
        run.deliver()
        tally.add('steps', steps.length)
        tally.add('kept', run.model.kept)
        tally.add('put back', run.model.restored)
      },
    ),
    { seed, numRuns: runs },
  )
  const kept = keptAtLeast * tally.of('put back')
  tally.tell(`${seed} ${name}`, { steps: 3 * runs, 'put back': runs, kept })
}

test('marks tell the truth in a calm document', () => fuzz('authorship calm', true, 0.5))
test('marks tell the truth among concurrent edits', () => fuzz('authorship concurrent', false, 0.3))

test.run()
