/**
 * Bearer secrets: their forms, their hashes and how those that must be handed out again are
 * derived. The store never holds a secret; whoever has the store and not the key cannot make one.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../../schema/runtime.ts'

/** The service's key: what derived secrets and their renewal depend on. At least 32 bytes. */
export type SecretKey = Uint8Array

const secretBytes = 32
const shape = /^(?:dtk|shr|as|ark)_[A-Za-z0-9_-]{43}$/
const sessionShape = /^ses_[A-Za-z0-9_-]{43}$/

/** Whether the text could be a secret of ours; spares the store a look-up of anything else. */
export const looksLikeSecret = (text: string): boolean => shape.test(text)

/** The way to a new password (extensions §3). */
export const looksLikeReset = (text: string): boolean => /^rst_[A-Za-z0-9_-]{43}$/.test(text)

/** A session is a browser's and no Bearer. */
export const looksLikeSession = (text: string): boolean => sessionShape.test(text)

export const sha256Hex = (text: string): string => hash('sha256', text)

/** 256 bits that can be derived again from the same id and key. */
export function derivedSecret(
  key: SecretKey,
  prefix: 'dtk' | 'shr' | 'as' | 'ark',
  id: string,
): string {
  const mac = createHmac('sha256', key).update(`${prefix}:${id}`).digest('base64url')
  return `${prefix}_${mac}`
}

/** 20 characters of [0-9a-z], 103 bits, that can be derived again from the same id and key. */
export function derivedCode(key: SecretKey, id: string): string {
  const mac = createHmac('sha256', key).update(`code:${id}`).digest('hex')
  return BigInt(`0x${mac}`).toString(36).padStart(50, '0').slice(-20)
}

/** What a session is called where it is listed: it tells nothing of the secret or its hash. */
export const sessionIdOf = (sha256: string): string =>
  `sn_${BigInt(`0x${sha256Hex(`session-id:${sha256}`)}`)
    .toString(36)
    .padStart(50, '0')
    .slice(-20)}`

/** 256 random bits, shown once. */
export const randomSecret = (runtime: Runtime, prefix: 'as' | 'ark' | 'ses' | 'rst'): string =>
  `${prefix}_${Buffer.from(runtime.randomBytes(secretBytes)).toString('base64url')}`

/**
 * What history keeps of an address (interface §2.7): nobody without the key can guess it back. Of
 * those that came last it is at hand.
 */
export function addressMarks(key: SecretKey): (address: string) => string {
  const mark = (address: string) =>
    createHmac('sha256', key).update(`address:${address}`).digest('hex')
  const marks = new LRUCache<string, string>({ max: 1_000, memoMethod: mark })
  return (address) => marks.memo(address)
}

/** Base64url. */
export const originMark = (key: SecretKey, origin: string): string =>
  createHmac('sha256', key).update(`origin:${origin}`).digest('base64url')

const nonceBytes = 12
const tagBytes = 16

const keyOf = (key: SecretKey): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(), 'sealed texts', 32))

/**
 * Texts that the service has to know again and the store must not give away: encrypted under the
 * service's key (AES-256-GCM), each bound to what it belongs to, so that none can be moved.
 */
export function sealed(
  { runtime, secretKey }: { readonly runtime: Runtime; readonly secretKey: SecretKey },
  text: string,
  belongsTo: string,
): string {
  const nonce = Buffer.from(runtime.randomBytes(nonceBytes))
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce)
  cipher.setAAD(Buffer.from(belongsTo))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** Throws where it was sealed under another key, for something else, or is damaged. */
export function unsealed(secretKey: SecretKey, text: string, belongsTo: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(secretKey),
    bytes.subarray(0, nonceBytes),
    { authTagLength: tagBytes },
  )
  decipher.setAAD(Buffer.from(belongsTo))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const body = bytes.subarray(nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
