/**
 * JSON bodies, read with a bound before anything is parsed: size, media type, depth, the count of
 * values, UTF-8. Refuses names that would reach a prototype. The value is plain data of no
 * particular shape. Nothing else parses what a client sends as JSON.
 */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { ByteShare } from '../quotas/byte-shares.ts'
import { passedBound } from './json-scan.ts'
import { readBytes } from './request-body.ts'

export interface JsonBody {
  readonly bytes: Uint8Array
  readonly value: unknown
}

export interface JsonBodyRules {
  readonly maxBytes: number
  /** A name that would reach a prototype is an unexpected field like others. */
  readonly closed?: boolean
  /** An empty body is an object without fields. */
  readonly optional?: boolean
  /** Parses in the caller's turn, so that many large bodies leave others their time. */
  inTurn<T>(parse: () => T): Promise<T>
}

/**
 * Refuses UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BUSY, INVALID_JSON, INVALID_REQUEST,
 * UNEXPECTED_FIELD.
 */
export async function readJsonBody(
  request: IncomingMessage,
  share: ByteShare,
  { maxBytes, closed = false, optional = false, inTurn }: JsonBodyRules,
): Promise<JsonBody> {
  const requireType = () =>
    requireJsonType(request.headers['content-type'], request.headers['content-encoding'])
  if (!optional) requireType()
  const bytes = await readBytes(request, maxBytes, share)
  if (optional && bytes.length === 0) return { bytes, value: {} }
  requireType()
  return inTurn(() => {
    const value = parsed(bytes)
    inspect(value, closed)
    return { bytes, value }
  })
}

/**
 * For a route that takes no body: passes nothing and an object without fields, and refuses the rest
 * with the codes of `readJsonBody`.
 */
export async function refuseBody(request: IncomingMessage, share: ByteShare): Promise<void> {
  const bytes = await readBytes(request, limits.bodyMaxBytes.none, share)
  if (bytes.length === 0) return
  requireJsonType(request.headers['content-type'], request.headers['content-encoding'])
  const value = parsed(bytes)
  inspect(value, false)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('', 'takes no body')
  }
  const [field] = Object.keys(value)
  if (field !== undefined) throw malformed(`/${field}`, 'is not a field of this route')
}

function requireJsonType(contentType: string | undefined, encoding: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  const known = type.trim() === 'application/json' && (charset ?? 'utf-8') === 'utf-8'
  if (known && (encoding ?? 'identity').toLowerCase() === 'identity') return
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { accepted: ['application/json'] })
}

function parsed(bytes: Uint8Array): unknown {
  const bounds = {
    maxDepth: limits.jsonMaxDepth,
    maxValues: limits.jsonMaxValues,
    maxFields: limits.jsonMaxFields,
  }
  const passed = passedBound(bytes, bounds)
  if (passed === 'maxFields')
    throw malformed('', `has more than ${bounds.maxFields} fields at once`)
  if (passed !== undefined) {
    throw new Refusal(
      'INVALID_JSON',
      { max_depth: bounds.maxDepth, max_values: bounds.maxValues },
      `The body is nested deeper than ${bounds.maxDepth} or has more than ${bounds.maxValues} values.`,
    )
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal('INVALID_JSON')
  }
}

const poisonous: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** Identity comes from the token and titles from the text (interface §4.5, §5 rule 2). */
const derived: ReadonlySet<string> = new Set(['by', 'title'])

/** Looks at every name and string once. The depth is bounded, so recursion is. */
function inspect(root: unknown, closed: boolean): void {
  const path: string[] = []
  const pathTo = (name: string) => ['', ...path, name].join('/')
  const inspectName = (name: string) => {
    const isPoisonous = poisonous.has(name)
    // Header names are values of the client, not fields.
    const isField = path.length !== 1 || path[0] !== 'webhook_headers'
    if ((isField && derived.has(name)) || (closed && isPoisonous)) {
      throw new Refusal('UNEXPECTED_FIELD', { field: name, path: pathTo(name) })
    }
    if (isPoisonous) throw malformed(pathTo(name), 'is not an accepted field name')
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (!value.isWellFormed()) {
        throw malformed(['', ...path].join('/'), 'contains an unpaired surrogate')
      }
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) enter(index, value[index])
    } else if (typeof value === 'object' && value !== null) {
      const names = Object.keys(value)
      for (const name of names) inspectName(name)
      for (const name of names) enter(name, (value as Readonly<Record<string, unknown>>)[name])
    }
  }
  const enter = (name: string | number, entry: unknown): void => {
    if (typeof entry !== 'string' && (typeof entry !== 'object' || entry === null)) return
    path.push(String(name))
    visit(entry)
    path.pop()
  }
  visit(root)
}

const malformed = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] })
