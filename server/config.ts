/**
 * The service's settings, read from the environment once, at the start. A value that cannot be used
 * stops the start with one line that names the variable and says what it takes.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRange } from '../core/outbound/address-policy.ts'
import type { Rates } from '../rest/quotas/quotas.ts'
import { limits } from '../schema/limits.ts'

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDirectory: string
  readonly baseUrl: string
  /** `BASE_URL` is not set. */
  readonly followsHost: boolean
  readonly shortLinkBase: string
  /** Where the built browser page lies. */
  readonly webDirectory: string
  readonly store: StoreLocation
  readonly logLevel: string
  /** How many proxies in front are believed about the caller's address. */
  readonly trustProxy: number
  /** Requests a minute and address; 0: no quota. */
  readonly rates: Rates
  /** Threads for small documents; 0: all documents are in the main thread. */
  readonly documentThreads: number
  readonly maxMarkdownBytes: number
  /** Of the disk: below it creates and uploads are refused; 0 is no bound. */
  readonly minFreeBytes: number
  /** What the process is to keep resident, about. */
  readonly memoryBytes: number
  readonly registrationOpen: boolean
  readonly signup: 'open' | 'oidc' | 'closed'
  readonly guestsAllowed: boolean
  /** Who vouches for people. */
  readonly provider: ProviderSettings | undefined
  /** Whether events of agents may be sent to any address, public or not. */
  readonly webhooksAllowPrivate: boolean
  /** CIDR ranges that outgoing requests may go to beside public addresses. */
  readonly outboundAllow: readonly string[]
  /** For all of one attempt to deliver an event. */
  readonly webhookTimeoutMs: number
  /** From each failed attempt to the next one; after the last the event is given up. */
  readonly webhookRetriesMs: readonly number[]
  readonly secretKey: string | undefined
  /** Other processes may use the store too. */
  readonly sharesStore: boolean
  /** Where other nodes reach this one, on this machine or another. */
  readonly nodeUrl: string | undefined
  readonly metricsToken: string | undefined
}

/** A LevelDB directory, a PostgreSQL database, or memory alone (gone when the process ends). */
export type StoreLocation =
  | { readonly kind: 'level'; readonly directory: string }
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'memory' }

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A setting that cannot be used; the message is the line to print, without what is secret. */
export class ConfigError extends Error {
  constructor(variable: string, takes: string, value?: string) {
    super(
      `${variable} takes ${takes}${value === undefined ? '' : `, not ${JSON.stringify(value)}`}`,
    )
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const logLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Throws `ConfigError` for the first variable that cannot be used. */
export function readConfig(env: Environment): Config {
  const text = (name: string, fallback: string) => env[name] || fallback
  const port = whole(env, 'PORT', { fallback: 4000, min: 0, max: 65_535 })
  const dataDirectory = text('DATA_DIR', './data')
  const baseUrl = address(env, 'BASE_URL', `http://localhost:${port}`)
  const rate = (name: string, fallback: number) =>
    whole(env, name, { fallback, min: 0, max: 1_000_000_000 })
  return {
    port,
    host: text('HOST', '127.0.0.1'),
    dataDirectory,
    baseUrl,
    followsHost: !env['BASE_URL'],
    shortLinkBase: address(env, 'SHORT_LINK_BASE', `${baseUrl}/s`),
    webDirectory: text('WEB_DIR', fileURLToPath(new URL('../dist/web', import.meta.url))),
    store: storeOf(env, dataDirectory),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    trustProxy: whole(env, 'TRUST_PROXY', { fallback: 0, min: 0, max: 10 }),
    rates: {
      create: rate('RATE_CREATE', 120),
      identify: rate('RATE_IDENTIFY', 120),
      account: rate('RATE_ACCOUNT', 30),
      login: rate('RATE_LOGIN', 10),
      link: rate('RATE_LINK', 120),
      guess: rate('RATE_GUESS', 60),
      dryRunMs: rate('RATE_DRY_RUN_MS', 10_000),
      workMs: rate('RATE_WORK_MS', 20_000),
      invite: rate('RATE_INVITE', 60),
      feedback: rate('RATE_FEEDBACK', 5),
      uploadMb: rate('RATE_UPLOAD_MB', limits.uploadedMegabytesMax),
      writeMb: rate('RATE_WRITE_MB', limits.writtenMegabytesMax),
    },
    documentThreads: whole(env, 'DOCUMENT_THREADS', {
      fallback: documentThreadsFor(availableParallelism()),
      min: 0,
      max: 64,
    }),
    maxMarkdownBytes: whole(env, 'MAX_MARKDOWN_BYTES', {
      fallback: limits.markdownMaxBytes,
      min: 1,
      max: limits.markdownMaxBytes,
    }),
    minFreeBytes:
      whole(env, 'MIN_FREE_MB', { fallback: 256, min: 0, max: 1_000_000_000 }) * 1024 ** 2,
    memoryBytes:
      whole(env, 'MEMORY_MB', { fallback: 512, min: 320, max: 1_000_000_000 }) * 1024 ** 2,
    registrationOpen: oneOf(env, 'REGISTRATION', ['open', 'closed'], 'open') === 'open',
    signup: oneOf(env, 'SIGNUP', ['open', 'oidc', 'closed'], 'open'),
    guestsAllowed: oneOf(env, 'GUESTS', ['0', '1'], '1') === '1',
    provider: provider(env),
    webhooksAllowPrivate: oneOf(env, 'WEBHOOK_ALLOW_PRIVATE', ['0', '1'], '0') === '1',
    outboundAllow: list(env, 'OUTBOUND_ALLOW', '', {
      takes: 'CIDR ranges such as 10.1.0.0/16,fd00::/8',
      isGood: isRange,
    }),
    webhookTimeoutMs: whole(env, 'WEBHOOK_TIMEOUT_MS', { fallback: 5_000, min: 1, max: 60_000 }),
    webhookRetriesMs: list(env, 'WEBHOOK_RETRIES', '5,300,1800,7200,18000,36000', {
      takes: 'whole numbers of seconds, each at most 604800',
      isGood: (text) => /^\d{1,6}$/.test(text) && Number(text) <= 604_800,
    }).map((seconds) => Number(seconds) * 1000),
    secretKey: secretKey(env),
    sharesStore: Boolean(env['NODE_URL']) || isPostgresUrl(env['STORE_URL'] ?? ''),
    nodeUrl: env['NODE_URL'] ? address(env, 'NODE_URL', '') : undefined,
    metricsToken: env['METRICS_TOKEN'] || undefined,
  }
}

/** The addresses where the system chose the port: they name it. */
export function onPort(
  { baseUrl, shortLinkBase }: Config,
  port: number,
): Pick<Config, 'baseUrl' | 'shortLinkBase'> {
  const named = (address: string) =>
    address.replace(/^http:\/\/localhost:0(?=\/|$)/, `http://localhost:${port}`)
  return { baseUrl: named(baseUrl), shortLinkBase: named(shortLinkBase) }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Which setting made the start fail, when the system says so; else the error as it came. */
export function settingAtFault(error: unknown, config: Config): unknown {
  switch (codeOf(error)) {
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return new ConfigError('HOST', 'an address of this machine', config.host)
    case 'EADDRINUSE':
      return new ConfigError('PORT', 'a port that is free', String(config.port))
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOENT':
    case 'EROFS':
    case 'EACCES':
      return new ConfigError('DATA_DIR', 'a writable directory', config.dataDirectory)
    default:
      return error
  }
}

/** The main thread needs a core too. */
export const documentThreadsFor = (cores: number): number => Math.min(4, Math.max(1, cores - 1))

function whole(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = env[name]
  if (value === undefined || value === '') return fallback
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ConfigError(name, `a whole number from ${min} to ${max}`, value)
}

function oneOf<V extends string>(
  env: Environment,
  name: string,
  values: readonly V[],
  fallback: V,
): V {
  const value = env[name] || fallback
  const known = values.find((one) => one === value)
  if (known !== undefined) return known
  throw new ConfigError(name, `one of ${values.join(', ')}`, value)
}

const listMax = 100

/** Values with commas between them. */
function list(
  env: Environment,
  name: string,
  fallback: string,
  { takes, isGood }: { takes: string; isGood: (text: string) => boolean },
): string[] {
  const value = env[name] || fallback
  const items = value === '' ? [] : value.split(',').map((item) => item.trim())
  if (items.length <= listMax && items.every(isGood)) return items
  throw new ConfigError(name, takes, value)
}

/** Without a trailing slash. */
function address(env: Environment, name: string, fallback: string): string {
  const value = env[name] || fallback
  if (!/^https?:\/\/[^\s?#@]+$/.test(value) || !URL.canParse(value)) {
    const shown = value.includes('@') ? undefined : value
    throw new ConfigError(name, 'an http or https URL without user and query', shown)
  }
  return value.replace(/(?<!\/)\/+$/, '')
}

function secretKey(env: Environment): string | undefined {
  const value = env['SECRET_KEY']
  if (value === undefined || value === '') return undefined
  if (value.length < 16) throw new ConfigError('SECRET_KEY', 'at least 16 characters')
  return value
}

/** All three or none. */
function provider(env: Environment): ProviderSettings | undefined {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  const missing = names.find((name) => !env[name])
  if (names.every((name) => !env[name])) return undefined
  if (missing !== undefined) {
    const others = names.filter((name) => name !== missing).join(' and ')
    throw new ConfigError(missing, `a value because ${others} are set`)
  }
  return {
    issuer: address(env, 'OIDC_ISSUER', ''),
    clientId: env['OIDC_CLIENT_ID'] ?? '',
    clientSecret: env['OIDC_CLIENT_SECRET'] ?? '',
  }
}

/** The door for commands; it lies in the data directory. */
export const socketName = 'control.sock'
/** What any system takes as the path of a socket. */
const socketMaxBytes = 103

export const isPostgresUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)

function storeOf(env: Environment, dataDirectory: string): StoreLocation {
  const value = env['STORE_URL']
  if (value !== 'memory:' && Buffer.byteLength(join(dataDirectory, socketName)) > socketMaxBytes) {
    const takes = `a path of at most ${socketMaxBytes - socketName.length - 1} bytes`
    throw new ConfigError('DATA_DIR', takes, dataDirectory)
  }
  if (value === undefined || value === '') {
    return { kind: 'level', directory: `${dataDirectory}/store` }
  }
  if (value === 'memory:') return { kind: 'memory' }
  if (isPostgresUrl(value)) return { kind: 'postgres', url: value }
  const directory = /^level:(.+)$/.exec(value)?.[1]
  if (directory !== undefined) return { kind: 'level', directory }
  const takes = '"level:DIRECTORY", "postgres://USER:PASSWORD@HOST/DATABASE" or "memory:"'
  throw new ConfigError('STORE_URL', takes)
}
