/**
 * Timed quotas (interface §8): so many requests a minute from one address, counted in windows that
 * begin with the first request. Kept in this process; a bound on the number of addresses keeps a
 * flood from filling memory.
 */
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'
import { networkOf } from './caller-address.ts'

/** Requests a minute and address; 0 is no quota. */
export interface Rates {
  readonly create: number
  readonly identify: number
  readonly account: number
}

export type QuotaName = keyof Rates

/** What the `RateLimit-*` headers say. */
export interface QuotaState {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly exceeded: boolean
}

export interface Quotas {
  /** Counts one request; `undefined`: there is no such quota. */
  take(name: QuotaName, address: string): QuotaState | undefined
}

interface Window {
  readonly endsAt: number
  taken: number
}

export function createQuotas(runtime: Runtime, rates: Rates): Quotas {
  const windows = new Map<string, Window>()
  /** Windows are as long as each other and stand in the order they began: the oldest ends first. */
  const makeRoom = (now: number) => {
    for (const [key, window] of windows) {
      if (window.endsAt > now && windows.size < limits.quotaAddressesMax) return
      windows.delete(key)
    }
  }
  return {
    take(name, address) {
      const limit = rates[name]
      if (limit === 0) return undefined
      const now = runtime.elapsed()
      const key = `${name} ${networkOf(address)}`
      let window = windows.get(key)
      if (window === undefined || window.endsAt <= now) {
        windows.delete(key)
        makeRoom(now)
        window = { endsAt: now + limits.quotaWindowMs, taken: 0 }
        windows.set(key, window)
      }
      window.taken += 1
      return {
        limit,
        remaining: Math.max(0, limit - window.taken),
        resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
        exceeded: window.taken > limit,
      }
    },
  }
}
