/** The service in this process with all that it has in earnest: LevelDB, sockets and the clock. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { WebSocket } from 'ws'
import type { Limits } from '../../schema/limits.ts'
import { startService } from '../../server/compose.ts'
import { readConfig } from '../../server/config.ts'
import { systemRuntime } from '../../server/runtime.ts'
import type { Engine, Request, Response, Running } from './engine.ts'

/** A request that hangs is a failure with a name. */
const answerWithinMs = 30_000

export class RealEngine implements Engine {
  readonly runtime = systemRuntime
  readonly #directory = mkdtempSync(join(tmpdir(), 'laws-'))
  readonly #limits: Limits | undefined
  #port = 0

  constructor(limits?: Limits) {
    this.#limits = limits
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  async start(onError: (error: string) => void): Promise<Running> {
    const config = readConfig({
      PORT: String(this.#port),
      DATA_DIR: this.#directory,
      RATE_CREATE: '0',
      RATE_IDENTIFY: '0',
      RATE_ACCOUNT: '0',
      RATE_DRY_RUN_MS: '0',
      RATE_WORK_MS: '0',
      RATE_WRITE_MB: '0',
    })
    const logger = pino({ level: 'error' }, { write: onError })
    const limits = this.#limits
    const service = await startService({ config, runtime: systemRuntime, logger, limits })
    this.#port = service.port
    return service
  }

  async request({ method, path, headers, body }: Request): Promise<Response | undefined> {
    const init = { method, headers, signal: AbortSignal.timeout(answerWithinMs) }
    try {
      const response = await fetch(`http://${this.address}${path}`, {
        ...init,
        ...(body !== undefined && { body }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  socket(url: string, protocols: readonly string[]): WebSocket {
    return new WebSocket(url, [...protocols])
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
