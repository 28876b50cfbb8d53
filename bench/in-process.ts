/**
 * The documents without HTTP, sockets or other processes, so that processor time can be charged to one
 * edit or one keystroke. Started by edits.ts and typing.ts with the measurement's name; answers once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Y from 'yjs'
import type {
  ConnectRequest,
  Documents,
  LivePeer,
  LiveSession,
  Writer,
} from '../core/documents/contract.ts'
import { openDocuments } from '../core/documents/front/documents.ts'
import { openLevelStore, openMemoryStore, type Store } from '../persistence/index.ts'
import { type ActorId, newSlug, type Slug } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'
import { systemRuntime } from '../server/runtime.ts'
import { newBlockId, stampedParagraph, textOf } from './editor.ts'
import { median, quantile } from './stats.ts'
import { documentOf, sizes } from './text.ts'
import { TypistClock } from './typist-clock.ts'
import { Words } from './words.ts'

export interface EditNumbers {
  readonly edits: readonly { name: string; p50: number; cpu: number }[]
  readonly history: { readonly revisions: number; readonly slowest: number }
}

export interface TypingNumbers {
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor time for each keystroke. */
  readonly cpu: number
}

const writer: Writer = { actor: 'ai:bench' as ActorId, authMethod: 'token' }

class World {
  readonly store: Store
  readonly documents: Documents
  readonly #runtime: Runtime

  constructor(store: Store, runtime: Runtime) {
    this.store = store
    this.#runtime = runtime
    const onTrouble = ({ error }: { error: unknown }) => {
      throw error
    }
    this.documents = openDocuments({ store, runtime, onTrouble })
  }

  async create(blocks: number): Promise<Slug> {
    const slug = newSlug(this.#runtime)
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const markdown = documentOf(blocks)
    await this.documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: {} })
    return slug
  }

  async close(): Promise<void> {
    await this.documents.close()
    await this.store.close()
  }
}

async function onDisk<T>(
  run: (world: World) => Promise<T>,
  runtime: Runtime = systemRuntime,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'))
  const world = new World(await openLevelStore({ directory, runtime }), runtime)
  try {
    return await run(world)
  } finally {
    await world.close()
    await rm(directory, { recursive: true, force: true })
  }
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** One word replaced at a time, the sizes in turns, so that noise meets them alike. */
async function edits(repeats: number, revisions: number): Promise<EditNumbers> {
  return onDisk(async (world) => {
    const { documents } = world
    const measured = []
    for (const { name, blocks } of sizes) {
      const slug = await world.create(blocks)
      measured.push({ name, slug, words: new Words(blocks), taken: [] as number[], cpu: 0 })
    }
    const patch = ({ slug, words }: { slug: Slug; words: Words }) =>
      documents.patch(slug, { edits: [words.next()], dryRun: false, writer })
    const round = 10
    for (let turn = -5; turn < repeats / round; turn++) {
      for (const size of measured) {
        const before = cpuMs()
        for (let count = 0; count < round; count++) {
          const started = performance.now()
          await patch(size)
          if (turn >= 0) size.taken.push(performance.now() - started)
        }
        if (turn >= 0) size.cpu += cpuMs() - before
      }
    }
    const edited = measured.map(({ name, taken, cpu }) => ({
      name,
      p50: median(taken),
      cpu: cpu / taken.length,
    }))
    const largest = measured.at(-1)
    if (largest === undefined) throw new Error('no sizes')
    let revision = 0
    while (revision < revisions) revision = (await patch(largest)).revision
    const rebuilt: number[] = []
    for (let at = 1; at <= revision; at += Math.floor(revision / 40)) {
      const started = performance.now()
      await documents.revisionText(largest.slug, at)
      rebuilt.push(performance.now() - started)
    }
    return { edits: edited, history: { revisions: revision, slowest: Math.max(...rebuilt) } }
  })
}

/** A peer that counts what is durable of its updates. */
class Typist implements LivePeer {
  saved = 0
  #wake: (() => void) | undefined

  readonly request: ConnectRequest = {
    events: true,
    knowsEpoch: true,
    access: {
      role: 'editor',
      actor: writer.actor,
      writer,
      holder: 'typist',
      sources: { address: '127.0.0.1', link: 'typist' },
    },
  }

  onCurrent(): void {}

  onUpdate(): void {}
  onChange(): void {}
  onProvenance(): void {}
  onWrite(): void {}
  onReading(): void {}
  onBegun(): void {}

  onSaved({ updates }: { readonly updates: number }): void {
    this.saved = updates
    this.#wake?.()
  }

  onClose(code: number, reason: string): void {
    throw new Error(`closed: ${code} ${reason}`)
  }

  async reached(count: number): Promise<void> {
    while (this.saved < count) await new Promise<void>((resolve) => (this.#wake = resolve))
  }
}

const keysPerParagraph = 60
/** The service compiles what is often run; that of the first half hour is not the cost of a key. */
const warmKeys = 16_000
/** Ten keys a second. */
const msPerKey = 100

/** What an editor sends for so many keys: sentences in one paragraph after the other. */
async function keystrokes(session: LiveSession, count: number): Promise<Uint8Array[]> {
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, await session.answerStep1(new Uint8Array([0])))
  const fragment = ydoc.getXmlFragment('prosemirror')
  const updates: Uint8Array[] = []
  ydoc.on('update', (update: Uint8Array) => updates.push(update))
  let at = Math.floor(fragment.length / 2)
  for (let key = 0; key < count; key++) {
    if (key % keysPerParagraph === 0) {
      fragment.insert(++at, [stampedParagraph(newBlockId(), 'A', writer.actor)])
    } else {
      const text = textOf(fragment, at)
      text.insert(text.length, key % 6 === 0 ? ' ' : 'k')
    }
  }
  return updates
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Each key waits for the one before to be saved, so that nothing is merged, and comes in a turn of
 * its own, as from a socket; what the turns alone cost is taken off.
 */
async function typing(
  world: World,
  clock: TypistClock,
  { blocks, count }: { readonly blocks: number; readonly count: number },
): Promise<TypingNumbers> {
  const slug = await world.create(blocks)
  const typist = new Typist()
  const session = await world.documents.connect(slug, typist.request, typist)
  const updates = await keystrokes(session, warmKeys + count)
  const taken: number[] = []
  let before = cpuMs()
  for (const [key, update] of updates.entries()) {
    if (key === warmKeys) before = cpuMs()
    const started = performance.now()
    session.receive(update, false)
    await typist.reached(key + 1)
    if (key >= warmKeys) taken.push(performance.now() - started)
    clock.pass(msPerKey)
    await turn()
  }
  const used = cpuMs() - before
  before = cpuMs()
  for (let turns = 0; turns < count; turns++) await turn()
  const idle = cpuMs() - before
  session.leave()
  return { p50: median(taken), p99: quantile(taken, 0.99), cpu: (used - idle) / count }
}

async function typingBeforeDisk(blocks: number, count: number): Promise<TypingNumbers> {
  const clock = new TypistClock()
  const world = new World(await openMemoryStore({ runtime: clock }), clock)
  const numbers = await typing(world, clock, { blocks, count })
  await world.close()
  return numbers
}

function typingOnDisk(blocks: number, count: number): Promise<TypingNumbers> {
  const clock = new TypistClock()
  return onDisk((world) => typing(world, clock, { blocks, count }), clock)
}

const [name, ...counts] = process.argv.slice(2)
const [first = 0, second = 0] = counts.map(Number)
const measurements: Readonly<Record<string, () => Promise<unknown>>> = {
  edits: () => edits(first, second),
  'typing-before-disk': () => typingBeforeDisk(first, second),
  'typing-disk': () => typingOnDisk(first, second),
}
process.send?.(await measurements[name ?? '']?.())
process.disconnect?.()
