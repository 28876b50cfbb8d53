/**
 * The service in this process, on data of its own, with restarts at the same address: what live
 * editors and agents of a scenario talk to. What it logs as an error is kept: in a lawful
 * world there is none.
 */
import * as assert from 'uvu/assert'
import type { WebSocket } from 'ws'
import type { Documents } from '../../core/documents/contract.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { pause } from '../waiting.ts'
import type { Engine, Running } from './engine.ts'
import { RealEngine } from './real-engine.ts'

/** Somebody with a token and a name of his own on one document. */
export interface Member {
  readonly actor: ActorId
  readonly token: string
}

export interface LawDocument {
  readonly slug: Slug
  /** The creator first. */
  readonly members: readonly Member[]
}

export interface Call {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

export class LawService {
  readonly errors: string[] = []
  readonly #engine: Engine
  #running: Running | undefined
  #restarting: Promise<void> | undefined
  #hasEnded = false

  private constructor(engine: Engine) {
    this.#engine = engine
  }

  static async start(engine: Engine = new RealEngine()): Promise<LawService> {
    const service = new LawService(engine)
    await service.#start()
    return service
  }

  get documents(): Documents {
    return this.#now.documents
  }

  get store(): Store {
    return this.#now.store
  }

  get address(): string {
    return this.#engine.address
  }

  /** Stops it cleanly and starts it again on the same data and port. */
  async restart(): Promise<void> {
    this.#restarting = this.#again()
    await this.#restarting
    this.#restarting = undefined
  }

  /** Resolves when no restart is under way. */
  async up(): Promise<void> {
    await this.#restarting
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#running?.stop()
    this.#engine.remove()
  }

  /** As a browser makes one. */
  socket(url: string, protocols: readonly string[]): WebSocket {
    return this.#engine.socket(url, protocols)
  }

  get runtime(): Runtime {
    return this.#engine.runtime
  }

  /**
   * One request; tries again while nobody listens, or while the service says that it cannot now.
   */
  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    for (;;) {
      await this.#restarting
      if (this.#hasEnded) throw new Error('the service has ended')
      const answer = await this.#attempt(method, path, call)
      if (answer !== undefined && answer.status !== 503) return answer
      await pause(10)
    }
  }

  async document(markdown: string, size: number): Promise<LawDocument> {
    const made = await this.call('POST', '/docs', { body: { markdown } })
    assert.is(made.status, 201, JSON.stringify(made.body))
    const slug = String(made.body['id']) as Slug
    const share = String(made.body['share_url']).split('token=')[1] ?? ''
    const members = [await this.#named(slug, String(made.body['access_token']), 'Maker')]
    while (members.length < size) {
      const headers = { 'X-Service-Share-Ingress': '1' }
      const read = await this.call('GET', `/docs/${slug}?docs`, { token: share, headers })
      const token = String(read.body['your_token'])
      members.push(await this.#named(slug, token, `Member ${members.length}`))
    }
    return { slug, members }
  }

  get #now(): Running {
    if (this.#running === undefined) throw new Error('the service does not run')
    return this.#running
  }

  async #again(): Promise<void> {
    await this.#now.stop()
    this.#running = undefined
    await this.#start()
  }

  async #start(): Promise<void> {
    this.#running = await this.#engine.start((error) => void this.errors.push(error))
  }

  async #attempt(method: string, path: string, call: Call): Promise<Answer | undefined> {
    const response = await this.#engine.request({
      method,
      path,
      headers: {
        ...call.headers,
        ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
    })
    if (response === undefined) return undefined
    const { status, headers, text } = response
    const fields = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    return { status, headers, body: fields }
  }

  async #named(slug: Slug, token: string, name: string): Promise<Member> {
    const body = { display_name: name, slug }
    const named = await this.call('POST', '/agents/identify', { token, body })
    assert.is(named.status, 200, JSON.stringify(named.body))
    return { actor: String(named.body['actor_id']) as ActorId, token }
  }
}
