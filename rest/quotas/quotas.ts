/**
 * Timed quotas (interface §8): so much a minute for an account, a registered agent, or else an
 * address, and ten times as much for all callers behind one address. Counted in windows that begin
 * with the first use, kept in this process and bounded: a window that counts is never forgotten for
 * another, so no number of addresses opens a quota again. A caller that comes when the table is
 * full is counted with its region.
 */
import { createHash } from 'node:crypto'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { networkOf, regionOf, siteOf } from '../addresses/caller-address.ts'

const quotaRegionsMax = 2_048

export const quotaRegionFactor = 8

const guestsByLinkPerMinute = 300

/** All callers behind one address together have so many times a quota. */
const quotaAddressFactor = 10

/** How many times an address's quota its /48 has, and its region when the table is full. */
export const quotaSiteFactor = 16

/** Windows of single addresses, and of the /48 around those of IPv6, of one quota. */
export const quotaAddressesMax = 20_000

/** Of quotas by account. */
const accountQuotaWindowMs = 3_600_000

export const quotaWindowMs = 60_000

/** A minute and caller, of requests, unless said otherwise; 0 is no quota. */
export interface Rates {
  /** Short links and their confirmations. */
  readonly link: number
  readonly create: number
  readonly identify: number
  readonly account: number
  /** Also for each handle that somebody tries to sign in with. */
  readonly login: number
  /** Secrets that are none. */
  readonly guess: number
  /** Milliseconds of processor time for dry runs, and for edits and diffs. */
  readonly dryRunMs: number
  readonly workMs: number
  /** Giving access, an hour and account. */
  readonly invite: number
  /** Reports, a minute and credential. */
  readonly feedback: number
  /** Megabytes that are uploaded, and that edits and reverts write, a day. */
  readonly uploadMb: number
  readonly writeMb: number
}

/** Those that count by account, by credential, or, of guests, by the link they come by. */
export type AccountQuotaName = 'invite' | 'feedback' | 'guest'
export type QuotaName = Exclude<keyof Rates, AccountQuotaName>

/** Who a request counts for: an account or registered agent, and where it comes from. */
export interface QuotaCaller {
  readonly holder: string
  readonly address: string
}

/** What the `RateLimit-*` headers say. */
export interface QuotaState {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly exceeded: boolean
}

export interface Quotas {
  /** Counts one request by its address; `undefined`: there is no such quota. */
  take(name: QuotaName, address: string): QuotaState | undefined
  /** Counts one request of an account or a registered agent. */
  takeOfHolder(name: QuotaName, caller: QuotaCaller): QuotaState | undefined
  /** Counts one request among all that come from this address. */
  takeOfAll(name: QuotaName, address: string): QuotaState | undefined
  /** As `take`, of something that is no address, such as a handle. */
  takeOf(name: QuotaName, key: string): QuotaState | undefined
  /** What is left; `exceeded` when that is nothing. Counts nothing. */
  look(name: QuotaName, address: string): QuotaState | undefined
  /** Counts one request of an account, or of whoever else is one for this. */
  takeOfAccount(name: AccountQuotaName, account: string): QuotaState | undefined
  /** Counts what was used, whether or not so much was left. */
  charge(name: QuotaName, address: string, amount: number): void
  /** What heavy callers have used here, by window; for other nodes. */
  used(): Readonly<Record<string, number>>
  /** Use at other nodes, which counts here too. */
  setElsewhere(others: readonly Readonly<Record<string, number>>[]): void
}

interface QuotaWindow {
  /** Names it among all windows of all quotas. */
  readonly name: string
  endsAt: number
  /** At this node. */
  taken: number
}

/** The part of a limit from which on its use is published to other nodes. */
const publishedFromPart = 1 / 10
const publishedMax = 1_000

interface Counted {
  readonly window: QuotaWindow
  readonly limit: number
}

export function createQuotas(runtime: Runtime, rates: Rates): Quotas {
  const tables = new Map<QuotaName, Table>()
  /** Of all callers behind an address. */
  const totals = new Map<QuotaName, Table>()
  const ofHolders = new Map<QuotaName, AccountTable>()
  const ofAccounts = new Map<AccountQuotaName, AccountTable>()
  const keyTables = new Map<QuotaName, KeyTable>()
  const published = new Map<string, QuotaWindow>()
  let elsewhere = new Map<string, number>()
  const takenOf = ({ name, taken }: QuotaWindow): number => taken + (elsewhere.get(name) ?? 0)
  const add = ({ window, limit }: Counted, amount: number): void => {
    window.taken += amount
    if (window.taken < limit * publishedFromPart) return
    if (published.size < publishedMax || published.has(window.name))
      published.set(window.name, window)
  }
  /** The windows that this address counts in, the widest first; one may be new. */
  const windowsOf = (name: QuotaName, address: string): readonly Counted[] =>
    tableOf(tables, `one ${name}`, name, takenOf).windowsOf(address, {
      limit: rates[name],
      now: runtime.elapsed(),
    })
  const stateOf = (counted: readonly Counted[], isOver: (one: Counted) => boolean): QuotaState => {
    const now = runtime.elapsed()
    const left = ({ window, limit }: Counted) => limit - takenOf(window)
    const [least, ...others] = counted
    if (least === undefined) throw new TypeError('a request was counted nowhere')
    const tightest = others.reduce((low, one) => (left(one) < left(low) ? one : low), least)
    return {
      limit: tightest.limit,
      remaining: Math.max(0, Math.floor(left(tightest))),
      resetSeconds: secondsUntil(tightest.window.endsAt, now),
      exceeded: isOver(tightest),
    }
  }
  const counting = (counted: readonly Counted[]): QuotaState => {
    for (const one of counted) add(one, 1)
    return stateOf(counted, ({ window, limit }) => takenOf(window) > limit)
  }
  const countedOfAll = (name: QuotaName, address: string): QuotaState => {
    const limit = rates[name] * quotaAddressFactor
    return counting(
      tableOf(totals, `all ${name}`, name, takenOf).windowsOf(address, {
        limit,
        now: runtime.elapsed(),
      }),
    )
  }
  /** A caller that is over its own quota takes nothing of what others behind its address have. */
  const withAll = (own: QuotaState, name: QuotaName, address: string): QuotaState => {
    if (own.exceeded) return own
    const all = countedOfAll(name, address)
    return all.exceeded || all.remaining < own.remaining ? all : own
  }
  const limitOf = (name: AccountQuotaName): number => {
    if (name !== 'guest') return rates[name]
    return rates.account === 0 ? 0 : guestsByLinkPerMinute
  }
  return {
    take(name, address) {
      if (rates[name] === 0) return undefined
      return withAll(counting(windowsOf(name, address)), name, address)
    },
    takeOfHolder(name, { holder, address }) {
      if (rates[name] === 0) return undefined
      const table = ofHolders.get(name) ?? new AccountTable(`holder ${name}`, windowMs(name))
      ofHolders.set(name, table)
      const own = counting([table.windowOf(holder, rates[name], runtime.elapsed())])
      return withAll(own, name, address)
    },
    takeOfAll(name, address) {
      return rates[name] === 0 ? undefined : countedOfAll(name, address)
    },
    takeOf(name, key) {
      if (rates[name] === 0) return undefined
      const table = keyTables.get(name) ?? new KeyTable(`key ${name}`)
      keyTables.set(name, table)
      return counting(table.windowsOf(key, { limit: rates[name], now: runtime.elapsed() }))
    },
    look(name, address) {
      if (rates[name] === 0) return undefined
      const counted = windowsOf(name, address)
      return stateOf(counted, ({ window, limit }) => takenOf(window) >= limit)
    },
    takeOfAccount(name, account) {
      const limit = limitOf(name)
      if (limit === 0) return undefined
      const table = ofAccounts.get(name) ?? new AccountTable(`account ${name}`, windowMs(name))
      ofAccounts.set(name, table)
      return counting([table.windowOf(account, limit, runtime.elapsed())])
    },
    charge(name, address, amount) {
      if (rates[name] === 0) return
      for (const one of windowsOf(name, address)) add(one, amount)
    },
    used() {
      const now = runtime.elapsed()
      for (const [name, window] of published) if (window.endsAt <= now) published.delete(name)
      return Object.fromEntries([...published].map(([name, { taken }]) => [name, taken]))
    },
    setElsewhere(others) {
      elsewhere = new Map()
      for (const used of others) {
        for (const [name, taken] of Object.entries(used)) {
          elsewhere.set(name, (elsewhere.get(name) ?? 0) + taken)
        }
      }
    },
  }
}

/** Whole seconds, at least one; times are fractions, and their sum a little off a window. */
function secondsUntil(endsAt: number, now: number): number {
  return Math.max(1, Math.ceil(Math.round(endsAt - now) / 1000))
}

type TakenOf = (window: QuotaWindow) => number

function tableOf(
  tables: Map<QuotaName, Table>,
  label: string,
  name: QuotaName,
  takenOf: TakenOf,
): Table {
  const table = tables.get(name) ?? new Table(label, windowMs(name), takenOf)
  tables.set(name, table)
  return table
}

const otherWindowMs: Partial<Record<QuotaName | AccountQuotaName, number>> = {
  invite: accountQuotaWindowMs,
  uploadMb: limits.megabytesWindowMs,
  writeMb: limits.megabytesWindowMs,
}
const windowMs = (name: QuotaName | AccountQuotaName): number =>
  otherWindowMs[name] ?? quotaWindowMs

/** The windows of one quota. */
class Table {
  readonly #networks: Windows
  readonly #sites: Windows
  readonly #regions: Windows
  readonly #rest: Windows

  readonly #takenOf: TakenOf

  constructor(label: string, windowMs: number, takenOf: TakenOf) {
    this.#networks = new Windows(`${label} network`, quotaAddressesMax, windowMs)
    this.#sites = new Windows(`${label} site`, quotaAddressesMax, windowMs)
    this.#regions = new Windows(`${label} region`, quotaRegionsMax, windowMs)
    this.#rest = new Windows(`${label} rest`, 1, windowMs)
    this.#takenOf = takenOf
  }

  windowsOf(
    address: string,
    { limit, now }: { readonly limit: number; readonly now: number },
  ): readonly Counted[] {
    const wide = { window: undefined, limit: limit * quotaRegionFactor }
    const inRegion = () => {
      const region = regionOf(address)
      const window = this.#regions.at(region, now) ?? this.#rest.at('', now)
      return window === undefined ? [] : [{ ...wide, window }]
    }
    const site = siteOf(address)
    const siteWindow = site === undefined ? undefined : this.#sites.at(site, now)
    if (site !== undefined && siteWindow === undefined) return inRegion()
    const counted: Counted[] = []
    const siteLimit = limit * quotaSiteFactor
    if (siteWindow !== undefined) counted.push({ window: siteWindow, limit: siteLimit })
    // Whose site has used up its part needs no window of its own.
    if (siteWindow !== undefined && this.#takenOf(siteWindow) >= siteLimit) return counted
    const window = this.#networks.at(networkOf(address), now)
    return window === undefined ? [...counted, ...inRegion()] : [...counted, { window, limit }]
  }
}

/** The windows of one quota by account; when it is full newcomers share one. */
class AccountTable {
  readonly #accounts: Windows
  readonly #rest: Windows

  constructor(label: string, windowMs: number) {
    this.#accounts = new Windows(label, quotaAddressesMax, windowMs)
    this.#rest = new Windows(`${label} rest`, 1, windowMs)
  }

  windowOf(account: string, limit: number, now: number): Counted {
    const window = this.#accounts.at(account, now)
    if (window !== undefined) return { window, limit }
    const shared = this.#rest.at('', now)
    if (shared === undefined) throw new TypeError('a request was counted nowhere')
    return { window: shared, limit: limit * quotaRegionFactor }
  }
}

/** The windows of one quota by names of any length; those for whom there is no room share some. */
class KeyTable {
  readonly #own: Windows
  readonly #shared: Windows

  constructor(label: string) {
    this.#own = new Windows(label, quotaAddressesMax)
    this.#shared = new Windows(`${label} shared`, 256)
  }

  windowsOf(
    key: string,
    { limit, now }: { readonly limit: number; readonly now: number },
  ): readonly Counted[] {
    const hash = createHash('sha256').update(key).digest('hex')
    const own = this.#own.at(hash, now)
    if (own !== undefined) return [{ window: own, limit }]
    const shared = this.#shared.at(hash.slice(0, 2), now)
    if (shared === undefined) throw new TypeError('a shared window has no room')
    return [{ window: shared, limit: limit * quotaRegionFactor }]
  }
}

/** As long as each other, in the order in which they began: the oldest ends first. */
class Windows {
  readonly #label: string
  readonly #max: number
  readonly #lengthMs: number
  readonly #all = new Map<string, QuotaWindow>()

  constructor(label: string, max: number, lengthMs: number = quotaWindowMs) {
    this.#label = label
    this.#max = max
    this.#lengthMs = lengthMs
  }

  /** The one that counts now, a new one if need be; `undefined`: there is no room for it. */
  at(key: string, now: number): QuotaWindow | undefined {
    const known = this.#all.get(key)
    if (known !== undefined && known.endsAt > now) return known
    this.#all.delete(key)
    for (const [old, window] of this.#all) {
      if (window.endsAt > now) break
      this.#all.delete(old)
    }
    if (this.#all.size >= this.#max) return undefined
    const window = { name: `${this.#label} ${key}`, endsAt: now + this.#lengthMs, taken: 0 }
    this.#all.set(key, window)
    return window
  }
}
