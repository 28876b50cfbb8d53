/** Several nodes of the service in this process, on one store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openMemoryStore, type Store } from '../../../persistence/index.ts'
import { type Service, startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { freePort } from '../../free-port.ts'
import { becomes } from '../../waiting.ts'
import { Gate } from './gate.ts'

export interface ClusterNode {
  readonly url: string
  /** Where the other nodes reach it. */
  readonly nodeUrl: string
  readonly service: Service
  /** Between it and the store. */
  readonly gate: Gate
}

export interface Asked {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly json: Record<string, unknown>
}

export class Cluster {
  readonly nodes: ClusterNode[] = []
  readonly errors: string[] = []
  readonly #directory = mkdtempSync(join(tmpdir(), 'cluster-'))
  readonly store: Store

  private constructor(store: Store) {
    this.store = store
  }

  static async start(count: number, settings: Readonly<Record<string, string>> = {}) {
    const cluster = new Cluster(await openMemoryStore({ runtime: systemRuntime }))
    for (let index = 0; index < count; index++) await cluster.add(settings)
    await cluster.known()
    return cluster
  }

  /** `aheadMs`: how far its clock is ahead of the others'. */
  async add(settings: Readonly<Record<string, string>> = {}, aheadMs = 0): Promise<ClusterNode> {
    const port = settings['PORT'] ?? String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const config = readConfig({
      PORT: port,
      DATA_DIR: this.#directory,
      SECRET_KEY: 'the same for all nodes',
      NODE_URL: url,
      DOCUMENT_THREADS: '0',
      STORE_URL: 'memory:',
      RATE_CREATE: '0',
      RATE_IDENTIFY: '0',
      ...settings,
    })
    const gate = new Gate(this.store)
    const logger = pino({ level: 'error' }, { write: (line) => void this.errors.push(line) })
    const runtime = { ...systemRuntime, now: () => systemRuntime.now() + aheadMs }
    const service = await startService({ config, runtime, logger, store: gate })
    const node = { url, nodeUrl: config.nodeUrl ?? url, service, gate }
    this.nodes.push(node)
    return node
  }

  /** Resolves when each node knows all others. */
  async known(): Promise<void> {
    const others = this.nodes.length - 1
    const knows = ({ service }: ClusterNode) => service.nodes?.membership.others.length === others
    await becomes(async () => this.nodes.every(knows))
  }

  at(index: number): ClusterNode {
    const node = this.nodes[index]
    if (node === undefined) throw new TypeError(`there is no node ${index}`)
    return node
  }

  async ask(at: number, method: string, path: string, asked: Asked = {}): Promise<Answered> {
    const { token, body } = asked
    const headers: Record<string, string> = { ...asked.headers }
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${this.at(at).url}${path}`, init)
    const text = await response.text()
    return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
  }

  /** A document of this node's making: its slug, and a token that may edit. */
  async create(at: number, markdown: string) {
    const { status, json } = await this.ask(at, 'POST', '/docs', { body: { markdown } })
    if (status !== 201 && status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`)
    const slug = String(json['id'])
    const body = { slug, display_name: 'Quill' }
    const token = String(json['access_token'])
    const known = await this.ask(at, 'POST', '/agents/identify', { body, token })
    if (known.status !== 200) throw new Error(`${known.status} ${JSON.stringify(known.json)}`)
    return { slug, token }
  }

  async close(): Promise<void> {
    for (const { gate } of this.nodes) gate.open()
    await Promise.all(this.nodes.map(({ service }) => service.stop()))
    await this.store.close()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
