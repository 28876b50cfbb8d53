/**
 * What people wait when the node that has their document is killed: from the kill to the moment at
 * which a letter that one of them types right after it is at the other. Both are stock y-websocket
 * clients behind a proxy that picks at random among the nodes that run.
 */
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { Chance } from '../../tests/chance.ts'
import { ReverseProxy } from '../../tests/proxy.ts'
import { until } from '../../tests/waiting.ts'
import { textOf } from '../editor.ts'
import type { Report } from '../report.ts'
import { type BenchService, jsonOf, type Person } from '../service.ts'
import { digits, ms, quantile } from '../stats.ts'
import { holderOf, install, known } from './installation.ts'

const patienceMs = 30_000

class Client {
  readonly #ydoc = new Y.Doc()
  readonly provider: WebsocketProvider

  constructor(base: string, slug: string, { token }: Person) {
    this.provider = new WebsocketProvider(`${base}/docs/${slug}`, 'live', this.#ydoc, {
      disableBc: true,
      protocols: ['yjs', `bearer.${token}`],
      WebSocketPolyfill: WebSocket as unknown as typeof globalThis.WebSocket,
    })
  }

  get #text(): Y.XmlText {
    return textOf(this.#ydoc.getXmlFragment('prosemirror'), 0)
  }

  get length(): number {
    return this.#text.length
  }

  async synced(): Promise<void> {
    const is = () => (this.provider.synced ? true : undefined)
    await until(patienceMs, is, () => 'a client is not synced')
  }

  type(): void {
    this.#text.insert(this.#text.length, 'x')
  }

  /** Resolves when the text is so long. */
  heard(length: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('a letter is lost')), patienceMs)
      const look = () => {
        if (this.length < length) return
        clearTimeout(late)
        this.#ydoc.off('update', look)
        resolve()
      }
      this.#ydoc.on('update', look)
      look()
    })
  }

  stop(): void {
    this.provider.destroy()
    this.#ydoc.destroy()
  }
}

export async function measureTakeover(report: Report, isQuick: boolean): Promise<void> {
  const kills = isQuick ? 4 : 24
  const installation = await install('PostgreSQL, two nodes')
  const { nodes, first, database } = installation
  if (database === undefined) throw new TypeError('no database')
  const chance = new Chance(1)
  const running = new Set<BenchService>(nodes)
  const port = () => chance.pick([...running])?.port ?? 1
  const proxy = await ReverseProxy.open({ port, breaksOff: true })
  const clients: Client[] = []
  const taken: number[] = []
  let kept = 0
  try {
    const base = proxy.base.replace('http', 'ws').replace('localhost', '127.0.0.1')
    const document = await first.create('Letters: \n')
    const people = [document.owner, await first.join(document, 'Other')]
    for (const person of people) clients.push(new Client(base, document.slug, person))
    const [typist, reader] = clients
    if (typist === undefined || reader === undefined) throw new TypeError('two clients')
    for (let kill = 0; kill < kills; kill++) {
      for (const client of clients) await client.synced()
      await reader.heard(typist.length)
      const killed = await holderOf(installation, document.slug)
      if (killed === undefined) throw new TypeError('nobody has the document')
      running.delete(killed)
      killed.process.kill()
      const at = performance.now()
      typist.type()
      await reader.heard(typist.length)
      taken.push(performance.now() - at)
      await killed.restart()
      running.add(killed)
      await known(database, nodes.length)
    }
    const read = await first.must('GET', document.path, { token: document.owner.token })
    const { markdown } = jsonOf<{ markdown: string }>(read)
    kept = markdown.split('x').length - 1
  } finally {
    for (const client of clients) client.stop()
    await proxy.close()
    await installation.stop()
  }
  const what = `a node is killed, ${kills} times: a letter typed then is at the other client`
  report.below(`${what}, p50`, quantile(taken, 0.5), { most: 2_500, write: ms })
  report.below('… p99, the slowest of them', quantile(taken, 0.99), { most: 4_000, write: ms })
  report.note('… the quickest', ms(Math.min(...taken)))
  report.note('… letters lost, or there twice', digits(Math.abs(kills - kept)))
}
