/**
 * The service without its process: real core, REST and sockets over a memory store that can be told
 * to misbehave, on a clock that a test moves. Everything that is logged as trouble is kept.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import * as assert from 'uvu/assert'
import { openAssets } from '../../../core/assets/assets.ts'
import { documentRules } from '../../../core/document-rules.ts'
import type { Documents } from '../../../core/documents/contract.ts'
import { type DocumentsParts, openDocuments } from '../../../core/documents/front/documents.ts'
import { Feedback } from '../../../core/feedback/feedback.ts'
import { issueToken } from '../../../core/links/tokens.ts'
import { openPeople, type People } from '../../../core/people.ts'
import { Purges } from '../../../core/purge/purges.ts'
import { records } from '../../../core/records/records.ts'
import { sha256Hex } from '../../../core/records/secrets.ts'
import type { BlobStore } from '../../../persistence/blob-store.ts'
import { readEpoch } from '../../../persistence/epoch.ts'
import { tokenBySha256 } from '../../../persistence/keys.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { createRest } from '../../../rest/create-rest.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import { type Limits, limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { SocketServer } from '../../../server/sockets/socket-server.ts'
import { isMessaged, openMessagedDocuments } from '../../messaged-documents.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { noRates } from '../rest/service.ts'
import { UnrulyStore } from './unruly-store.ts'

const secretKey = Buffer.alloc(32, 9)

export interface Made {
  readonly slug: Slug
  readonly token: string
  readonly actor: ActorId
  readonly share: string
}

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

export interface WorldParts<R extends Runtime> {
  readonly runtime: R
  readonly store: UnrulyStore
  readonly documents: Documents
  readonly people: People
  readonly server: Server
  readonly sockets: SocketServer
  readonly troubles: unknown[]
}

export class World<R extends Runtime> {
  readonly runtime: R
  readonly store: UnrulyStore
  readonly documents: Documents
  readonly people: People
  readonly sockets: SocketServer
  /** What an operator would find in the log as an error. */
  readonly troubles: unknown[]
  readonly #parts: WorldParts<R>

  constructor(parts: WorldParts<R>) {
    this.#parts = parts
    this.runtime = parts.runtime
    this.store = parts.store
    this.documents = parts.documents
    this.people = parts.people
    this.sockets = parts.sockets
    this.troubles = parts.troubles
  }

  get address(): string {
    const { port } = this.#parts.server.address() as AddressInfo
    return `127.0.0.1:${port}`
  }

  /** A connection that came some other way than over the network. */
  accept(connection: Duplex): void {
    this.#parts.server.emit('connection', connection)
  }

  /** TCP connections that are open. */
  get connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#parts.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })
  }

  async call(method: string, path: string, token?: string, body?: unknown): Promise<Answer> {
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` })
    if (body !== undefined) headers.set('content-type', 'application/json')
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`http://${this.address}${path}`, { method, headers, ...content })
    const text = await response.text()
    const fields = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { status: response.status, body: fields, headers: response.headers }
  }

  /** A document whose maker has this name (`''`: has none). */
  async create(markdown: string, name = 'Maker'): Promise<Made> {
    const made = await this.call('POST', '/docs', undefined, { markdown })
    assert.is(made.status, 201, JSON.stringify(made.body))
    const { id, access_token: token, actor_id: actor, share_url: share } = made.body
    const slug = String(id) as Slug
    if (name !== '') await this.identify(slug, String(token), name)
    return {
      slug,
      token: String(token),
      actor: String(actor) as ActorId,
      share: String(share).split('token=')[1] ?? '',
    }
  }

  async identify(slug: Slug, token: string, name: string): Promise<void> {
    const body = { display_name: name, slug }
    const named = await this.call('POST', '/agents/identify', token, body)
    assert.is(named.status, 200, JSON.stringify(named.body))
  }

  /** A document token of this role, as a share link of a later version would give it. */
  async token(slug: Slug, role: 'editor' | 'commenter' | 'viewer', name?: string): Promise<string> {
    const { runtime } = this
    const request = { slug, role, origin: 'create', displayName: name } as const
    const token = issueToken({ runtime, secretKey }, request)
    await this.store.commit({ puts: token.puts })
    return token.secret
  }

  async setRole(token: string, role: 'editor' | 'commenter' | 'viewer'): Promise<void> {
    const key = tokenBySha256(sha256Hex(token))
    const stored = await this.store.get(key)
    if (stored === undefined) throw new Error('no such token')
    const record = records.secret.decode(stored.value)
    const value = records.secret.encode({ ...record, role } as typeof record)
    await this.store.commit({ puts: [{ key, value }] })
  }

  async revoke(token: string): Promise<void> {
    await this.store.commit({ deletes: [tokenBySha256(sha256Hex(token))] })
  }

  async markdown({ slug }: { readonly slug: Slug }): Promise<string> {
    return (await this.documents.read(slug, { markdown: true })).markdown
  }

  async patch({ slug, token }: Made, oldText: string, newText: string): Promise<number> {
    const edits = [{ old_string: oldText, new_string: newText }]
    const answer = await this.call('PATCH', `/docs/${slug}`, token, { edits })
    assert.is(answer.status, 200, JSON.stringify(answer.body))
    return Number(answer.body['revision'])
  }

  async close(): Promise<void> {
    const { server, people, sockets } = this.#parts
    sockets.close()
    sockets.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    people.close()
    await this.documents.close()
    await this.store.close()
  }
}

/** Nothing is uploaded here: its disk is the engine's. */
const none = () => Promise.reject(new Error('a world has no blobs'))
const noBlobs: BlobStore = {
  scratch: none,
  create: none,
  open: none,
  delete: none,
  async *list() {},
}

export interface WorldSettings {
  /** Below it only small writes are taken. */
  readonly minFreeBytes?: number
  readonly freeBytes?: () => number
  /** Its store; a new one in memory when left out. */
  readonly store?: UnrulyStore
  readonly limits?: Limits | undefined
  /** Whether it has a port; else connections come by `accept`. Default true. */
  readonly isListening?: boolean
  /** Told of what is put among the troubles. */
  readonly onError?: (error: unknown) => void
  readonly markdownMaxBytes?: number
  readonly memoryMaxBytes?: number
  readonly memoryAimBytes?: number
}

export async function openWorld<R extends Runtime>(
  runtime: R,
  {
    markdownMaxBytes = limits.markdownMaxBytes,
    memoryMaxBytes = limits.memoryMaxBytes,
    ...settings
  }: WorldSettings = {},
): Promise<World<R>> {
  const store = settings.store ?? new UnrulyStore(await openMemoryStore({ runtime }))
  const troubles: unknown[] = []
  const onError = (error: unknown) => {
    troubles.push(error)
    settings.onError?.(error)
  }
  const open = isMessaged
    ? (given: DocumentsParts) => openMessagedDocuments(given).documents
    : openDocuments
  const documents = open({
    store,
    runtime,
    rules: documentRules(runtime),
    markdownMaxBytes,
    memoryMaxBytes,
    ...(settings.memoryAimBytes !== undefined && { memoryAimBytes: settings.memoryAimBytes }),
    limits: settings.limits,
    onTrouble: ({ error }) => onError(error),
  })
  const people = openPeople({ store, runtime, secretKey })
  const purges = new Purges({ store, documents, runtime, secretKey, onTrouble: onError })
  const assets = await openAssets({
    store,
    blobs: noBlobs,
    runtime,
    minFreeBytes: settings.minFreeBytes ?? 0,
    freeBytes: async () => settings.freeBytes?.() ?? 0,
    normalize: none,
  })
  const feedback = new Feedback({
    store,
    runtime,
    blobs: assets.blobs,
    writing: assets.writing,
    onTrouble: (error) => onError(error),
  })
  const firstEpoch = await readEpoch(store)
  const epoch = () => firstEpoch
  const rest = createRest({
    epoch,
    documents,
    people,
    purges,
    assets,
    feedback,
    runtime,
    logger: { info: () => {}, warn: () => {}, error: onError },
    config: {
      baseUrl: 'http://service.test',
      followsHost: false,
      shortLinkBase: 'http://service.test/s',
      webDirectory: '/nonexistent',
      trustProxy: 0,
      rates: noRates,
      registrationOpen: true,
      signup: 'open',
      guestsAllowed: true,
      maxMarkdownBytes: markdownMaxBytes,
    },
    ready: () => Promise.resolve(true),
  })
  const sockets = new SocketServer({
    documents,
    rest,
    runtime,
    epoch,
    space: assets.space,
    onError,
  })
  const server = createServer(rest.callback())
  sockets.attach(server)
  if (settings.isListening ?? true) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  return new World({ runtime, store, documents, people, server, sockets, troubles })
}

export const simulatedWorld = (settings?: WorldSettings): Promise<World<SimulatedRuntime>> =>
  openWorld(new SimulatedRuntime(), settings)
