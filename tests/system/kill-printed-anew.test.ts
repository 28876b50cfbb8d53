/**
 * Law: a service that is killed while documents are first edited that an earlier version printed
 * otherwise notes that in exactly one revision of each (extensions §12), however often it is
 * killed; what was read before stays as it was read, and each edit that was answered is there once.
 * SEED=n repeats another seed.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { rebuildText } from '../../core/commit/history-text.ts'
import { verifyDocument } from '../../core/documents/verify.ts'
import { openLevelStore, type Store } from '../../persistence/index.ts'
import type { Slug } from '../../schema/ids.ts'
import { systemRuntime as runtime } from '../../server/runtime.ts'
import { Chance } from '../chance.ts'
import { type Answer, asList, type Made, Service } from '../client.ts'
import { printedBefore } from '../laws/rest/printed-before.ts'
import { pause, until } from '../waiting.ts'

const seed = Number(process.env['SEED'] ?? 1)
const kills = process.env['LONG'] === undefined ? 4 : 60
const documentsPerLife = 8
const service = new Service()
test.after(() => service.remove())

const now = 'one **a:**漢 three\n'
const before = 'one **a:**&#28450; three\n'

/** A document, and the words that edits put behind its first, the newest first. */
class Edited {
  readonly made: Made
  readonly #words: string[] = []
  /** The last edit got no answer: it is there or not. */
  #open: string | undefined

  constructor(made: Made) {
    this.made = made
  }

  get slug(): Slug {
    return this.made.slug as Slug
  }

  get edits(): number {
    return this.#words.length
  }

  get text(): string {
    return now.replace('one', ['one', ...this.#words].join(' '))
  }

  /** Tells whether it was answered; one that was not is asked again, by its key. */
  async edit(word: string): Promise<boolean> {
    const asked = this.#open ?? word
    this.#open = asked
    const edits = [{ old_string: 'one', new_string: `one ${asked}` }]
    const headers = { 'Idempotency-Key': `key-${asked}` }
    const answer: Answer | undefined = await this.made
      .patch({ edits }, { headers })
      .catch(() => undefined)
    if (answer === undefined || answer.status === 503) return false
    assert.is(answer.status, 200, answer.text)
    this.#open = undefined
    this.#words.unshift(asked)
    return true
  }

  /** Which revision notes that the text is printed otherwise. */
  async noted(): Promise<number[]> {
    const { body } = await service.get(`${this.made.path}/history`, this.made.token)
    return asList(body['entries'])
      .filter((entry) => JSON.stringify(entry).includes('service:corrections'))
      .map(({ revision }) => Number(revision))
  }
}

/** Works on the store of the service, which is not running. */
async function onStore(directory: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openLevelStore({ directory, runtime })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

const directory = () => join(service.environment.DATA_DIR, 'store')

async function assertWhole(documents: readonly Edited[]): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'killed-'))
  await cp(directory(), copy, { recursive: true })
  try {
    await onStore(copy, async (store) => {
      for (const { slug, text, edits } of documents) {
        assert.is(await verifyDocument(store, slug, runtime), undefined, slug)
        assert.is(await rebuildText(store, slug, 1), before)
        if (edits === 0) continue
        assert.is(await rebuildText(store, slug, 2), now)
        assert.is(await rebuildText(store, slug, 2 + edits), text)
      }
    })
  } finally {
    await rm(copy, { recursive: true })
  }
}

test(`kill -9 while documents are printed anew, ${kills} times: each is noted once`, async () => {
  const chance = new Chance(seed)
  await service.start()
  const documents: Edited[] = []
  for (let index = 0; index < kills * documentsPerLife; index++) {
    documents.push(new Edited(await service.document(now)))
  }
  await service.end('SIGTERM')
  await onStore(directory(), async (store) => {
    for (const { slug } of documents) await printedBefore(store, slug, before)
  })
  let [unanswered, cut] = [0, 0]
  for (let life = 0; life < kills; life++) {
    await service.start()
    const fresh = documents.slice(life * documentsPerLife, (life + 1) * documentsPerLife)
    const edit = async (document: Edited, index: number): Promise<void> => {
      await pause(index * 10)
      for (let n = 0; await document.edit(`l${life}d${document.slug}n${n}`); n++);
      unanswered++
    }
    const editing = fresh.slice(0, -2).map(edit)
    const isBegun = () => (fresh.some(({ edits }) => edits > 0) ? true : undefined)
    await until(20_000, isBegun, () => 'no edit is answered')
    await pause(chance.below(60))
    // The last ones have their first edit when the service dies.
    editing.push(...fresh.slice(-2).map(edit))
    await pause(chance.below(20))
    await service.end('SIGKILL')
    await Promise.all(editing)
    cut += fresh.filter(({ edits }) => edits === 0).length
    await assertWhole(fresh)
  }
  await service.start()
  for (const document of documents) {
    assert.ok(await document.edit('last'), document.slug)
    assert.equal(await document.noted(), [2], document.slug)
    assert.is(await document.made.markdown(), document.text)
    assert.is(await document.made.revision(), 2 + document.edits)
  }
  await service.end('SIGTERM')
  await assertWhole(documents)
  assert.is(unanswered, documents.length)
  assert.ok(cut > 0 && cut < documents.length, `${cut} were cut off in their first edit`)
  console.log(
    `\nseed ${seed} kills while printed anew: ${kills}, documents ${documents.length}, ` +
      `cut off in their first edit ${cut}, lost 0`,
  )
})

test.run()
