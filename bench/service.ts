/**
 * The service as `npm start` runs it, in a process of its own on a fresh LevelDB, and an HTTP client
 * that measures from the first byte written to the last byte read.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryFacts } from './probe.ts'
import { MeasuredProcess } from './process.ts'

export interface Answer {
  readonly status: number
  readonly etag: string | undefined
  readonly bytes: Buffer
  readonly ms: number
}

export interface Person {
  readonly token: string
  readonly actor: string
}

export interface Created {
  readonly slug: string
  readonly path: string
  readonly shareToken: string
  readonly owner: Person
  readonly ms: number
}

interface Call {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServiceOptions {
  /** Arguments for Node itself. */
  readonly node?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The one core it may run on. */
  readonly core?: number
  /** The quotas that it has unless told otherwise; default: none that a measurement would meet. */
  readonly hasQuotas?: boolean
  /** Whether it can be asked for what only the process knows, which costs memory. Default: true. */
  readonly isProbed?: boolean
  /** The loopback address that this client of it calls from. */
  readonly from?: string
}

const probe = ['--import', 'tsx', '--import', './bench/probe.ts']
const withParent = ['--import', './tests/with-parent.js']

export const jsonOf = <T>(answer: Answer): T => JSON.parse(answer.bytes.toString()) as T

export class BenchService {
  #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  readonly #options: ServiceOptions
  readonly #directory: string
  readonly port: number
  process: MeasuredProcess

  private constructor(directory: string, port: number, options: ServiceOptions) {
    this.#directory = directory
    this.#options = options
    this.port = port
    this.process = this.#spawn()
  }

  static async start(options: ServiceOptions = {}): Promise<BenchService> {
    const directory = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'))
    const service = new BenchService(directory, await freePort(), options)
    try {
      await service.#ready()
    } catch (error) {
      service.discard()
      throw error
    }
    return service
  }

  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { token, body, headers } = call
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          ...(this.#options.from !== undefined && { localAddress: this.#options.from }),
          port: this.port,
          host: '127.0.0.1',
          method,
          path,
          headers: {
            ...(payload !== undefined && { 'content-type': 'application/json' }),
            ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const took = performance.now() - started
            const bytes = Buffer.concat(chunks)
            const status = response.statusCode ?? 0
            resolve({ status, etag: response.headers.etag, bytes, ms: took })
          })
        },
      )
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The service had just closed the idle connection that was used again.
        if (sent.reusedSocket && error.code === 'ECONNRESET') {
          resolve(this.call(method, path, call))
        } else reject(error)
      })
      sent.end(payload)
    })
  }

  /** Like `call`, for what has to succeed. */
  async must(method: string, path: string, call: Call = {}): Promise<Answer> {
    const answer = await this.call(method, path, call)
    if (answer.status < 300) return answer
    throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes.toString().slice(0, 500)}`)
  }

  async create(markdown: string): Promise<Created> {
    const answer = await this.must('POST', '/docs', { body: { markdown } })
    const { id, access_token, share_url } = jsonOf<Record<string, string>>(answer)
    const path = `/docs/${id}`
    const shareToken = new URL(share_url ?? '', 'http://x').searchParams.get('token') ?? ''
    const owner = await this.#named(String(id), String(access_token), 'Bench')
    return { slug: String(id), path, shareToken, owner, ms: answer.ms }
  }

  /** One more person with a name of their own, who may edit. */
  async join({ slug, path, shareToken }: Created, name: string): Promise<Person> {
    const answer = await this.must('GET', `${path}?docs`, { token: shareToken })
    return this.#named(slug, String(jsonOf<Record<string, string>>(answer)['your_token']), name)
  }

  /** What its store has written to its log since that was begun anew, which 4 MB do. */
  loggedBytes(): number {
    const store = join(this.#directory, 'store')
    const logs = readdirSync(store).filter((name) => name.endsWith('.log'))
    // One that was begun anew meanwhile is gone.
    const sizeOf = (name: string) =>
      statSync(join(store, name), { throwIfNoEntry: false })?.size ?? 0
    return logs.reduce((sum, name) => sum + sizeOf(name), 0)
  }

  hold(): Promise<number> {
    return this.process.ask('hold')
  }

  memory(): Promise<MemoryFacts> {
    return this.process.ask('memory')
  }

  /** Stops the process and starts another on the same store. */
  async restart(): Promise<void> {
    await this.process.stop()
    this.#agent.destroy()
    this.#agent = new Agent({ keepAlive: true, maxSockets: 16 })
    this.process = this.#spawn()
    await this.#ready()
  }

  /** Kills the process and starts another on the same store; milliseconds until that answers. */
  async crash(): Promise<number> {
    this.process.kill()
    const killed = performance.now()
    await this.restart()
    return performance.now() - killed
  }

  /** Ends it at once and takes its data away: for when this process itself is told to end. */
  discard(): void {
    this.process.kill()
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 })
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.process.stop()
    await rm(this.#directory, { recursive: true, force: true })
  }

  async #named(slug: string, token: string, name: string): Promise<Person> {
    const body = { display_name: name, slug }
    await this.must('POST', '/agents/identify', { token, body })
    const read = await this.must('GET', `/docs/${slug}`, { token })
    const { actors } = jsonOf<{ actors: Record<string, unknown> }>(read)
    return { token, actor: Object.keys(actors)[0] ?? '' }
  }

  #spawn(): MeasuredProcess {
    const { node = [], env = {}, core, hasQuotas = false, isProbed = true } = this.#options
    const rates = [
      ...['RATE_CREATE', 'RATE_IDENTIFY', 'RATE_ACCOUNT', 'RATE_LOGIN', 'RATE_GUESS'],
      ...['RATE_DRY_RUN_MS', 'RATE_WORK_MS', 'RATE_WRITE_MB'],
    ]
    const file = 'BENCH_IDLE_MS' in env ? 'bench/short-idle.ts' : 'dist/main.js'
    const free = Object.fromEntries(rates.map((name) => [name, '0']))
    return new MeasuredProcess({
      ...(core !== undefined && { core }),
      args: [...(isProbed ? probe : withParent), ...node, file],
      env: {
        PORT: String(this.port),
        DATA_DIR: this.#directory,
        LOG_LEVEL: 'error',
        ...(!hasQuotas && free),
        ...env,
      },
    })
  }

  async #ready(): Promise<void> {
    for (let turn = 0; turn < 400; turn++) {
      const answer = await this.call('GET', '/readyz').catch(() => undefined)
      if (answer !== undefined) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the service does not start: ${this.process.errors}`)
  }
}

/** Kept over restarts, so that the origin of a document stays. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
