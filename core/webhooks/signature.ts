/** The headers that sign a delivery, as Standard Webhooks says (extensions §6). */
import { createHmac } from 'node:crypto'

export interface Signed {
  readonly id: string
  /** Milliseconds since the epoch, by the clock that receivers have too. */
  readonly at: number
  readonly body: Uint8Array
  /** `whsec_` and base64: each of them signs. */
  readonly secrets: readonly string[]
}

export function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
