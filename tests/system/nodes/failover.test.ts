/**
 * The database of two nodes fails over to a standby that lacks the last seconds: what the standby
 * had stays, and nothing is done twice. Editors that stayed open bring back what they wrote; those
 * that have seen lost words of others are turned away with 4409, and go on with a new copy.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHead } from '../../../core/commit/head.ts'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { readEpoch } from '../../../persistence/epoch.ts'
import {
  allDocSlugs,
  docHead,
  docSectionRange,
  openPostgresStore,
  parseKey,
  type Store,
} from '../../../persistence/index.ts'
import type { Slug } from '../../../schema/ids.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { asText, type Made, Service } from '../../client.ts'
import { CuttingProxy } from '../../postgres/cutting-proxy.ts'
import { ask, hasOwnPostgres, needing, rows } from '../../postgres/databases.ts'
import { PostgresServer } from '../../postgres/server.ts'
import { pause } from '../../waiting.ts'
import { until } from '../acceptance/sockets.ts'
import { groundOn, Load } from '../load.ts'
import { Typist } from '../typist.ts'

const testOf = needing(test, hasOwnPostgres)
const lagMs = 3_000
/** So long a typist takes for a word. */
const keyEveryMs = 50

interface Scene {
  readonly service: Service
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** Between standby and primary. */
  readonly replication: CuttingProxy
  /** Each node's way to the database. */
  readonly ways: readonly CuttingProxy[]
}

async function withStandby(work: (scene: Scene) => Promise<void>): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const primary = await PostgresServer.start({ wal_keep_size: '256MB' })
    undo.push(() => primary.remove())
    const replication = await CuttingProxy.open(primary.port)
    undo.push(() => replication.close())
    const standby = await primary.standby(replication.port)
    undo.push(() => standby.remove())
    const ways = await Promise.all([0, 1].map(() => CuttingProxy.open(primary.port)))
    undo.push(() => Promise.all(ways.map((way) => way.close())))
    const service = new Service({}, 2, { url: primary.url(), drop: async () => {} })
    undo.push(() => service.remove())
    await service.start((node) => ({ STORE_URL: primary.url('postgres', ways[node]?.port) }))
    await work({ service, primary, standby, replication, ways })
  } finally {
    for (const one of undo.reverse()) await one()
  }
}

async function position(server: PostgresServer, of: string): Promise<bigint> {
  const [row] = await rows<{ at: string }>(server.url(), `SELECT ${of} - '0/0'::pg_lsn AS at`)
  return BigInt(row?.at ?? 0)
}

/** What is committed so far is on the standby. */
async function caughtUp({ primary, standby }: Scene): Promise<void> {
  const wanted = await position(primary, 'pg_current_wal_flush_lsn()')
  await until(async () => (await position(standby, 'pg_last_wal_replay_lsn()')) >= wanted)
}

async function failOver({ primary, standby, ways }: Scene): Promise<void> {
  await primary.kill()
  for (const way of ways) way.target = standby.port
  // For a while the nodes reach a server that takes no writes.
  await pause(300)
  await ask(standby.url(), 'SELECT pg_promote()')
}

async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openPostgresStore({ url, runtime })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Revisions follow each other up to the head's, from the first that is kept. */
async function assertDense(store: Store, slug: Slug): Promise<void> {
  const head = await store.get(docHead(slug))
  assert.ok(head, `${slug} has no head`)
  const { revision } = decodeHead(slug, head?.value ?? new Uint8Array())
  const kept: number[] = []
  for await (const { key } of store.scan(docSectionRange(slug, 'history'))) {
    kept.push(Number(parseKey(key)?.path[0]))
  }
  const first = revision - kept.length + 1
  assert.equal(
    kept,
    kept.map((_, at) => first + at),
    slug,
  )
  assert.ok(first <= 2, `${slug} begins at ${first}`)
}

/** Three windows of one person on a document, in two of which words are typed. */
class Editors {
  readonly #typists: readonly Typist[]
  readonly #typing: Promise<unknown>
  readonly #words: string[][] = [[], []]

  constructor(service: Service, { slug, token }: Made) {
    this.#typists = [0, 1, 2].map(() => new Typist(service, slug, token))
    const type = async (words: string[], at: number) => {
      const next = () => {
        const word = `typed${at}x${words.length}`
        words.push(word)
        return word
      }
      await this.#typists[at]?.type('typed', next, keyEveryMs)
    }
    this.#typing = Promise.all(this.#words.map(type))
  }

  get saved(): readonly string[] {
    return this.#typists.flatMap(({ saved }) => saved)
  }

  get closes(): readonly (readonly number[])[] {
    return this.#typists.map(({ closes }) => closes)
  }

  get texts(): readonly string[] {
    return this.#typists.map(({ live }) => live.text)
  }

  /** All that was typed; nobody types any more. */
  async rest(): Promise<readonly string[]> {
    for (const typist of this.#typists) typist.rest()
    await this.#typing
    return this.#words.flat()
  }

  stop(): void {
    for (const typist of this.#typists) typist.stop()
  }
}

/** Somebody who opens the document now can type in it. */
async function assertTypes(service: Service, { slug, token }: Made): Promise<void> {
  const typist = new Typist(service, slug, token)
  let words = 0
  const typing = typist.type('typed', () => `anew${words++}`, keyEveryMs)
  await until(() => typist.saved.length > 2)
  typist.rest()
  await typing
  typist.stop()
}

/** What got no answer and has a key is asked for again. */
async function tryAgain(load: Load): Promise<void> {
  for (const request of load.requests) {
    if (request.key === undefined || request.answer !== undefined) continue
    const again = await load.ask(request)
    assert.ok(again.status < 300, again.text)
    request.answer = again
  }
}

type Owed = ReturnType<Load['owed']>

/** Of the words that were begun with this number or later. */
function owedSince(owed: Owed, begun: number): Owed {
  const left: Owed = new Map()
  for (const [path, words] of owed) {
    const later = [...words].filter((word) => Number(/n(\d+)e$/.exec(word)?.[1]) >= begun)
    if (later.length > 0) left.set(path, new Set(later))
  }
  return left
}

/** Documents that were made and are not there. */
async function lostCreates(store: Store, { requests }: Load): Promise<number> {
  let lost = 0
  for (const { method, answer } of requests) {
    if (method !== 'POST' || answer === undefined) continue
    const head = docHead(asText(answer.body['id']) as Slug)
    if ((await store.get(head)) === undefined) lost += 1
  }
  return lost
}

const countOf = (words: readonly string[], word: string) => words.filter((w) => w === word).length

testOf('the database fails over to a standby that is seconds behind', () =>
  withStandby(async (scene) => {
    const { service, primary, standby, replication } = scene
    const live = await service.document('typed\n')
    const grounds = [await groundOn(service), await groundOn(service)]
    const load = new Load(service, grounds, 'failover', true)
    const editors = new Editors(service, live)
    try {
      load.start()
      await until(() => load.acknowledged > 40 && editors.saved.length > 40, 15_000)
      const epoch = await withStore(primary.url(), readEpoch)
      const [had, savedBefore] = [load.owed(), editors.saved]
      await caughtUp(scene)
      replication.isSilent = true
      const [before, typedBefore] = [load.acknowledged, editors.saved.length]
      await pause(lagMs)
      const lagging = [load.acknowledged - before, editors.saved.length - typedBefore]
      assert.ok(
        lagging.every((count) => count > 10),
        `acknowledged meanwhile: ${lagging}`,
      )
      await failOver(scene)
      const [again, savedThen, begun] = [load.acknowledged, editors.saved.length, load.begun]
      await until(
        () => load.acknowledged > again + 20 && editors.saved.length > savedThen + 20,
        15_000,
      )
      await load.finish()
      const typed = await editors.rest()
      await tryAgain(load)
      await load.assertKept(had)
      await load.assertKept(owedSince(load.owed(), begun))
      await until(async () => {
        const markdown = await live.markdown()
        return editors.texts.every((text) => text.trim() === markdown.trim())
      })
      const words = (await live.markdown()).split(/\s+/)
      for (const word of typed) assert.is(countOf(words, word), 1, `${word} of an open editor`)
      for (const word of savedBefore) assert.is(countOf(words, word), 1, word)
      for (const closes of editors.closes) assert.ok(closes.includes(1013), `${closes}`)
      for (const { typist } of load.typists) {
        assert.ok(typist.closes.includes(1013), `${typist.closes}`)
        typist.stop()
      }
      // Their copies have lost words of the agents, so a new one takes their place.
      for (const { made } of grounds) await assertTypes(service, made)
      editors.stop()
      await service.end('SIGTERM')
      await withStore(standby.url(), async (store) => {
        assert.is.not(await readEpoch(store), epoch)
        const lost = await lostCreates(store, load)
        assert.ok(lost > 0, 'the standby lacked nothing')
        let documents = 0
        for await (const slug of allDocSlugs(store)) {
          assert.is(await verifyDocument(store, slug, runtime), undefined, slug)
          await assertDense(store, slug)
          documents += 1
        }
        console.log(
          `\nfailover: ${documents} documents, ${lost} lost; ${lagging} acknowledged behind the standby`,
        )
      })
    } finally {
      editors.stop()
      await load.abandon()
    }
  }),
)

test.run()
