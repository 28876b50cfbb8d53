/**
 * The visitor: a browser, or any client that keeps cookies, without a credential. It authenticates
 * nobody; it only says whose Idempotency-Keys a create without a Bearer uses (interface §4.2, §5).
 */
import type { Runtime } from '../../schema/runtime.ts'
import { sha256Hex } from '../records/secrets.ts'

export interface Visitor {
  /** The value of the cookie `visitor`: whoever has it can replay this visitor's creates. */
  readonly cookie: string
  /** Whether the cookie has to be set. */
  readonly isNew: boolean
  /** Whose keys: from the cookie's hash, so that the store holds no cookie. */
  readonly holder: string
}

const shape = /^[A-Za-z0-9_-]{43}$/

/** The visitor of this cookie, or a new one when there is none or it was never ours. */
export function visitorOf(runtime: Runtime, cookie: string | undefined): Visitor {
  const known = cookie !== undefined && shape.test(cookie)
  const value = known ? cookie : Buffer.from(runtime.randomBytes(32)).toString('base64url')
  return { cookie: value, isNew: !known, holder: `visitor:${sha256Hex(value)}` }
}
