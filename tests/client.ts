/**
 * A stranger's view of the service: it starts `dist/main.js` as a process of its own and speaks
 * HTTP to it. Every refusal is held against the one shape that all refusals share. It knows no
 * code of the service, only the contract: the interface, and the shapes of `schema/wire`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Value } from '@sinclair/typebox/value'
import * as assert from 'uvu/assert'
import {
  type ApiRoute,
  api,
  type Field,
  type Success,
  type SuccessWith,
} from '../schema/wire/api.ts'
import { type Asked, requestOf } from '../schema/wire/request.ts'
import { Chance } from './chance.ts'
import { type Child, startChild } from './child.ts'
import { newDatabase, type TestDatabase } from './postgres/databases.ts'
import { ReverseProxy } from './proxy.ts'

export type Fields = Record<string, unknown>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body, `{}` when the body is no JSON object. */
  readonly body: Fields
}

export interface Ask {
  readonly token?: string
  readonly body?: unknown
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** The service as a program sees it, or as a person in a browser does. */
interface Asker {
  ask(method: string, path: string, ask?: Ask): Promise<Answer>
}

/**
 * What a success of the route holds: it has the shape that is declared, and these fields of those
 * that it may have.
 */
export async function call<R extends ApiRoute, F extends Field<R> = never>(
  asker: Asker,
  route: R,
  fields: readonly F[],
  { token, ...asked }: Asked<R> & Pick<Ask, 'token'>,
): Promise<SuccessWith<R, F>> {
  const { method, path, headers, body } = requestOf<R>(route, asked as Asked<R>)
  const answer = await asker.ask(method, path, {
    headers,
    ...(token !== undefined && { token }),
    ...(body !== null && { raw: body }),
  })
  assert.ok(answer.status >= 200 && answer.status < 300, answer.text)
  const problem = Value.Errors(api[route].success, answer.body).First()
  assert.is(problem, undefined, `${route}: ${problem?.path} ${problem?.message}`)
  for (const field of fields) assert.ok(field in answer.body, `${route}: no ${field}`)
  return answer.body as SuccessWith<R, F>
}

/** The value that a path of keys leads to, undefined where the path ends early. */
export function pick(from: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined,
    from,
  )
}

export function asText(value: unknown): string {
  if (typeof value !== 'string') assert.unreachable(`no string: ${JSON.stringify(value)}`)
  return String(value)
}

export function asList(value: unknown): readonly Fields[] {
  assert.ok(Array.isArray(value), `no array: ${JSON.stringify(value)}`)
  return value as Fields[]
}

export function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** What the process printed and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly ms: number
}

/** A process of the service, as it says that it is ready. */
interface Node {
  readonly child: Child
  readonly port: number
}

type Settings = Readonly<Record<string, string>>

/** Processes of the service that tests start, unless they say otherwise. */
const nodesOfAll = Number(process.env['TEST_NODES'] ?? 1)

/**
 * The service as one process on LevelDB, or as several nodes on one PostgreSQL behind a proxy that
 * picks at random among those that run.
 */
export class Service {
  base = ''
  output = ''
  readonly directory = mkdtempSync(join(tmpdir(), 'acceptance-'))
  readonly #env: Readonly<Record<string, string>>
  readonly #count: number
  readonly #chance = new Chance(1)
  readonly #database: TestDatabase | undefined
  readonly #nodes: (Node | undefined)[] = []
  #shared: { readonly database: TestDatabase; readonly proxy: ReverseProxy } | undefined

  /** `database`: of several nodes, where they have one that they share with nobody. */
  constructor(
    env: Readonly<Record<string, string>> = {},
    count = nodesOfAll,
    database?: TestDatabase,
  ) {
    this.#env = env
    this.#count = count
    this.#database = database
  }

  spawn(
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    ...through: [] | [readonly [string, ...string[]]]
  ) {
    const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
    const [shell] = through
    return startChild({
      file,
      args,
      env: { ...inherited, ...env },
      ...(shell && { through: shell }),
    })
  }

  get environment() {
    return {
      PORT: '0',
      DATA_DIR: join(this.directory, 'data'),
      RATE_CREATE: '0',
      RATE_IDENTIFY: '0',
      RATE_ACCOUNT: '0',
      RATE_LOGIN: '0',
      RATE_GUESS: '0',
      RATE_DRY_RUN_MS: '0',
      RATE_WORK_MS: '0',
      RATE_WRITE_MB: '0',
      ...(this.#shared && {
        STORE_URL: this.#shared.database.url,
        SECRET_KEY: 'the same for all nodes of a test',
      }),
      ...this.#env,
    }
  }

  /** The address of one of several nodes. */
  baseOf(index: number): string {
    const node = this.#nodes[index]
    if (node === undefined) throw new Error(`node ${index} does not run`)
    return `http://127.0.0.1:${node.port}`
  }

  /** `extra`: settings beside those of all, or what a node's are. */
  async start(extra: Settings | ((node: number) => Settings) = {}) {
    this.output = ''
    if (this.#count > 1) await this.#share()
    const of = typeof extra === 'function' ? extra : () => extra
    const indexes = Array.from({ length: this.#count }, (_, index) => index)
    await Promise.all(indexes.map((index) => this.startNode(index, of(index))))
    this.base = this.#shared?.proxy.base.replace('localhost', '127.0.0.1') ?? this.baseOf(0)
    return this
  }

  /** Starts one of several nodes. */
  async startNode(index: number, extra: Readonly<Record<string, string>> = {}): Promise<void> {
    const own = index === 0 ? {} : { DATA_DIR: join(this.directory, `data-${index}`) }
    const child = this.spawn('dist/main.js', [], { ...this.environment, ...own, ...extra })
    const port = await within(20_000, this.#readyPort(child))
    const node = { child, port }
    this.#nodes[index] = node
    child.on('exit', () => {
      if (this.#nodes[index] === node) this.#nodes[index] = undefined
    })
  }

  /** Prints errors of the log, and lines that are no log, such as the stack trace of a crash. */
  #readyPort(child: Child): Promise<number> {
    return new Promise<number>((resolve, reject) => {
      const hear = (line: string) => {
        this.output += `${line}\n`
        const { level, msg, port } = parsed(line)
        if (level === undefined || Number(level) >= 50) console.log(line)
        if (msg === 'ready') resolve(Number(port))
      }
      for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', hear)
      child.on('close', () => reject(new Error(`no start: ${this.output}`)))
    })
  }

  /** Sends the signal to every node and waits for the end of all. */
  async end(signal: NodeJS.Signals): Promise<Ended> {
    const ended = await Promise.all(this.#nodes.map((_, index) => this.endNode(index, signal)))
    return ended[0] ?? this.#ended(null, null, 0)
  }

  async endNode(index: number, signal: NodeJS.Signals): Promise<Ended> {
    const child = this.#nodes[index]?.child
    this.#nodes[index] = undefined
    if (child === undefined || child.exitCode !== null) return this.#ended(null, null, 0)
    const started = performance.now()
    const exit = new Promise<Ended>((resolve) =>
      child.on('close', (code, by) => resolve(this.#ended(code, by, performance.now() - started))),
    )
    child.kill(signal)
    return within(15_000, exit)
  }

  /** Sends a signal that does not end it. */
  signal(index: number, signal: NodeJS.Signals): void {
    this.#nodes[index]?.child.kill(signal)
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, ms: number): Ended {
    return { code, signal, output: this.output, ms }
  }

  async #share(): Promise<void> {
    if (this.#shared !== undefined) return
    const database = this.#database ?? (await newDatabase())
    const running = () => this.#nodes.flatMap((node) => (node === undefined ? [] : [node.port]))
    const port = () => {
      const ports = running()
      return this.#chance.pick(ports) ?? 1
    }
    this.#shared = { database, proxy: await ReverseProxy.open({ port, breaksOff: true }) }
  }

  async remove() {
    await this.end('SIGKILL')
    await this.#shared?.proxy.close()
    await this.#shared?.database.drop()
    rmSync(this.directory, { recursive: true, force: true })
  }

  async ask(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const headers = new Headers(ask.headers)
    if (ask.token !== undefined) headers.set('authorization', `Bearer ${ask.token}`)
    const payload = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
    if (payload !== undefined && !headers.has('content-type')) {
      headers.set('content-type', 'application/json')
    }
    const init = { method, headers, redirect: 'manual' as const }
    const response = await within(
      20_000,
      fetch(this.base + path, payload === undefined ? init : { ...init, body: payload }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  get(path: string, token?: string, headers: Readonly<Record<string, string>> = {}) {
    return this.ask('GET', path, token === undefined ? { headers } : { token, headers })
  }

  post(path: string, body: unknown, ask: Ask = {}) {
    return this.ask('POST', path, { ...ask, body })
  }

  patch(path: string, body: unknown, ask: Ask = {}) {
    return this.ask('PATCH', path, { ...ask, body })
  }

  /** A document that nobody in particular made; its maker has a name. */
  async document(markdown: string): Promise<Made> {
    const made = await this.nameless(markdown)
    const { slug, token } = made
    await call(this, 'POST /agents/identify', [], { body: { display_name: 'Maker', slug }, token })
    return made
  }

  /** The same, whose maker has no name yet. */
  async nameless(markdown: string): Promise<Made> {
    return new Made(this, await call(this, 'POST /docs', ['access_token'], { body: { markdown } }))
  }

  agent(name: string): Promise<Success<'POST /agents/register'>> {
    return call(this, 'POST /agents/register', [], { body: { name } })
  }
}

/** One document and its maker's token. */
export class Made {
  readonly slug: string
  readonly token: string
  readonly actorId: string
  readonly shareToken: string
  readonly created: SuccessWith<'POST /docs', 'access_token'>
  readonly #service: Service

  constructor(service: Service, created: SuccessWith<'POST /docs', 'access_token'>) {
    this.#service = service
    this.created = created
    this.slug = created.id
    this.token = created.access_token
    this.actorId = created.actor_id
    const share = new URL(created.share_url, 'http://base.test')
    this.shareToken = share.searchParams.get('token') ?? ''
  }

  get path() {
    return `/docs/${this.slug}`
  }

  read(query = '') {
    return this.#service.get(this.path + query, this.token)
  }

  patch(body: unknown, ask: Ask & { readonly query?: string } = {}) {
    return this.#service.patch(this.path + (ask.query ?? ''), body, { token: this.token, ...ask })
  }

  /** One replacement without a base. */
  swap(oldString: string, newString: string) {
    return this.patch({ edits: [{ old_string: oldString, new_string: newString }] })
  }

  async markdown(): Promise<string> {
    return (await this.#text()).markdown
  }

  async revision(): Promise<number> {
    return (await this.#text()).revision
  }

  #text() {
    const { slug, token } = this
    return call(this.#service, 'GET /docs/:slug', ['markdown', 'revision'], { slug, token })
  }
}

/** Interface §7 and extensions §2: every refusal has this status, code and shape. */
export function refused(answer: Answer, status: number, code: string) {
  assert.is(`${answer.status} ${answer.body['code']}`, `${status} ${code}`, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.type(answer.body['error'], 'string')
  assert.ok(asText(answer.body['error']).length > 0)
  assert.type(answer.body['request_id'], 'string')
  assert.is(answer.body['request_id'], answer.headers.get('x-request-id'))
  if (status === 401 && code === 'AUTH_REQUIRED') {
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
}

export function succeeded(answer: Answer, status = 200): Fields {
  assert.is(answer.status, status, answer.text)
  return answer.body
}

export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
