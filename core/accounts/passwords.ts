/**
 * Passwords (extensions §3): hashed with scrypt and the parameters of each record, one at a time,
 * by whoever the composition names (a thread of its own). Those that wait stand in a line in which
 * every address has its turn; when it is full, who waits from the address that most wait from gives
 * way. Whoever has no password is compared with one that nobody knows, so that it takes as long.
 */
import { scrypt as pooled, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../schema/errors.ts'
import { FairLine, type InLine } from '../../schema/fair-line.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { PasswordRecord } from '../records/records.ts'

/** About how long one is hashed, for those who are asked to come again. */
const passwordHashedInMs = 400

/** Passwords that wait to be hashed. */
export const passwordsWaitingMax = 64

export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

export interface ScryptJob extends ScryptCost {
  readonly password: string
  readonly salt: Uint8Array
}

/** 32 bytes. */
export type Scrypt = (job: ScryptJob) => Promise<Uint8Array>

/** In one of the threads that the process has: for whoever has no thread to give. */
export const pooledScrypt: Scrypt = ({ password, salt, N, r, p }) =>
  new Promise((resolve, reject) => {
    pooled(password, salt, 32, { N, r, p, maxmem: 2 ** 20 + 256 * N * r }, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })

/** 32 MB and a third of a second: what OWASP asks for at least. */
export const usualCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 }

/** Who may have a password. */
export interface HasPassword {
  readonly password: { readonly record: PasswordRecord } | undefined
}

export interface Passwords {
  /** `address` says whose turn it takes. Refuses BUSY. */
  hash(password: string, address: string): Promise<PasswordRecord>
  /**
   * Whether the password is that of whoever is found once its turn has come; as long where nobody
   * is, or has none. Refuses BUSY, before anybody is looked for.
   */
  matches<F extends HasPassword>(
    password: string,
    find: () => Promise<F | undefined>,
    address: string,
  ): Promise<{ readonly found: F | undefined; readonly isGood: boolean }>
}

export function openPasswords(given: {
  readonly runtime: Pick<Runtime, 'randomBytes'>
  readonly scrypt: Scrypt
  readonly cost?: ScryptCost | undefined
}): Passwords {
  const { runtime, cost = usualCost } = given
  const line = new PasswordLine(given.scrypt)
  const nobodys = { ...cost, salt: runtime.randomBytes(16), hash: runtime.randomBytes(32) }
  return {
    async hash(password, address) {
      const salt = runtime.randomBytes(16)
      const job = { ...cost, password: spelt(password), salt }
      const hash = await line.run(async () => job, address)
      return { algorithm: 'scrypt', ...cost, salt: text(salt), hash: text(hash) }
    },
    async matches<F extends HasPassword>(
      password: string,
      find: () => Promise<F | undefined>,
      address: string,
    ) {
      const search: { found?: F | undefined } = {}
      const hash = await line.run(async () => {
        search.found = await find()
        const record = search.found?.password?.record
        const { N, r, p } = record ?? nobodys
        const salt = record === undefined ? nobodys.salt : bytes(record.salt)
        return { N, r, p, password: spelt(password), salt }
      }, address)
      const { found } = search
      const record = found?.password?.record
      const same = timingSafeEqual(hash, record === undefined ? nobodys.hash : bytes(record.hash))
      return { found, isGood: same && record !== undefined }
    },
  }
}

/** Refuses INVALID_REQUEST what cannot be a new password. */
export function requirePassword(password: string, path = '/password'): void {
  const { passwordMinChars: least, passwordMaxChars: most } = limits
  const length = [...password].length
  if (length >= least && length <= most) return
  const message = `must have ${least} to ${most} characters`
  throw new Refusal('INVALID_REQUEST', { issues: [{ path, message }] }, `A password ${message}.`)
}

/** The same letters, however the keyboard at hand composes them. */
const spelt = (password: string): string => password.normalize('NFC')

const text = (raw: Uint8Array): string => Buffer.from(raw).toString('base64url')
const bytes = (raw: string): Uint8Array => Buffer.from(raw, 'base64url')

interface QueuedHash extends InLine {
  readonly job: () => Promise<ScryptJob>
  resolve(hash: Uint8Array): void
  reject(error: unknown): void
}

class PasswordLine {
  readonly #scrypt: Scrypt
  readonly #line = new FairLine<QueuedHash>()
  #isBusy = false

  constructor(scrypt: Scrypt) {
    this.#scrypt = scrypt
  }

  run(job: () => Promise<ScryptJob>, address: string): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const entry: QueuedHash = { source: { address, link: '' }, weight: 1, job, resolve, reject }
      this.#line.add(entry)
      void this.#work()
      if (this.#line.size > passwordsWaitingMax) this.#turnAway(entry)
    })
  }

  #turnAway(newcomer: QueuedHash): void {
    const heaviest = this.#line.lastOfHeaviest() ?? newcomer
    const weight = (entry: QueuedHash) => this.#line.weightOf(entry.source.address)
    const leaves = weight(heaviest) > weight(newcomer) ? heaviest : newcomer
    this.#line.remove(leaves)
    const seconds = Math.ceil((this.#line.size * passwordHashedInMs) / 1000)
    leaves.reject(new Refusal('BUSY', { retry_after: Math.max(1, seconds) }))
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (;;) {
      const next = this.#line.takeNext(() => true)
      if (next === undefined) break
      try {
        next.resolve(await this.#scrypt(await next.job()))
      } catch (error) {
        next.reject(error)
      }
    }
    this.#isBusy = false
  }
}
