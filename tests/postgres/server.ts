/**
 * A PostgreSQL server of a test's own, which can be killed and started again. It ends with the
 * process that started it, however that one ends.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../waiting.ts'
import { type Binaries, findBinaries } from './binaries.ts'

const startTimeoutMs = 30_000

/** Ends the server where the other end of its input is gone. */
const guarded = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'

export class PostgresServer {
  readonly port: number
  readonly #binaries: Binaries
  readonly #directory: string
  readonly #settings: readonly string[]
  #child: ChildProcess | undefined
  readonly #onExit = () => this.#end()

  private constructor(port: number, binaries: Binaries, settings: readonly string[]) {
    this.port = port
    this.#binaries = binaries
    this.#settings = settings
    this.#directory = mkdtempSync(join(tmpdir(), 'postgres-'))
    process.on('exit', this.#onExit)
  }

  /** `settings` as in postgresql.conf. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    const server = new PostgresServer(await freePort(), findBinaries(), given)
    server.#makeCluster()
    await server.restart()
    return server
  }

  /** Of the database `postgres`, unless another is named. */
  url(database = 'postgres', port = this.port): string {
    return `postgres://postgres@127.0.0.1:${port}/${database}`
  }

  /** Starts it again after `kill` or `stop`, and resolves when it answers. */
  async restart(): Promise<void> {
    const { postgres, user } = this.#binaries
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'shared_buffers=32MB',
      'log_min_messages=fatal',
      ...this.#settings,
    ].flatMap((setting) => ['-c', setting])
    const command = [postgres, '-D', join(this.#directory, 'data'), ...settings]
    const child = spawn('sh', ['-c', guarded, 'sh', ...command], {
      ...user,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.unref()
    this.#child = child
    const answers = async () => {
      const client = new pg.Client(this.url())
      try {
        await client.connect()
        return true
      } catch {
        return undefined
      } finally {
        await client.end().catch(() => {})
      }
    }
    await until(startTimeoutMs, answers, () => 'PostgreSQL does not start')
  }

  /** As a loss of power: nothing is written any more. */
  async kill(): Promise<void> {
    process.kill(this.#pid, 'SIGKILL')
    await this.#ended()
  }

  /** Ends connections and writes what it has. */
  async stop(): Promise<void> {
    process.kill(this.#pid, 'SIGINT')
    await this.#ended()
  }

  async remove(): Promise<void> {
    this.#end()
    await this.#ended()
    process.off('exit', this.#onExit)
    rmSync(this.#directory, { recursive: true, force: true })
  }

  get #pid(): number {
    const file = join(this.#directory, 'data/postmaster.pid')
    return Number(readFileSync(file, 'utf8').split('\n')[0])
  }

  #makeCluster(): void {
    const { initdb, user } = this.#binaries
    const { uid, gid } = user ?? {}
    if (uid !== undefined && gid !== undefined) chownSync(this.#directory, uid, gid)
    const data = ['-D', join(this.#directory, 'data')]
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
    const made = spawnSync(initdb, [...data, ...options], { ...user, cwd: '/' })
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  }

  #end(): void {
    this.#child?.stdin?.destroy()
  }

  /** The processes of its connections, too. */
  async #ended(): Promise<void> {
    const child = this.#child
    child?.stdin?.destroy()
    child?.ref()
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => child.once('exit', resolve))
    }
    this.#child = undefined
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
