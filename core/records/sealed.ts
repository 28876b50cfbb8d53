/**
 * Texts that the service has to know again and the store must not give away: encrypted under the
 * service's key (AES-256-GCM), each bound to what it belongs to, so that none can be moved.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Runtime } from '../../schema/runtime.ts'
import type { SecretKey } from './secrets.ts'

const nonceBytes = 12
const tagBytes = 16

const keyOf = (key: SecretKey): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(), 'sealed texts', 32))

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
