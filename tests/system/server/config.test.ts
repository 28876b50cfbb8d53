/** Extensions §1: every setting, and the one line that a value that cannot be used ends in. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ConfigError, documentThreadsFor, onPort, readConfig } from '../../../server/config.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('without any variable: the documented defaults', () => {
  assert.equal(readConfig({}), {
    port: 4000,
    host: '127.0.0.1',
    dataDirectory: './data',
    baseUrl: 'http://localhost:4000',
    followsHost: true,
    shortLinkBase: 'http://localhost:4000/s',
    webDirectory: join(root, 'dist/web'),
    store: { kind: 'level', directory: './data/store' },
    logLevel: 'info',
    trustProxy: 0,
    rates: {
      ...{ create: 120, identify: 120, account: 30, login: 10 },
      ...{ link: 120, guess: 60, dryRunMs: 10_000, invite: 60, feedback: 5, uploadMb: 5_000 },
      ...{ workMs: 20_000, writeMb: 2_000 },
    },
    documentThreads: documentThreadsFor(availableParallelism()),
    maxMarkdownBytes: 4 * 1024 * 1024,
    registrationOpen: true,
    signup: 'open',
    guestsAllowed: true,
    provider: undefined,
    webhooksAllowPrivate: false,
    outboundAllow: [],
    webhookTimeoutMs: 5_000,
    webhookRetriesMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
    secretKey: undefined,
    sharesStore: false,
    nodeUrl: undefined,
    metricsToken: undefined,
    minFreeBytes: 256 * 1024 ** 2,
    memoryBytes: 512 * 1024 ** 2,
  })
})

test('an empty variable is none', () => {
  const names = ['PORT', 'HOST', 'DATA_DIR', 'BASE_URL', 'STORE_URL', 'LOG_LEVEL', 'SECRET_KEY']
  assert.equal(readConfig(Object.fromEntries(names.map((name) => [name, '']))), readConfig({}))
})

test('every variable is read', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::1',
    DATA_DIR: '/data',
    BASE_URL: 'https://docs.example/path//',
    SHORT_LINK_BASE: 'https://s.example/',
    WEB_DIR: '/web',
    STORE_URL: 'level:/elsewhere',
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '2',
    RATE_CREATE: '0',
    RATE_IDENTIFY: '1',
    RATE_ACCOUNT: '2',
    RATE_LOGIN: '3',
    RATE_GUESS: '7',
    RATE_DRY_RUN_MS: '4',
    RATE_LINK: '5',
    RATE_INVITE: '6',
    RATE_FEEDBACK: '8',
    RATE_UPLOAD_MB: '9',
    RATE_WORK_MS: '10',
    RATE_WRITE_MB: '11',
    DOCUMENT_THREADS: '3',
    MAX_MARKDOWN_BYTES: '100',
    REGISTRATION: 'closed',
    SIGNUP: 'oidc',
    GUESTS: '0',
    OIDC_ISSUER: 'https://id.example/realm',
    OIDC_CLIENT_ID: 'us',
    OIDC_CLIENT_SECRET: 'hush',
    WEBHOOK_ALLOW_PRIVATE: '1',
    OUTBOUND_ALLOW: '10.1.0.0/16, fd00::/8',
    WEBHOOK_TIMEOUT_MS: '900',
    WEBHOOK_RETRIES: '1,0',
    SECRET_KEY: 'sixteen letters.',
    NODE_URL: 'http://10.0.0.5:4000/',
    METRICS_TOKEN: 'hush',
    MIN_FREE_MB: '8',
    MEMORY_MB: '320',
  })
  assert.equal(config, {
    port: 0,
    host: '::1',
    dataDirectory: '/data',
    baseUrl: 'https://docs.example/path',
    followsHost: false,
    shortLinkBase: 'https://s.example',
    webDirectory: '/web',
    store: { kind: 'level', directory: '/elsewhere' },
    logLevel: 'silent',
    trustProxy: 2,
    rates: {
      ...{ create: 0, identify: 1, account: 2, login: 3, guess: 7 },
      ...{ dryRunMs: 4, link: 5, invite: 6, feedback: 8, uploadMb: 9, workMs: 10, writeMb: 11 },
    },
    documentThreads: 3,
    maxMarkdownBytes: 100,
    registrationOpen: false,
    signup: 'oidc',
    guestsAllowed: false,
    provider: { issuer: 'https://id.example/realm', clientId: 'us', clientSecret: 'hush' },
    webhooksAllowPrivate: true,
    outboundAllow: ['10.1.0.0/16', 'fd00::/8'],
    webhookTimeoutMs: 900,
    webhookRetriesMs: [1_000, 0],
    secretKey: 'sixteen letters.',
    sharesStore: true,
    nodeUrl: 'http://10.0.0.5:4000',
    metricsToken: 'hush',
    minFreeBytes: 8 * 1024 ** 2,
    memoryBytes: 320 * 1024 ** 2,
  })
  assert.equal(readConfig({ STORE_URL: 'memory:' }).store, { kind: 'memory' })
  const url = 'postgres://service:hush@db.example/docs'
  assert.equal(readConfig({ STORE_URL: url }).store, { kind: 'postgres', url })
  assert.is(readConfig({ PORT: '81' }).baseUrl, 'http://localhost:81')
})

const unusable: readonly (readonly [string, string, RegExp])[] = [
  ['PORT', '65536', /a whole number from 0 to 65535, not "65536"/],
  ['PORT', '80a', /not "80a"/],
  ['PORT', '-1', /not "-1"/],
  ['PORT', '1e3', /not "1e3"/],
  ['PORT', '4000\nsecond line', /not "4000\\nsecond line"/],
  ['BASE_URL', 'docs.example', /an http or https URL without user and query/],
  ['BASE_URL', 'ftp://docs.example', /not "ftp/],
  ['BASE_URL', 'https://docs.example?a=1', /not "https/],
  ['BASE_URL', 'http://:0', /not "http/],
  ['SHORT_LINK_BASE', 'javascript:alert(1)', /not "javascript/],
  ['LOG_LEVEL', 'loud', /one of trace, debug, info, warn, error, fatal, silent, not "loud"/],
  ['SIGNUP', 'maybe', /one of open, oidc, closed, not "maybe"/],
  ['GUESTS', 'yes', /one of 0, 1, not "yes"/],
  ['RATE_GUESS', '-1', /a whole number/],
  ['TRUST_PROXY', 'true', /a whole number from 0 to 10/],
  ['TRUST_PROXY', '11', /not "11"/],
  ['RATE_CREATE', '1.5', /a whole number/],
  ['RATE_IDENTIFY', 'none', /a whole number/],
  ['RATE_ACCOUNT', '1000000001', /to 1000000000/],
  ['RATE_LOGIN', '٣', /a whole number/],
  ['MEMORY_MB', '319', /from 320 to/],
  ['MAX_MARKDOWN_BYTES', '0', /from 1 to 4194304/],
  ['MAX_MARKDOWN_BYTES', '4194305', /from 1 to 4194304/],
  ['REGISTRATION', 'yes', /one of open, closed/],
  ['WEBHOOK_ALLOW_PRIVATE', 'yes', /one of 0, 1/],
  ['WEBHOOK_TIMEOUT_MS', '0', /from 1 to 60000/],
  ['WEBHOOK_RETRIES', '5,soon', /whole numbers of seconds/],
  ['WEBHOOK_RETRIES', '5,,6', /whole numbers of seconds/],
  ['WEBHOOK_RETRIES', '604801', /whole numbers of seconds/],
  ['OUTBOUND_ALLOW', '10.1.0.0', /CIDR ranges such as/],
  ['OUTBOUND_ALLOW', '10.1.0.0/16,localhost', /CIDR ranges such as/],
  ['OUTBOUND_ALLOW', 'fd00::/129', /CIDR ranges such as/],
  ['STORE_URL', 'level:', /"level:DIRECTORY", "postgres:.*" or "memory:"/],
  ['STORE_URL', 'postgres://bad host/', /"level:DIRECTORY", "postgres:.*" or "memory:"/],
]
for (const [name, value, line] of unusable) {
  test(`${name}=${JSON.stringify(value)} is refused in one line that names it`, () => {
    const message = messageOf({ [name]: value })
    assert.ok(message.startsWith(`${name} takes `), message)
    assert.match(message, line)
    assert.not.match(message, /\n/)
  })
}

test('of the three OIDC settings the one that is missing is named', () => {
  const message = messageOf({ OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 'hush' })
  assert.is(
    message,
    'OIDC_ISSUER takes a value because OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set',
  )
})

test('DATA_DIR leaves room for the socket that lies in it, unless there is none', () => {
  const long = `/tmp/${'d'.repeat(100)}`
  assert.is(
    messageOf({ DATA_DIR: long }),
    `DATA_DIR takes a path of at most 90 bytes, not "${long}"`,
  )
  assert.is(readConfig({ DATA_DIR: `/tmp/${'d'.repeat(85)}` }).dataDirectory.length, 90)
  assert.is(readConfig({ DATA_DIR: long, STORE_URL: 'memory:' }).dataDirectory, long)
})

test('PORT=0: the addresses name the port that the system chose, those that were set stay', () => {
  const both = (env: Record<string, string>) => onPort(readConfig({ PORT: '0', ...env }), 81)
  assert.equal(both({}), { baseUrl: 'http://localhost:81', shortLinkBase: 'http://localhost:81/s' })
  assert.equal(both({ BASE_URL: 'https://docs.example', SHORT_LINK_BASE: 'https://s.example' }), {
    baseUrl: 'https://docs.example',
    shortLinkBase: 'https://s.example',
  })
})

for (const [name, value] of [
  ['DATA_DIR', '/proc/nope'],
  ['DATA_DIR', '/proc/nope/deeper'],
  ['DATA_DIR', '/dev/null/nope'],
] as const) {
  test(`${name}=${value} cannot be made: the start ends in one line`, () => {
    const args = ['dist/main.js']
    const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', [name]: value }
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      env,
      timeout: 20_000,
    })
    assert.is(stderr.toString(), `DATA_DIR takes a writable directory, not "${value}"\n`)
    assert.is(status, 2)
  })
}

const secrets: readonly (readonly [string, string])[] = [
  ['SECRET_KEY', 'hush'],
  ['STORE_URL', 'mysql://service:hush@db.example/docs'],
  ['BASE_URL', 'https://service:hush@docs.example'],
]
for (const [name, value] of secrets) {
  test(`what ${name} holds is never repeated`, () => {
    assert.not.match(messageOf({ [name]: value }), /hush/)
  })
}

for (const command of ['main', 'scrub', 'backup']) {
  test(`${command}: one line on stderr, exit code 2, no stack`, () => {
    const args = [`dist/${command}.js`, 'nowhere']
    const env = { PATH: process.env['PATH'], PORT: '70000' }
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: root, env })
    assert.is(stderr.toString(), 'PORT takes a whole number from 0 to 65535, not "70000"\n')
    assert.is(status, 2)
    assert.is(stdout.toString(), '')
  })
}

test('backup without a directory says how it is used', () => {
  const args = ['dist/backup.js']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root })
  assert.is(stderr.toString(), 'usage: npm run backup -- DIRECTORY\n')
  assert.is(status, 2)
})

function messageOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('it was taken')
}

test('one core has no threads of documents, more have one each up to four', () => {
  assert.equal([1, 2, 3, 4, 64].map(documentThreadsFor), [1, 1, 2, 3, 4])
})

test.run()
