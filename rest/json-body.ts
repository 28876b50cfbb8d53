/**
 * JSON bodies, read with a bound before anything is parsed: size, media type, UTF-8, depth, and
 * names that would reach a prototype. What it returns is plain data of no particular shape.
 */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import type { BodyShare } from './body-shares.ts'
import { readBytes } from './request-body.ts'

export interface JsonBody {
  readonly bytes: Uint8Array
  readonly value: unknown
}

/**
 * Refuses UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BUSY, INVALID_JSON, INVALID_REQUEST,
 * UNEXPECTED_FIELD. `closed`: a name that would reach a prototype is an unexpected field like
 * others. `optional`: nothing at all is an object without fields.
 */
export async function readJsonBody(
  request: IncomingMessage,
  share: BodyShare,
  { closed = false, optional = false } = {},
): Promise<JsonBody> {
  const requireType = () =>
    requireJsonType(request.headers['content-type'], request.headers['content-encoding'])
  if (!optional) requireType()
  const bytes = await readBytes(request, limits.jsonBodyMaxBytes, share)
  if (optional && bytes.length === 0) return { bytes, value: {} }
  requireType()
  const value = parsed(bytes)
  inspect(value, closed)
  return { bytes, value }
}

/**
 * For a route that takes no body: passes nothing and an object without fields, and refuses the rest
 * with the codes of `readJsonBody`.
 */
export async function refuseBody(request: IncomingMessage, share: BodyShare): Promise<void> {
  const bytes = await readBytes(request, limits.jsonBodyMaxBytes, share)
  if (bytes.length === 0) return
  requireJsonType(request.headers['content-type'], request.headers['content-encoding'])
  const value = parsed(bytes)
  inspect(value, false)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('', 'takes no body')
  }
  const [field] = Object.keys(value)
  if (field !== undefined) throw malformed(`/${field}`, 'is no field of this route')
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
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal('INVALID_JSON')
  }
}

const poisonous: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** Identity comes from the token and titles from the text (interface §4.5, §5 rule 2). */
const derived: ReadonlySet<string> = new Set(['by', 'title'])
const loneSurrogate = /\p{Surrogate}/u

/** Walks everything once, level by level, so that depth costs no stack. Headers are no fields. */
function inspect(root: unknown, closed: boolean): void {
  let level: { path: string; value: unknown }[] = [{ path: '', value: root }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.jsonMaxDepth) {
      throw malformed('', `is nested more than ${limits.jsonMaxDepth} levels deep`)
    }
    const next: typeof level = []
    for (const { path, value } of level) {
      if (typeof value === 'string') {
        if (loneSurrogate.test(value)) throw malformed(path, 'holds half a surrogate pair')
      } else if (Array.isArray(value)) {
        for (const [index, entry] of value.entries()) {
          if (mayHold(entry)) next.push({ path: `${path}/${index}`, value: entry })
        }
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, entry] of Object.entries(value)) {
          const at = `${path}/${key}`
          const isPoisonous = poisonous.has(key)
          const isField = path !== '/webhook_headers'
          if ((isField && derived.has(key)) || (closed && isPoisonous)) {
            throw new Refusal('UNEXPECTED_FIELD', { field: key, path: at })
          }
          if (isPoisonous) throw malformed(at, 'is not a field name that is accepted')
          if (mayHold(entry)) next.push({ path: at, value: entry })
        }
      }
    }
    level = next
  }
}

const mayHold = (value: unknown): boolean => typeof value === 'string' || typeof value === 'object'

const malformed = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] })
