/**
 * A PostgreSQL server of a test's own, which can be killed and started again. It ends with the
 * process that started it, however that one ends.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../waiting.ts'
import { type Binaries, findBinaries } from './binaries.ts'

const startTimeoutMs = 30_000

/**
 * A line on its input says that the server has ended and its data stays. Where the other end of the
 * input is gone, the server ends and its directory goes.
 */
const guarded =
  'directory=$1; shift; "$@" & server=$!; read -r _ && exit; kill -QUIT $server; wait $server; ' +
  'rm -rf "$directory"'

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

  /**
   * A standby that streams from this server, reached at `port`. This server stops for the copy and
   * starts again.
   */
  async standby(port = this.port): Promise<PostgresServer> {
    const { uid, gid } = this.#binaries.user ?? {}
    const copy = new PostgresServer(await freePort(), this.#binaries, this.#settings)
    await this.stop()
    const data = join(copy.#directory, 'data')
    cpSync(join(this.#directory, 'data'), data, { recursive: true, mode: 0 })
    const settings = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`
    appendFileSync(join(data, 'postgresql.auto.conf'), settings)
    writeFileSync(join(data, 'standby.signal'), '')
    if (uid !== undefined && gid !== undefined) {
      for (const path of readdirSync(copy.#directory, { recursive: true, encoding: 'utf8' })) {
        chownSync(join(copy.#directory, path), uid, gid)
      }
      chownSync(copy.#directory, uid, gid)
    }
    chmodSync(data, 0o700)
    await this.restart()
    await copy.restart()
    return copy
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
    const start = () => {
      const child = spawn('sh', ['-c', guarded, 'sh', this.#directory, ...command], {
        ...user,
        cwd: '/',
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      child.unref()
      this.#child = child
    }
    start()
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
    await this.#stopBy('SIGKILL')
  }

  /** Ends connections and writes what it has. */
  async stop(): Promise<void> {
    await this.#stopBy('SIGINT')
  }

  /** Its processes stand still until `resume`. */
  pause(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGSTOP')
  }

  resume(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGCONT')
  }

  async remove(): Promise<void> {
    this.#end()
    await this.#ended()
    process.off('exit', this.#onExit)
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Those of its connections end when they see that the first one has. */
  async #stopBy(signal: NodeJS.Signals): Promise<void> {
    const pids = this.#pids
    process.kill(this.#pid, signal)
    const gone = () => (isAnyRunning(pids) ? undefined : true)
    await until(startTimeoutMs, gone, () => 'PostgreSQL does not end')
    this.#child?.stdin?.write('ended\n')
    await this.#ended()
  }

  /** The first of all, and those that it started. */
  get #pids(): number[] {
    const first = this.#pid
    const children = spawnSync('ps', ['-e', '-o', 'pid=,ppid=']).stdout.toString().split('\n')
    const pairs = children.map((line) => line.trim().split(/\s+/).map(Number))
    return [first, ...pairs.flatMap(([pid = 0, parent]) => (parent === first ? [pid] : []))]
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

  async #ended(): Promise<void> {
    const child = this.#child
    child?.ref()
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => child.once('exit', resolve))
    }
    this.#child = undefined
  }
}

/** What has ended may wait for its parent to ask. */
function isAnyRunning(pids: readonly number[]): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pids.join(',')])
  return stdout
    .toString()
    .split('\n')
    .some((state) => /^\s*[^Z\s]/.test(state))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
