/**
 * Law: threads of documents that end at any moment amid typing, edits and growth lose nothing that
 * was acknowledged and do nothing twice. LONG=1 ends them a hundred times.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { rebuildText } from '../../../core/commit/history-text.ts'
import { verifyDocument } from '../../../core/documents/verify.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { Chance } from '../../chance.ts'
import { type Answer, asList, asText, type Made, succeeded } from '../../client.ts'
import { pause } from '../../waiting.ts'
import { until } from '../acceptance/sockets.ts'
import { type Ground, groundOn } from '../load.ts'
import { ThreadedService } from './threaded-service.ts'
import { WatchedKeys } from './watched-keys.ts'

const seed = Number(process.env['SEED'] ?? 1)
const kills = process.env['LONG'] === undefined ? 8 : 100
const service = new ThreadedService()
test.before(() => service.start().then(() => undefined))
const open: { stop(): void }[] = []
test.after(async () => {
  for (const one of open) one.stop()
  await service.remove()
})

interface Edited {
  readonly word: string
  readonly revision: number
  readonly markdown: string
}

/** Somebody who edits one document word by word, each until it is answered. */
class Editing {
  readonly done: Edited[] = []
  /** Answers of 503. */
  refusals = 0
  readonly #made: Made
  readonly #token: string
  readonly #prefix: string
  readonly #growth: string
  #isOver = false
  #work: Promise<void> = Promise.resolve()

  /** `growth`: what each edit brings beside its word. */
  constructor({ made, editor }: Ground, prefix: string, growth = '') {
    this.#made = made
    this.#token = editor
    this.#prefix = prefix
    this.#growth = growth
  }

  begin(): this {
    this.#work = this.#edit()
    return this
  }

  async rest(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  /** Whatever becomes of what is under way. */
  stop(): void {
    this.#isOver = true
    this.#work.catch(() => undefined)
  }

  async #edit(): Promise<void> {
    while (!this.#isOver) {
      const word = `${this.#prefix}${this.done.length}e`
      const edits = [{ old_string: 'edits', new_string: `edits ${word}${this.#growth}` }]
      const answer = await this.#until(() => this.#ask(word, edits))
      const { revision, markdown } = succeeded(answer)
      this.done.push({ word, revision: Number(revision), markdown: asText(markdown) })
      await pause(5)
    }
  }

  #ask(word: string, edits: unknown): Promise<Answer> {
    const headers = { 'Idempotency-Key': `key-${word}` }
    return this.#made.patch({ edits }, { token: this.#token, headers })
  }

  async #until(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask()
      if (answer.status !== 503) return answer
      this.refusals++
      assert.is(answer.body['code'], 'UNAVAILABLE', answer.text)
      await pause(10)
    }
  }
}

interface Scene {
  readonly made: Made
  readonly keys: WatchedKeys
  readonly editing: Editing
}

async function scene(prefix: string, growth = ''): Promise<Scene> {
  const ground = await groundOn(service)
  const keys = await new WatchedKeys(service, ground.made, `${prefix}t`).begin()
  const editing = new Editing(ground, `${prefix}p`, growth).begin()
  open.push(keys, editing)
  return { made: ground.made, keys, editing }
}

async function assertWhole({ made, keys, editing }: Scene): Promise<void> {
  const { store } = service.running
  const slug = made.slug as Slug
  assert.is(await verifyDocument(store, slug, runtime), undefined, slug)
  const words = (await made.markdown()).split(/\s+/)
  const standing = new Set(words)
  for (const word of keys.typist.saved) assert.ok(standing.has(word), `${word} was called saved`)
  for (const { word, revision, markdown } of editing.done) {
    assert.is(words.filter((one) => one === word).length, 1, `${word} stands once`)
    assert.is(await rebuildText(store, slug, revision), markdown, `revision ${revision}`)
  }
  const typed = words.filter((word) => /t\d+e$/.test(word))
  assert.is(new Set(typed).size, typed.length, 'no typed word stands twice')
  assert.is(keys.typist.live.text, keys.watcher.text, 'editors converge')
  assert.ok(keys.typist.saved.length > 0 && editing.done.length > 0, 'there was something to lose')
}

/** Each edit is the editor's alone, and each revision beside them the typist's. */
async function assertAuthors({ made, editing }: Scene): Promise<void> {
  const edits = new Set(editing.done.map(({ revision }) => revision))
  const editors = new Set<string>()
  let seen = 0
  for (let cursor = ''; cursor !== 'null'; ) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`
    const page = succeeded(await service.get(`${made.path}/history?limit=100${query}`, made.token))
    for (const row of asList(page['entries'])) {
      assert.is(row['actor_ids'], undefined, JSON.stringify(row))
      const actor = asText(row['actor_id'])
      if (!edits.has(Number(row['revision']))) assert.is(actor, made.actorId)
      else {
        editors.add(actor)
        seen++
      }
    }
    cursor = String(page['next_cursor'])
  }
  assert.is(seen, edits.size)
  assert.is(editors.size, 1)
  assert.not(editors.has(made.actorId))
}

/** What the service said is named where it does not. */
const goesOn = (claim: () => boolean): Promise<void> =>
  until(claim, 20_000).catch((error: Error) => {
    throw new Error(`${error.message}; the log: ${JSON.stringify(service.errors.slice(-6))}`)
  })

/** Asked again: a thread that has just been replaced knows of no document. */
async function end(slug: string, what: 'exit' | 'throw'): Promise<void> {
  const ends = service.replaced.length
  const hasEnded = () => service.replaced.length > ends
  while (!hasEnded()) {
    service.fault(slug, what)
    for (let waited = 0; waited < 100 && !hasEnded(); waited++) await pause(10)
  }
}

test(`threads end ${kills} times amid load: nothing acknowledged is lost`, async () => {
  const chance = new Chance(seed)
  const scenes = [await scene('a'), await scene('b')]
  let growing = await scene('g0', `\n\n${'grows '.repeat(1_500)}`)
  const grown: Scene[] = []
  const rest = async ({ editing, keys }: Scene) => {
    await editing.rest()
    await keys.rest()
  }
  for (let kill = 0; kill < kills; kill++) {
    const { made, keys, editing } = chance.oneOf([...scenes, growing])
    const [typed, edited] = [keys.tookMs.length, editing.done.length]
    await goesOn(() => keys.tookMs.length > typed && editing.done.length > edited)
    await pause(chance.below(60))
    await end(made.slug, chance.oneOf(['exit', 'throw'] as const))
    // Some end again while they load.
    if (chance.below(3) === 0) service.fault(made.slug, 'exit')
    const chars = growing.editing.done.at(-1)?.markdown.length ?? 0
    if (chars < 2 * limits.largeHostFromChars) continue
    await rest(growing)
    growing.keys.stop()
    grown.push(growing)
    growing = await scene(`g${grown.length}`, `\n\n${'grows '.repeat(1_500)}`)
  }
  const all = [...scenes, growing]
  const hasWork = ({ keys, editing }: Scene) =>
    keys.typist.saved.length > 0 && editing.done.length > 0
  await goesOn(() => all.every(hasWork))
  await Promise.all(all.map(rest))
  for (const one of [...all, ...grown]) await assertWhole(one)
  for (const one of scenes) await assertAuthors(one)
  for (const { keys } of all) {
    const troubles = service.errors.filter(({ worker }) => worker === undefined)
    assert.not(
      keys.wasClosed,
      `a socket was closed: ${JSON.stringify([keys.typist.closes, troubles.slice(0, 5)])}`,
    )
  }
  const refusals = [...all, ...grown].reduce((sum, { editing }) => sum + editing.refusals, 0)
  const edits = [...all, ...grown].reduce((sum, { editing }) => sum + editing.done.length, 0)
  const ends = service.replaced.length
  console.log(`\nseed ${seed} ends: ${ends}, edits ${edits}, refused ${refusals}, lost 0`)
})

test.run()
