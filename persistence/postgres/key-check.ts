/**
 * Whose database it is: a value derived from the service's key is kept in it, never the key. A
 * service with another key would take every token for a wrong one, so it does not start on it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Connections } from './connections.ts'

const checkOf = (secretKey: Uint8Array): Buffer =>
  createHmac('sha256', secretKey).update('scriptorium: whose database this is').digest()

export interface Claim {
  readonly secretKey: Uint8Array
  /** It was set by the operator. One that was just made up cannot be that of used data. */
  readonly isExplicit: boolean
}

export async function checkKey(
  connections: Connections,
  { secretKey, isExplicit }: Claim,
): Promise<'yes' | 'other key' | 'unknown'> {
  const check = checkOf(secretKey)
  const claim = () =>
    connections.writing((held) => held.query<{ check: Buffer | null }>({ text, values }))
  const values = [check, isExplicit]
  return connections.waitingOut(async () => {
    // Where somebody else claims it at the same time, the second look finds that.
    const [stored] = await claim().then((first) => (first[0]?.check ? first : claim()))
    if (!stored?.check) return 'unknown'
    return timingSafeEqual(stored.check, check) ? 'yes' : 'other key'
  })
}

/** What every store says of itself from the start is no use of it. */
const text = `
WITH used AS (
  SELECT EXISTS (SELECT FROM scriptorium.kv WHERE key >= 'meta0' OR key < 'meta/') AS is_used
), claimed AS (
  UPDATE scriptorium.layout SET key_check = $1
  FROM used WHERE key_check IS NULL AND ($2 OR NOT is_used) RETURNING key_check
)
SELECT coalesce(layout.key_check, claimed.key_check) AS check
FROM scriptorium.layout LEFT JOIN claimed ON true`
