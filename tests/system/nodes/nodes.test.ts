/**
 * Several nodes on one store: each takes any request, a document is open at one of them at a time,
 * and nothing that was acknowledged is lost when a node falls silent.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type * as Y from 'yjs'
import { documentLease, nodes as nodeRecords } from '../../../persistence/keys.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { freePort } from '../../free-port.ts'
import { CuttingProxy } from '../../postgres/cutting-proxy.ts'
import { stock } from '../../unit/server/wire.ts'
import { becomes, pause } from '../../waiting.ts'
import { Cluster } from './cluster.ts'

async function withCluster(count: number, work: (cluster: Cluster) => Promise<void>) {
  const cluster = await Cluster.start(count)
  try {
    await work(cluster)
  } finally {
    await cluster.close()
  }
}

interface Made {
  readonly slug: string
  readonly token: string
}

/** Replaces the one word that there is. */
const write = (cluster: Cluster, at: number, { slug, token }: Made, from: string, to: string) =>
  cluster.ask(at, 'PATCH', `/docs/${slug}`, {
    token,
    body: { edits: [{ old_string: from, new_string: to }] },
  })

const read = async (cluster: Cluster, at: number, { slug, token }: Made) =>
  (await cluster.ask(at, 'GET', `/docs/${slug}`, { token })).json['markdown']

/** The node that holds the document's lease. */
async function ownerOf(cluster: Cluster, { slug }: Made): Promise<number> {
  const stored = await cluster.store.get(documentLease(slug as Slug))
  if (stored === undefined) return -1
  const { node } = JSON.parse(Buffer.from(stored.value).toString())
  for await (const { key, value } of cluster.store.scan(nodeRecords)) {
    const { url } = JSON.parse(Buffer.from(value).toString())
    if (key === `node/${node}`) return cluster.nodes.findIndex(({ nodeUrl }) => nodeUrl === url)
  }
  return -1
}

/** A document that says `one`, open at this node. */
async function ownedBy(cluster: Cluster, at: number): Promise<Made> {
  for (;;) {
    const made = await cluster.create(at, 'zero\n')
    assert.is((await write(cluster, at, made, 'zero', 'one')).status, 200)
    if ((await ownerOf(cluster, made)) === at) return made
  }
}

test('an edit through any node is there for readers of every node', () =>
  withCluster(3, async (cluster) => {
    const made = await cluster.create(0, 'word0\n')
    for (let turn = 0; turn < 9; turn++) {
      const written = await write(cluster, turn % 3, made, `word${turn}`, `word${turn + 1}`)
      assert.is(written.status, 200, JSON.stringify(written.json))
      for (const reader of [0, 1, 2]) {
        assert.is(await read(cluster, reader, made), `word${turn + 1}\n`)
      }
    }
    assert.equal(cluster.errors, [])
  }))

test('nodes whose clocks are 30 s apart take each other for alive', () =>
  withCluster(1, async (cluster) => {
    await cluster.add({}, 30_000)
    await cluster.known()
    const made = await cluster.create(0, 'word0\n')
    for (let turn = 0; turn < 6; turn++) {
      const written = await write(cluster, turn % 2, made, `word${turn}`, `word${turn + 1}`)
      assert.is(written.status, 200, JSON.stringify(written.json))
    }
    const owner = await ownerOf(cluster, made)
    await pause(2 * limits.nodeLeaseMs)
    assert.is(await ownerOf(cluster, made), owner)
    assert.is(await read(cluster, 1 - owner, made), 'word6\n')
    assert.equal(cluster.errors, [])
  }))

test('leases of a dead node are swept', () =>
  withCluster(1, async (cluster) => {
    const key = documentLease('deaddeaddeaddeaddead' as Slug)
    const value = Buffer.from(JSON.stringify({ node: 'node_dead' }))
    await cluster.store.commit({ puts: [{ key, value }] })
    const made = await cluster.create(0, 'zero\n')
    assert.is((await write(cluster, 0, made, 'zero', 'one')).status, 200)
    assert.is(await cluster.at(0).service.nodes?.leases.sweep(), 1)
    assert.is(await cluster.store.get(key), undefined)
    assert.is(await ownerOf(cluster, made), 0)
  }))

test('editors at different nodes write in the same document', () =>
  withCluster(2, async (cluster) => {
    const made = await cluster.create(0, 'shared\n')
    const editors = cluster.nodes.map(({ url }) =>
      stock(url.replace('http://', ''), made.slug, made.token),
    )
    for (const { synced } of editors) await synced()
    const [first, second] = editors
    if (first === undefined || second === undefined) throw new TypeError('two editors')
    const paragraph = first.ydoc.getXmlFragment('prosemirror').get(0) as Y.XmlElement
    ;(paragraph.get(0) as Y.XmlText).insert(0, 'very ')
    const shown = second.ydoc.getXmlFragment('prosemirror')
    await becomes(async () => shown.toString().includes('very shared'))
    await becomes(async () => (await read(cluster, 1, made)) === 'very shared\n')
    for (const { stop } of editors) stop()
    assert.equal(cluster.errors, [])
  }))

test('a node that is cut off from the store loses its documents, and what it wrote is not doubled', () =>
  withCluster(2, async (cluster) => {
    const made = await cluster.create(0, 'zero\n')
    assert.is((await write(cluster, 0, made, 'zero', 'one')).status, 200)
    const owner = await ownerOf(cluster, made)
    const other = 1 - owner
    cluster.at(owner).gate.shut()
    const cutOff = write(cluster, owner, made, 'one', 'lost')
    await becomes(async () => (await write(cluster, other, made, 'one', 'two')).status === 200)
    assert.is(await ownerOf(cluster, made), other)
    cluster.at(owner).gate.open()
    assert.ok([409, 503].includes((await cutOff).status))
    assert.is(await read(cluster, other, made), 'two\n')
    await becomes(async () => (await read(cluster, owner, made)) === 'two\n')
    assert.is((await write(cluster, owner, made, 'two', 'three')).status, 200)
    assert.is(await read(cluster, other, made), 'three\n')
    const { json } = await cluster.ask(other, 'GET', `/docs/${made.slug}/history`, made)
    const revisions = (json['entries'] as { revision: number }[]).map(({ revision }) => revision)
    assert.equal(revisions, [4, 3, 2, 1].slice(-revisions.length))
  }))

test('nodes that do not reach each other: what waits is refused, and goes on when they do', () =>
  withCluster(1, async (cluster) => {
    const port = await freePort()
    const between = await CuttingProxy.open(port)
    await cluster.add({ PORT: String(port), NODE_URL: `http://127.0.0.1:${between.port}` })
    await cluster.known()
    const made = await ownedBy(cluster, 1)
    const ben = stock(cluster.at(0).url.replace('http://', ''), made.slug, made.token)
    const shows = (word: string) => async () =>
      ben.ydoc.getXmlFragment('prosemirror').toString().includes(word)
    await becomes(shows('one'))
    // Connections that were used stay open, and nothing comes through.
    between.isSilent = true
    const [edited, seen] = await Promise.all([
      write(cluster, 0, made, 'one', 'lost'),
      cluster.ask(0, 'GET', `/docs/${made.slug}`, made),
      becomes(async () => !ben.provider.wsconnected),
    ])
    assert.equal([edited.status, seen.status], [503, 503])
    assert.is((await write(cluster, 1, made, 'one', 'two')).status, 200)
    between.isSilent = false
    between.cutAll()
    await becomes(async () => (await read(cluster, 0, made)) === 'two\n')
    assert.is((await write(cluster, 0, made, 'two', 'three')).status, 200)
    await becomes(shows('three'))
    ben.stop()
    assert.is(await read(cluster, 1, made), 'three\n')
    await between.close()
  }))

test('a node that stops hands its documents over, and no request is refused meanwhile', () =>
  withCluster(2, async (cluster) => {
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) => cluster.create(index % 2, 'zero\n')),
    )
    for (const one of made) assert.is((await write(cluster, 0, one, 'zero', 'count1')).status, 200)
    const leaving = await Promise.all(made.map((one) => ownerOf(cluster, one)))
    assert.ok(new Set(leaving).size === 2, `owners ${leaving}`)
    let isOver = false
    const refused: unknown[] = []
    const writers = made.map(async (one) => {
      let count = 1
      while (!isOver) {
        const answer = await write(cluster, 1, one, `count${count}`, `count${++count}`)
        if (answer.status !== 200) refused.push(answer)
      }
      return count
    })
    await cluster.at(0).service.stop()
    isOver = true
    const counts = await Promise.all(writers)
    assert.equal(refused, [])
    for (const [index, one] of made.entries()) {
      assert.is(await ownerOf(cluster, one), 1)
      assert.is(await read(cluster, 1, one), `count${counts[index]}\n`)
    }
    assert.equal(cluster.errors, [])
  }))

test.run()
