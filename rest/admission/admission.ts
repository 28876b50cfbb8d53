/**
 * From a matched route to a request its handler may act on. The one place that knows in which order
 * refusals apply: quota 429, no such document 404, credential 401, role 403, archived 423, body and
 * query 400, identity 412, lock 403; whatever the handler refuses (409, 422) comes after.
 */
import type { IncomingMessage } from 'node:http'
import type { Credential } from '../../core/access/credentials.ts'
import { assertPermitted, type Grounds } from '../../core/access/permitted.ts'
import { checksOf } from '../../core/access/roles.ts'
import type { Permission } from '../../core/documents/contract.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { callerAddress, networkOf } from '../addresses/caller-address.ts'
import type { Answer } from '../answers/answer.ts'
import { reserveRoom } from '../answers/answer-room.ts'
import { type JsonBody, type JsonBodyRules, readJsonBody, refuseBody } from '../bodies/json-body.ts'
import { requireUpload, uploadOf } from '../bodies/upload.ts'
import {
  type Arrival,
  lookAtHolder,
  type Traced,
  takeAccountQuota,
  takeCallersQuota,
  takeQuota,
} from '../quotas/admission-quotas.ts'
import { actionOf, type Caller, type FullDeclaration, isOnDocument, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { admitted } from './admitted.ts'
import { isBearing, requireBearing } from './credential-kinds.ts'
import { bearerOf, browserOf, linkOf } from './credentials.ts'
import { type DocumentContext, enterDocument } from './document-access.ts'
import { refuseSecret } from './wrong-secrets.ts'

const idempotencyKeyMaxChars = 200

/** Runs the route for this request, or refuses. */
export async function admit(route: Route, arrival: Arrival, services: Services): Promise<Answer> {
  const address = callerAddress(arrival.request, services.config.trustProxy)
  takeQuota(route.declaration, address, arrival, services)
  const share = services.bodies.open(address)
  const { request, requestId, path, params, search, room, onQuota, onDeprecated } = arrival
  const known = { request, requestId, path, params, search, room, onQuota, onDeprecated }
  const traced = { ...known, address, share }
  try {
    return await run(route, traced, services)
  } finally {
    share.release()
  }
}

async function run(route: Route, arrival: Traced, services: Services): Promise<Answer> {
  const { declaration } = route
  const { request, share, room } = arrival
  const isEarly = declaration.slugIn === 'body'
  const early = isEarly
    ? await settled(
        readJsonBody(request, share, {
          maxBytes: limits.bodyMaxBytes[declaration.bodyLimit],
          inTurn: inTurnOf(arrival, services),
        }),
      )
    : undefined
  // What came with the headers is at hand after a turn of the microtasks.
  await undefined
  const isWhole = hasAllOf(request)
  const { actionOf: asked } = declaration
  const admitNow = (access: Caller) =>
    admitCaller(declaration, access, { arrival, early, services })
  // Of a body that is not there yet nothing is asked.
  const unread =
    (declaration.body ? undefined : asked?.(undefined, arrival.search)) ?? declaration.access
  const first = await admitNow(unread)
  takeCallersQuota(declaration, first.credential, arrival, services)
  takeAccountQuota(declaration, first.credential, arrival, services)
  await lookAtHolder(declaration, first.credential, arrival, services)
  if (declaration.takesSpace) await services.assets.space.require()
  const body = await bodyOf(declaration, { arrival, early, services })
  if (writes(declaration, arrival.search)) {
    await services.assets.space.requireFor(body?.bytes.length ?? 0)
  }
  const access = (body && asked?.(body.value, arrival.search)) ?? unread
  const again = async () => sameCaller(first, await admitNow(access))
  // A body takes as long as its sender likes: what counts is what the caller may do by then.
  const isSettled = body === undefined || (isWhole && access === unread)
  const { credential, document } = isSettled ? first : await again()
  const query = queryRecord(arrival.search, declaration)
  const host = {
    config: services.config,
    now: services.runtime.now(),
    onDeprecated: arrival.onDeprecated,
  }
  route.check(query, body?.value, host)
  const displayName = inlineName(declaration, body?.value)
  const idempotencyKey = declaration.keepsOutcome?.(query) ? idempotencyKeyOf(request) : undefined
  const permissionOf = (caller: Called): Permission | undefined => {
    const permission = permissionFor(access, { caller, displayName, renewed })
    if (caller.document !== undefined) permission?.assertOn(caller.document.facts)
    return permission
  }
  const stillPermitted = async () => permissionOf(await again())
  const renewed = async () => {
    const permission = await stillPermitted()
    if (permission === undefined) throw new Refusal('AUTH_REQUIRED')
    return permission
  }
  const { requestId, path, params, address, onQuota } = arrival
  const sources = { address: networkOf(address), link: linkOf(credential) }
  const found = {
    requestId,
    params,
    address,
    sources,
    credential,
    document,
    displayName,
    idempotencyKey,
    upload:
      declaration.upload &&
      uploadOf(request, declaration.upload, { source: sources, address, services }),
    permission: permissionOf({ credential, document }),
    room,
    query,
    body: body?.value,
    onQuota,
    stillPermitted,
  }
  await reserveRoom(room, { answer: declaration.answer, slug: document?.slug }, services)
  return route.act(admitted(found, { request, path, body, address }, services), services)
}

const writes = ({ method }: FullDeclaration, search: URLSearchParams): boolean =>
  method !== 'GET' && search.get('dryRun') !== 'true'

/** Whether nothing is to come any more; Node says so only after it has let others go on. */
const hasAllOf = ({ complete, headers, readableLength }: IncomingMessage): boolean =>
  complete || headers['content-length'] === String(readableLength)

interface Called {
  readonly credential: Credential | undefined
  readonly document: DocumentContext | undefined
}

function permissionFor(
  access: Caller,
  of: {
    readonly caller: Called
    readonly displayName: string | undefined
    readonly renewed: () => Promise<Permission>
  },
): Permission | undefined {
  const { caller, displayName, renewed } = of
  const { credential, document } = caller
  const action = actionOf(access)
  if (action !== undefined && document !== undefined) {
    return permissionTo({ action, standing: document.standing, displayName }, renewed)
  }
  return credential && holding(credential, renewed)
}

/** Who came with a credential that has ended meanwhile is not taken for nobody. */
function sameCaller(first: Called, now: Called): Called {
  if (first.credential !== undefined && now.credential === undefined) {
    throw new Refusal('AUTH_REQUIRED')
  }
  return now
}

/** Document, then credential, then role; the parts a route does not ask for are left out. */
async function admitCaller(
  { credentialRequired, ownerKeys, path }: FullDeclaration,
  access: Caller,
  {
    arrival,
    early,
    services,
  }: {
    readonly arrival: Arrival
    readonly early: Settled<JsonBody> | undefined
    readonly services: Services
  },
): Promise<Called> {
  if (access === 'none') {
    await refuseInAddress(path, arrival, services)
    return { credential: undefined, document: undefined }
  }
  const action = actionOf(access)
  if (action === undefined) {
    const credential = await credentialOf(arrival, undefined, services)
    if (isBearing(access)) requireBearing(credential, access)
    else if (credential?.kind === 'owner-key' && ownerKeys === undefined)
      throw new Refusal('FORBIDDEN')
    return { credential, document: undefined }
  }
  const slug = early === undefined ? arrival.params['slug'] : slugIn(early)
  if (slug === undefined) {
    const credential = await credentialOf(arrival, undefined, services)
    if (credential === undefined) throw new Refusal('AUTH_REQUIRED')
    return { credential: undefined, document: undefined }
  }
  return enterDocument(services, {
    slug,
    action,
    credentialRequired: credentialRequired === true,
    credential: (known) => credentialOf(arrival, known, services),
  })
}

/** Also where none is asked for (interface §5). Refuses DOC_NOT_FOUND, AUTH_HEADER_REQUIRED. */
async function refuseInAddress(
  path: string,
  { search, params }: Pick<Arrival, 'search' | 'params'>,
  { documents }: Pick<Services, 'documents'>,
): Promise<void> {
  if (!isOnDocument(path) || !search.has('token')) return
  const slug = params['slug'] ?? ''
  if (!isSlug(slug)) throw new Refusal('DOC_NOT_FOUND')
  await documents.facts(slug)
  throw new Refusal('AUTH_HEADER_REQUIRED')
}

/**
 * Bearer wins over cookies; `undefined`: none came, or cookies that are no good. Refuses
 * AUTH_HEADER_REQUIRED, AUTH_REQUIRED or RATE_LIMITED for a Bearer that is no good, FORBIDDEN for a
 * foreign Origin.
 */
async function credentialOf(
  { request, search, onQuota }: Pick<Arrival, 'request' | 'search' | 'onQuota'>,
  slug: Slug | undefined,
  services: Services,
): Promise<Credential | undefined> {
  if (search.has('token')) throw new Refusal('AUTH_HEADER_REQUIRED')
  const header = request.headers.authorization
  if (header === undefined) return browserOf(request, slug, services)
  const secret = bearerOf(header)
  const credential =
    secret === undefined ? undefined : await services.people.access.authenticate(secret)
  if (credential === undefined) {
    const address = callerAddress(request, services.config.trustProxy)
    refuseSecret({ address, onQuota }, services)
  }
  return credential
}

/** An attempt whose failure has to wait for its turn among the refusals. */
type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; error: unknown }

const settled = <T>(attempt: Promise<T>): Promise<Settled<T>> =>
  attempt.then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  )

/** The slug a body names; `undefined` when it names none, which is for the body's check to say. */
function slugIn(early: Settled<JsonBody>): string | undefined {
  const body = early.ok ? early.value.value : undefined
  if (typeof body !== 'object' || body === null || !('slug' in body)) return undefined
  return typeof body.slug === 'string' ? body.slug : undefined
}

function inTurnOf({ address }: Traced, { fair }: Services): JsonBodyRules['inTurn'] {
  return (parse) => fair.run({ address: networkOf(address) }, parse)
}

async function bodyOf(
  declaration: FullDeclaration,
  {
    arrival,
    early,
    services,
  }: {
    readonly arrival: Traced
    readonly early: Settled<JsonBody> | undefined
    readonly services: Services
  },
): Promise<JsonBody | undefined> {
  const { request, share } = arrival
  if (declaration.upload !== undefined) {
    requireUpload(request, declaration.upload)
    return undefined
  }
  if (declaration.body === undefined) {
    if (declaration.method !== 'GET') await refuseBody(request, share)
    return undefined
  }
  if (early === undefined) {
    const { closedBody: closed = false, optionalBody: optional = false } = declaration
    const maxBytes = limits.bodyMaxBytes[declaration.bodyLimit]
    const inTurn = inTurnOf(arrival, services)
    return readJsonBody(request, share, { maxBytes, closed, optional, inTurn })
  }
  if (early.ok) return early.value
  throw early.error
}

/** Flags repeat harmlessly and `include` adds up; any other repetition has two meanings. */
function queryRecord(
  search: URLSearchParams,
  declaration: FullDeclaration,
): Record<string, string> {
  const record = new Map<string, string>()
  for (const [name, value] of search) {
    const before = record.get(name)
    if (before === undefined) record.set(name, value)
    else if (name === 'include') record.set(name, `${before},${value}`)
    else if (before !== value) throw repeated(name, declaration)
  }
  return Object.fromEntries(record)
}

function repeated(name: string, declaration: FullDeclaration): Refusal {
  const issues = [{ path: `?${name}`, message: 'is given twice' }]
  return declaration.filters?.has(name)
    ? new Refusal('INVALID_FILTER', { filter: name, issues })
    : new Refusal('INVALID_REQUEST', { issues })
}

/** The name a checked body carries, in the form it is kept. */
function inlineName(declaration: FullDeclaration, body: unknown): string | undefined {
  if (declaration.body === undefined) return undefined
  if (typeof body !== 'object' || body === null || !('display_name' in body)) return undefined
  return typeof body.display_name === 'string' ? displayNameFrom(body.display_name) : undefined
}

function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const key = unquoted(one(request.headers['idempotency-key']))
  if (key === undefined) return undefined
  if (key.length <= idempotencyKeyMaxChars && /^[\x21-\x7e]+$/.test(key)) return key
  const message = `must be 1 to ${idempotencyKeyMaxChars} visible ASCII characters`
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'Idempotency-Key', message }] })
}

/** As HTTP writes a string: in quotes it is the same key as without. */
function unquoted(header: string | undefined): string | undefined {
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header?.trim() ?? '') ?? []
  return quoted === undefined ? header : quoted.replace(/\\(["\\])/g, '$1')
}

const one = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'object' ? header[0] : header

type Renewed = () => Promise<Permission>

/** Of who needs nothing but to be who it was. */
export const holding = (credential: Credential, renewed: Renewed): Permission => ({
  checks: credential.checks,
  assertOn: () => undefined,
  renewed,
})

/**
 * What a request's caller may do, to be asked again where time has passed, and in the commit of
 * what it permits (interface §5, §7): the credential as it was looked up, and how to look again.
 */
export const permissionTo = (grounds: Grounds, renewed: Renewed): Permission => ({
  checks: checksOf(grounds.standing),
  grounds,
  assertOn: (facts) => assertPermitted(grounds, facts),
  renewed,
})
