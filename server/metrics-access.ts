/**
 * Who may read the metrics: a caller on this machine that asks for this machine, without a proxy in
 * between, or whoever has the metrics token. A proxy that names itself in no header still passes
 * the `Host` on that the world knows, and so does a page whose name was made to lead here.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isLoopbackAddress, isLoopbackHost } from '../rest/addresses/loopback.ts'
import type { MetricsCaller } from '../rest/services.ts'
import type { Metrics } from './metrics.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export function metricsFor(metrics: Metrics, token: string | undefined) {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
  return async (caller: MetricsCaller): Promise<string | undefined> => {
    const { socketAddress, host, proxied } = caller
    const isLocal = isLoopbackAddress(socketAddress) && isLoopbackHost(host) && !proxied
    const given = (caller.authorization ?? '').replace(/^bearer /i, 'Bearer ')
    const knows = expected !== undefined && timingSafeEqual(digest(given), expected)
    return isLocal || knows ? metrics.text() : undefined
  }
}
