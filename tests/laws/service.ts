/**
 * The real service in this process, on a data directory of its own, with restarts on the same port:
 * what live editors and agents of a scenario talk to. What it logs as an error is kept: in a lawful
 * world there is none.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import type { Documents } from '../../core/documents/contract.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Limits } from '../../schema/limits.ts'
import { type Service, startService } from '../../server/compose.ts'
import { readConfig } from '../../server/config.ts'
import { systemRuntime } from '../../server/runtime.ts'
import { pause } from './waiting.ts'

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

/** A request that hangs is a failure with a name. */
const answerWithinMs = 30_000

export class LawService {
  readonly #directory = mkdtempSync(join(tmpdir(), 'laws-'))
  readonly errors: string[] = []
  readonly #limits: Limits | undefined
  #service: Service | undefined
  #port = 0
  #restarting: Promise<void> | undefined
  #hasEnded = false

  private constructor(limits: Limits | undefined) {
    this.#limits = limits
  }

  static async start(limits?: Limits): Promise<LawService> {
    const service = new LawService(limits)
    await service.#start()
    return service
  }

  get documents(): Documents {
    return this.#running.documents
  }

  get store(): Store {
    return this.#running.store
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`
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
    await this.#service?.stop()
    rmSync(this.#directory, { recursive: true, force: true })
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

  get #running(): Service {
    if (this.#service === undefined) throw new Error('the service does not run')
    return this.#service
  }

  async #again(): Promise<void> {
    await this.#running.stop()
    this.#service = undefined
    await this.#start()
  }

  async #start(): Promise<void> {
    const config = readConfig({
      PORT: String(this.#port),
      DATA_DIR: this.#directory,
      RATE_CREATE: '0',
      RATE_IDENTIFY: '0',
      RATE_ACCOUNT: '0',
      RATE_DRY_RUN_MS: '0',
    })
    const write = (line: string) => void this.errors.push(line)
    const logger = pino({ level: 'error' }, { write })
    const limits = this.#limits
    this.#service = await startService({ config, runtime: systemRuntime, logger, limits })
    this.#port = this.#service.port
  }

  async #attempt(method: string, path: string, call: Call): Promise<Answer | undefined> {
    const headers = new Headers(call.headers)
    if (call.token !== undefined) headers.set('authorization', `Bearer ${call.token}`)
    if (call.body !== undefined) headers.set('content-type', 'application/json')
    const init = { method, headers, signal: AbortSignal.timeout(answerWithinMs) }
    const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) }
    try {
      const response = await fetch(`http://${this.address}${path}`, { ...init, ...body })
      const text = await response.text()
      const fields = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
      return { status: response.status, headers: response.headers, body: fields }
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  async #named(slug: Slug, token: string, name: string): Promise<Member> {
    const body = { display_name: name, slug }
    const named = await this.call('POST', '/agents/identify', { token, body })
    assert.is(named.status, 200, JSON.stringify(named.body))
    return { actor: String(named.body['actor_id']) as ActorId, token }
  }
}
