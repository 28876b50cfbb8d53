/**
 * A child process with the real service in memory, that watches itself: the longest turn of its
 * event loop, its heap, and what it logged as an error. Answers `stats` over its channel.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { systemRuntime } from '../../../server/runtime.ts'

export interface Stats {
  /** The most processor time that one turn took, ms: what other processes take does not count. */
  readonly longestTurnMs: number
  readonly heapBytes: number
  readonly openDocuments: number
  readonly errors: readonly string[]
}

const lookEveryMs = 5
const errors: string[] = []
let longestTurnMs = 0
let lastLook = 0
let lastUsage = process.cpuUsage()
let looking: NodeJS.Timeout | undefined

const config = readConfig({
  PORT: '0',
  DATA_DIR: join(tmpdir(), `watched-${process.pid}`),
  SECRET_KEY: 'a key for the tests only',
  STORE_URL: 'memory:',
  RATE_CREATE: '0',
  RATE_WORK_MS: '0',
  RATE_WRITE_MB: '0',
  RATE_IDENTIFY: '0',
})
const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
const service = await startService({ config, runtime: systemRuntime, logger })

const collect = () => (globalThis as { gc?: () => void }).gc?.()

function stats(): Stats {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const told = { longestTurnMs, heapBytes: heapUsed + arrayBuffers, errors: errors.slice(0, 20) }
  return { ...told, openDocuments: service.documents.openCount }
}

process.on('message', (message) => {
  if (message === 'stats') process.send?.(stats())
  if (message === 'watch') {
    clearInterval(looking)
    begin()
    longestTurnMs = 0
    looking = setInterval(look, lookEveryMs)
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port: service.port })

function look(): void {
  const now = performance.now()
  const used = process.cpuUsage(lastUsage)
  const turn = Math.min(now - lastLook - lookEveryMs, (used.user + used.system) / 1000)
  longestTurnMs = Math.max(longestTurnMs, turn)
  begin()
}

function begin(): void {
  lastLook = performance.now()
  lastUsage = process.cpuUsage()
}
