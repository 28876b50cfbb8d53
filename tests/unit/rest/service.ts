/**
 * A service without its process for the tests of the REST layer: memory store, a listening socket
 * on a free port, and a client that holds every response against what its route declares.
 */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import * as assert from 'uvu/assert'
import { normalize } from '../../../core/assets/artifacts/normalize.ts'
import { type Assets, openAssets } from '../../../core/assets/assets.ts'
import { documentRules } from '../../../core/document-rules.ts'
import type { Documents } from '../../../core/documents/contract.ts'
import { type DocumentsParts, openDocuments } from '../../../core/documents/front/documents.ts'
import { Feedback } from '../../../core/feedback/feedback.ts'
import { AddressPolicy } from '../../../core/outbound/address-policy.ts'
import { openPeople, type People } from '../../../core/people.ts'
import { Purges } from '../../../core/purge/purges.ts'
import { openBlobStore } from '../../../persistence/blob-store.ts'
import { readEpoch } from '../../../persistence/epoch.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import type { Store } from '../../../persistence/store.ts'
import { routes } from '../../../rest/all-routes.ts'
import { createRest, type Rest } from '../../../rest/create-rest.ts'
import { webhookPayload } from '../../../rest/notifications/webhook-payload.ts'
import { errorsOf, type FullDeclaration } from '../../../rest/route.ts'
import type { RestOptions } from '../../../rest/services.ts'
import { type ErrorCode, errorCatalogue } from '../../../schema/errors.ts'
import { type Limits, limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { errorShape } from '../../../schema/wire/error.ts'
import type { LookUp } from '../../../server/outbound/look-up.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { isMessaged, openMessagedDocuments } from '../../messaged-documents.ts'

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as it came. */
  readonly bytes: Buffer
  /** The body as JSON; `undefined` when it is something else. */
  readonly json: Record<string, unknown>
}

export interface Call {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly raw?: string | Uint8Array
}

export interface Created {
  readonly slug: string
  readonly token: string
  readonly shareToken: string
  readonly answer: Answered
}

export interface LogLine {
  readonly fields: object
  readonly message: string
}

export interface TestService {
  readonly origin: string
  readonly documents: Documents
  readonly people: People
  readonly purges: Purges
  readonly assets: Assets
  readonly feedback: Feedback
  /** Where its blobs lie. */
  readonly directory: string
  readonly store: Store
  readonly runtime: Runtime
  readonly rest: Rest
  readonly log: LogLine[]
  /** So much time has gone by beside what really has. */
  ahead: number
  /** The clock on the wall alone was set forward by so much. */
  wallAhead: number
  call(method: string, path: string, call?: Call): Promise<Answered>
  /** An anonymous document; named when `name` is given. */
  create(markdown: string, name?: string): Promise<Created>
  close(): Promise<void>
}

export interface ServiceSettings {
  readonly config?: Partial<RestOptions['config']>
  readonly ready?: () => Promise<boolean>
  readonly metrics?: RestOptions['metrics']
  readonly wrapDocuments?: (documents: Documents) => Documents
  readonly wrapStore?: (store: Store) => Store
  readonly webhooksAllowPrivate?: boolean
  readonly outboundAllow?: readonly string[]
  /** The addresses of names; without it no name resolves. */
  readonly lookUp?: LookUp
  readonly webhookRetriesMs?: readonly number[]
  readonly webhookTimeoutMs?: number
  readonly limits?: Limits
  /** What its disk has room for. */
  readonly freeBytes?: () => number
}

/** No quota of any kind. */
export const noRates = {
  create: 0,
  identify: 0,
  account: 0,
  login: 0,
  guess: 0,
  dryRunMs: 0,
  uploadMb: 0,
  workMs: 0,
  writeMb: 0,
  link: 0,
  invite: 0,
  feedback: 0,
}

const noNames: LookUp = async (host) => {
  if (isIP(host) !== 0) return [host]
  if (host === 'localhost') return ['127.0.0.1']
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
}

/** As cheap as scrypt goes. */
const passwordCost = { N: 2, r: 1, p: 1 }

export async function startService(settings: ServiceSettings = {}): Promise<TestService> {
  const clock = { ahead: 0, wallAhead: 0 }
  const runtime: Runtime = {
    ...systemRuntime,
    now: () => systemRuntime.now() + clock.ahead + clock.wallAhead,
    elapsed: () => systemRuntime.elapsed() + clock.ahead,
  }
  const inner = await openMemoryStore({ runtime })
  const store = settings.wrapStore?.(inner) ?? inner
  const log: LogLine[] = []
  const write = (fields: object, message: string) => void log.push({ fields, message })
  const open = isMessaged
    ? (given: DocumentsParts) => openMessagedDocuments(given).documents
    : openDocuments
  const own = open({
    store,
    runtime,
    rules: documentRules(runtime),
    markdownMaxBytes: settings.config?.maxMarkdownBytes ?? limits.markdownMaxBytes,
    onTrouble: (trouble) => write(trouble, 'a document was dropped'),
  })
  const documents = settings.wrapDocuments?.(own) ?? own
  const outbound = openOutbound({
    runtime,
    policy: new AddressPolicy({
      allowPrivate: settings.webhooksAllowPrivate,
      allow: settings.outboundAllow,
    }),
    lookUp: settings.lookUp ?? noNames,
  })
  const people: People = openPeople({
    store,
    runtime,
    secretKey: Buffer.alloc(32, 7),
    passwordCost,
    webhooks: {
      outbound,
      payload: (event) => webhookPayload(event, { documents, access: people.access }),
      facts: (slug) => documents.facts(slug),
      timeoutMs: settings.webhookTimeoutMs ?? 5_000,
      retriesMs: settings.webhookRetriesMs ?? [3_600_000],
      onGivenUp: (what) => write(what, 'webhook deliveries failed permanently'),
      limits: settings.limits,
    },
    documents: own,
    onTrouble: (error) => write({ error }, 'work in the background failed'),
  })
  const directory = mkdtempSync(join(tmpdir(), 'service-'))
  const assets = await openAssets({
    store,
    blobs: await openBlobStore({ directory: join(directory, 'blobs'), runtime }),
    runtime,
    minFreeBytes: 1024,
    freeBytes: async () => settings.freeBytes?.() ?? Number.POSITIVE_INFINITY,
    normalize: async (source) => normalize(source),
  })
  const purges = new Purges({
    blobs: assets.blobs,
    store,
    documents,
    runtime,
    secretKey: Buffer.alloc(32, 7),
    onTrouble: (error) => write({ error }, 'a purge failed'),
  })
  const feedback = new Feedback({
    store,
    runtime,
    blobs: assets.blobs,
    writing: assets.writing,
    onTrouble: (error) => write({ error }, 'a sweep failed'),
  })
  const epoch = await readEpoch(store)
  const rest = createRest({
    documents,
    people,
    purges,
    assets,
    feedback,
    runtime,
    epoch: () => epoch,
    logger: { info: write, warn: write, error: write },
    config: {
      baseUrl: 'https://docs.example',
      followsHost: false,
      shortLinkBase: 'https://docs.example/s',
      webDirectory: '/nonexistent',
      trustProxy: 0,
      rates: noRates,
      registrationOpen: true,
      signup: 'open',
      guestsAllowed: true,
      maxMarkdownBytes: limits.markdownMaxBytes,
      ...settings.config,
    },
    ready: settings.ready ?? (async () => true),
    ...(settings.metrics && { metrics: settings.metrics }),
  })
  // A connection that was kept may be closed just when the next request takes it.
  const server = createServer({ keepAliveTimeout: 0 }, rest.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const call = async (method: string, path: string, given: Call = {}) => {
    const answer = await send(port, method, path, given)
    checkDeclared(method, path, answer)
    return answer
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    documents,
    people,
    purges,
    assets,
    feedback,
    directory,
    store,
    runtime,
    rest,
    log,
    get ahead() {
      return clock.ahead
    },
    set ahead(ms) {
      clock.ahead = ms
    },
    get wallAhead() {
      return clock.wallAhead
    },
    set wallAhead(ms) {
      clock.wallAhead = ms
    },
    call,
    async create(markdown, name) {
      const answer = await call('POST', '/docs', { body: { markdown } })
      assert.is(answer.status, 201, answer.text)
      const { id, access_token: token, share_url: share } = answer.json
      const slug = String(id)
      if (name !== undefined) {
        const body = { display_name: name, slug }
        const named = await call('POST', '/agents/identify', { token: String(token), body })
        assert.is(named.status, 200, named.text)
      }
      const shareToken = String(share).split('token=')[1] ?? ''
      return { slug, token: String(token), shareToken, answer }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await people.close()
      feedback.close()
      await own.close()
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
}

function send(port: number, method: string, path: string, call: Call): Promise<Answered> {
  const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const headers: Record<string, string | number> = {
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(payload !== undefined && { 'Content-Length': Buffer.byteLength(payload) }),
    ...(call.token !== undefined && { Authorization: `Bearer ${call.token}` }),
    ...call.headers,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        const json = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {}
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text, bytes, json })
      })
    })
    request.on('error', reject)
    request.end(payload)
  })
}

function declarationFor(method: string, path: string): FullDeclaration | undefined {
  const plain = path.split('?')[0] ?? path
  return routes
    .map(({ declaration }) => declaration)
    .find(
      (one) =>
        one.method === (method === 'HEAD' ? 'GET' : method) &&
        new RegExp(`^${one.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`).test(plain),
    )
}

const outsideRoutes: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED']

/** The response is one of those its route declares, in the shape it declares. */
function checkDeclared(method: string, path: string, answer: Answered): void {
  const { status, headers, json, text } = answer
  const where = `${method} ${path} ${status}`
  assert.ok(/^req_[0-9a-z]{20}$/.test(String(headers['x-request-id'])), `${where}: request id`)
  assert.is(headers['x-content-type-options'], 'nosniff')
  assert.is(headers['referrer-policy'], 'no-referrer')
  assert.match(String(headers['content-security-policy']), /frame-ancestors '(?:none|self)'/)
  if (status === 304 || method === 'HEAD') {
    assert.is(text, '')
    return
  }
  const declaration = declarationFor(method, path)
  // A person may get the page in the place of an error's body, where that is declared.
  const isPage =
    headers['content-type']?.startsWith('text/html') === true &&
    declaration?.success.otherStatuses?.includes(status) === true
  if (status >= 400 && !isPage) {
    const codes = declaration === undefined ? outsideRoutes : errorsOf(declaration)
    const problem = [...Value.Errors(errorShape(codes), json)][0]
    assert.is(problem, undefined, `${where} ${text.slice(0, 300)}: ${problem?.path}`)
    const { status: usual, ofTarget } = errorCatalogue[json['code'] as ErrorCode]
    assert.ok(status === usual || status === ofTarget, `${where}: ${json['code']}`)
    assert.is(json['request_id'], headers['x-request-id'])
    return
  }
  assert.ok(declaration !== undefined, `${where}: no such route is declared`)
  const { status: usual, otherStatuses = [] } = declaration?.success ?? { status: 0 }
  assert.ok([usual, ...otherStatuses].includes(status), where)
  if (!headers['content-type']?.startsWith('application/json')) return
  const shape = declaration?.success.body
  const problem = shape && [...Value.Errors(shape, json)][0]
  assert.is(problem, undefined, `${where}: ${problem?.path} ${problem?.message}`)
}
