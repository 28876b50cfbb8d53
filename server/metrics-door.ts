/**
 * Who may read the metrics: loopback without a proxy in between, or whoever has the metrics token.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { MetricsCaller } from '../rest/services.ts'
import type { Metrics } from './metrics.ts'

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export function metricsFor(metrics: Metrics, token: string | undefined) {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
  return async (caller: MetricsCaller): Promise<string | undefined> => {
    const isLocal = loopback.has(caller.socketAddress) && !caller.proxied
    const given = (caller.authorization ?? '').replace(/^bearer /i, 'Bearer ')
    const knows = expected !== undefined && timingSafeEqual(digest(given), expected)
    return isLocal || knows ? metrics.text() : undefined
  }
}
