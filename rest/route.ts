/**
 * What the service adds to a row of the API (schema/wire/api.ts): who may call the route, limits,
 * errors and its handler. From the list of routes come mounting, validation, `/openapi.json`,
 * `/reference` and the tests, so none of these can drift. A handler gets checked values, returns
 * the success body and throws refusals.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { type Action, flagCodes, needsOf } from '../core/access/may.ts'
import type { Role } from '../core/documents/contract.ts'
import { compiledCheck } from '../schema/compiled-check.ts'
import { type ErrorCode, Refusal } from '../schema/errors.ts'
import type { limits } from '../schema/limits.ts'
import { type ApiRoute, api, type Shapes, type Success } from '../schema/wire/api.ts'
import { noQuery } from '../schema/wire/service.ts'
import type { Admitted } from './admission/admitted.ts'
import { type Bearing, isBearing } from './admission/credential-kinds.ts'
import type { DocumentContext } from './admission/document-access.ts'
import type { Answer } from './answers/answer.ts'
import { adviceFor } from './bodies/body-advice.ts'
import type { UploadDeclaration } from './bodies/upload.ts'
import type { AccountQuotaName, QuotaName, QuotaState } from './quotas/quotas.ts'
import type { RestConfig, Services } from './services.ts'

const issuesPerRefusal = 20

/**
 * Who may call: whoever may do this to the document (a reader without a credential may come by
 * general access), who has this kind of credential, any credential or none (`optional`), or nobody
 * is asked (`none`).
 */
export type Caller = Action | Bearing | 'optional' | 'none'

/** The action on a document that a caller needs; `undefined`: the route is about none. */
export function actionOf(caller: Caller): Action | undefined {
  return caller === 'none' || caller === 'optional' || isBearing(caller) ? undefined : caller
}

/** The least role; of who needs none, how a credential is looked at. */
export function roleNeeded(caller: Caller): Role | Exclude<Caller, Action> {
  const action = actionOf(caller)
  return action === undefined ? (caller as Exclude<Caller, Action>) : needsOf[action].role
}

/** The query of a route once it is checked. */
export type CheckedQuery<R extends ApiRoute> = (typeof api)[R] extends {
  query: infer Q extends TSchema
}
  ? Static<Q>
  : Static<typeof noQuery>

/** The body of a route once it is checked. */
export type CheckedBody<R extends ApiRoute> = (typeof api)[R] extends {
  body: infer B extends TSchema
}
  ? Static<B>
  : unknown

export interface Declaration<R extends ApiRoute> {
  /** The most bytes of a JSON body, by what the route carries (extensions §2). */
  readonly bodyLimit: keyof typeof limits.bodyMaxBytes
  /** What bounds the answer; unsent bytes of so many are reserved before it is made. */
  readonly answer: AnswerKind
  readonly summary: string
  /** Further meaning, for the reference. */
  readonly description?: string
  /** Not part of the interface: an extension of this implementation. */
  readonly extension?: true
  /**
   * Superseded (interface §9.5): since this day, ISO 8601, and by which path. Every answer says so,
   * refusals too.
   */
  readonly deprecated?: { readonly since: string; readonly successor: string }
  readonly access: Caller
  /** Owner keys count here, which elsewhere let do nothing (interface §5). */
  readonly ownerKeys?: true
  /** Where the slug stands of the document that it is about; the path unless said otherwise. */
  readonly slugIn?: 'path' | 'body'
  /** General access is not enough: a credential has to come along. */
  readonly credentialRequired?: true
  readonly quota?: QuotaName
  /** By account, in place of address, once it is known who calls (extensions §2). */
  readonly accountQuota?: AccountQuotaName
  /** Takes an `Idempotency-Key`: whether the outcome of a request with this query is kept by it. */
  keepsOutcome?(query: CheckedQuery<R>): boolean
  /** What the route itself counts by the credential's holder, looked at where quotas are. */
  quotaOfHolder?(holder: string, services: Services): Promise<QuotaState>
  /** Names and patterns of the path parameters are their own documentation. */
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters whose malformed values are INVALID_FILTER. */
  readonly filters?: ReadonlySet<string>
  /** Instead of fields: bytes of one of these media types, as they are. */
  readonly upload?: UploadDeclaration
  /** It makes something new: where the disk is nearly full it is refused (extensions §1). */
  readonly takesSpace?: true
  /** It may be left out: then no field is set. */
  readonly optionalBody?: true
  /** What a body or query asks for that is more than `access`; called before its shape is known. */
  actionOf?(body: unknown, search: URLSearchParams): Action | undefined
  /** What a body's rules, times among them, say. Refuses with 400 and 413 codes. */
  check?(body: CheckedBody<R>, config: RestConfig, now: number): void
  /** The deprecated alias of a field that the body uses: named in every answer (interface §9.4). */
  deprecatedField?(body: CheckedBody<R>): string | undefined
  /** An unknown field is UNEXPECTED_FIELD instead of INVALID_REQUEST. */
  readonly closedBody?: true
  readonly success?: {
    /** 200 unless given. */
    readonly status?: number
    /** `application/json` unless given. */
    readonly type?: string
    readonly otherTypes?: readonly string[]
    /** Of answers that are no refusals and carry the same body, or none (302). */
    readonly otherStatuses?: readonly number[]
  }
  /** The codes this route adds to those its other fields bring along; see `errorsOf`. */
  readonly errors: readonly ErrorCode[]
}

/**
 * `bounded`: at most some kilobytes; `document`: bounded by the text of the document; `paged`: a page,
 * and a cursor where there is more; `streamed`: made piece by piece as its reader takes them.
 */
export type AnswerKind = 'bounded' | 'document' | 'paged' | 'streamed'

/** Everything there is to know of a route before it runs. */
export interface FullDeclaration extends Declaration<ApiRoute> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters as `:name`. */
  readonly path: string
  readonly query: TSchema
  readonly body?: TSchema
  readonly success: Declaration<ApiRoute>['success'] & {
    readonly status: number
    readonly body: TSchema
  }
}

export interface Checked<R extends ApiRoute> {
  readonly query: CheckedQuery<R>
  readonly body: CheckedBody<R>
}

type Handler<R extends ApiRoute> = (
  input: Admitted & Checked<R>,
  services: Services,
) => Promise<Answer<Success<R>>>

type DocumentHandler<R extends ApiRoute> = (
  input: Admitted & Checked<R> & OnDocument,
  services: Services,
) => Promise<Answer<Success<R>>>

export interface CheckHost {
  readonly config: RestConfig
  /** By the clock on the wall. */
  readonly now: number
  /** Told before the rules of the body are judged, so that refusals carry the header too. */
  onDeprecated(field: string): void
}

export interface Route {
  readonly declaration: FullDeclaration
  /** Checks query and body. Refuses with the 400 codes. */
  check(query: Readonly<Record<string, string>>, body: unknown, host: CheckHost): void
  /** Does the work of a request whose query and body were checked. */
  act(input: Admitted, services: Services): Promise<Answer>
}

export function route<R extends ApiRoute>(
  key: R,
  declared: Declaration<R>,
  handler: Handler<R>,
): Route {
  const declaration = withShapes(key, declared)
  const queryCheck = compiledCheck(declaration.query)
  const bodyCheck = declaration.body && compiledCheck(declaration.body)
  return {
    declaration,
    check(query, body, { config, now, onDeprecated }) {
      if (!queryCheck().Check(query)) throw queryRefusal(declaration, queryCheck(), query)
      if (bodyCheck === undefined) return
      if (!bodyCheck().Check(body)) throw bodyRefusal(declaration, bodyCheck(), body)
      const deprecated = declaration.deprecatedField?.(body)
      if (deprecated !== undefined) onDeprecated(deprecated)
      declaration.check?.(body, config, now)
    },
    // What `check` has let through.
    act: (input, services) => handler(input as Admitted & Checked<R>, services),
  }
}

function withShapes(key: ApiRoute, declared: Declaration<ApiRoute>): FullDeclaration {
  const [method, path] = key.split(' ') as [FullDeclaration['method'], string]
  const { query = noQuery, body, success }: Shapes = api[key]
  return {
    ...declared,
    method,
    path,
    query,
    ...(body && { body }),
    success: { status: 200, ...declared.success, body: success },
  }
}

type OnDocument = { readonly document: DocumentContext }

/** A route about one document: its handler can rely on the document being there. */
export function documentRoute<R extends ApiRoute>(
  key: R,
  declared: Declaration<R> & { readonly access: Action },
  handler: DocumentHandler<R>,
): Route {
  return route(key, declared, (input, services) => {
    assertOnDocument(input)
    return handler(input, services)
  })
}

function assertOnDocument<T extends Admitted>(input: T): asserts input is T & OnDocument {
  if (input.document !== undefined) return
  throw new TypeError('a document route was run without a document')
}

interface Issue {
  readonly path: string
  readonly message: string
}

const issuesOf = (check: TypeCheck<TSchema>, value: unknown): Issue[] =>
  firstErrors(check, value).map((error) => ({
    path: error.path,
    message: adviceFor(error) ?? error.message,
  }))

function firstErrors(check: TypeCheck<TSchema>, value: unknown): ValueError[] {
  const errors: ValueError[] = []
  for (const error of check.Errors(value)) {
    errors.push(error)
    if (errors.length === issuesPerRefusal) break
  }
  return errors
}

function queryRefusal(
  declaration: FullDeclaration,
  check: TypeCheck<TSchema>,
  query: Readonly<Record<string, string>>,
): Refusal {
  const issues = issuesOf(check, query).map(({ path, message }) => ({
    path: `?${path.slice(1)}`,
    message,
  }))
  const filter = issues.find(({ path }) => declaration.filters?.has(path.slice(1)))
  if (filter === undefined) return new Refusal('INVALID_REQUEST', { issues })
  return new Refusal('INVALID_FILTER', { filter: filter.path.slice(1), issues })
}

function bodyRefusal(
  declaration: FullDeclaration,
  check: TypeCheck<TSchema>,
  body: unknown,
): Refusal {
  const errors = firstErrors(check, body)
  const unexpected = errors.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties)
  if (declaration.closedBody && unexpected !== undefined) {
    const { path } = unexpected
    const details = { field: path.slice(path.lastIndexOf('/') + 1), path }
    return new Refusal('UNEXPECTED_FIELD', details, adviceFor(unexpected))
  }
  const advice = errors.map(adviceFor).find((sentence) => sentence !== undefined)
  return new Refusal('INVALID_REQUEST', { issues: issuesOf(check, body) }, advice)
}

// BUSY: there is no room for the answer.
const everywhere: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE', 'BUSY']
const withCredential: readonly ErrorCode[] = [
  ...(['AUTH_REQUIRED', 'AUTH_HEADER_REQUIRED'] as const),
  // Secrets that are none are slowed.
  'RATE_LIMITED',
]
const withDocument: readonly ErrorCode[] = ['DOC_NOT_FOUND', 'FORBIDDEN', 'DOC_DAMAGED']
const withBody: readonly ErrorCode[] = [
  'INVALID_JSON',
  'UNEXPECTED_FIELD',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'BUSY',
]

/** A credential in the address is refused where none is needed, too (interface §5). */
const onPublic: readonly ErrorCode[] = ['DOC_NOT_FOUND', 'DOC_DAMAGED', 'AUTH_HEADER_REQUIRED']
export const isOnDocument = (path: string): boolean => path.startsWith('/docs/:slug')

const withUpload: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'BUSY',
  'LIMIT_REACHED',
]

const lockedCodes = (action: Action): ErrorCode[] => {
  return (needsOf[action].unless ?? []).map((flag) => flagCodes[flag])
}

/** Every code this route can answer with. */
export function errorsOf(declaration: FullDeclaration): ErrorCode[] {
  const { method, access, body, upload, filters, quota, accountQuota, errors } = declaration
  const action = actionOf(access)
  return [
    ...new Set<ErrorCode>([
      'INVALID_REQUEST',
      ...everywhere,
      ...(access === 'none' ? [] : withCredential),
      // An owner key counts nowhere else, and a cookie only from the own Origin.
      ...(access === 'optional' || isBearing(access) ? (['FORBIDDEN'] as const) : []),
      ...(action === undefined ? [] : withDocument),
      ...(access === 'none' && isOnDocument(declaration.path) ? onPublic : []),
      ...(upload === undefined ? [] : withUpload),
      ...(upload !== undefined || (body === undefined && method === 'GET') ? [] : withBody),
      ...(filters === undefined ? [] : (['INVALID_FILTER'] as const)),
      ...(action && needsOf[action].named
        ? (['IDENTIFY_REQUIRED', 'IDENTITY_MISMATCH'] as const)
        : []),
      ...(action ? lockedCodes(action) : []),
      ...(action && needsOf[action].until === undefined ? (['DOC_ARCHIVED'] as const) : []),
      ...(quota === undefined && accountQuota === undefined ? [] : (['RATE_LIMITED'] as const)),
      ...errors,
    ]),
  ]
}
