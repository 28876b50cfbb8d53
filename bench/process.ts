/** A measured process: started, asked over its IPC channel, ended by its id. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const ticksPerSecond = 100

export interface ProcessParts {
  readonly command?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The one core it may run on, where there is a way to say so and there are several. */
  readonly core?: number
}

const pinning = '/usr/bin/taskset'

function pinned(core: number | undefined, command: string, args: readonly string[]) {
  const canPin = core !== undefined && core < cpus().length && existsSync(pinning)
  return canPin ? [pinning, '-c', String(core), command, ...args] : [command, ...args]
}

export function cpuMsOf(file: string): number {
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

export class MeasuredProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #hasEnded = false
  #how = ''
  #errors = ''

  constructor({ command = process.execPath, args, env = {}, core }: ProcessParts) {
    const [first = command, ...rest] = pinned(core, command, args)
    this.#child = spawn(first, rest, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    this.#child.stderr?.on('data', (data) => {
      this.#errors = (this.#errors + data).slice(-4000)
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on('exit', (code, signal) => {
        this.#hasEnded = true
        this.#how = signal ?? `code ${code}`
        resolve()
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The end of what it wrote to its standard error. */
  get errors(): string {
    return this.#errors
  }

  /** Undefined while it lives; else the signal that ended it, or its code. */
  get ended(): string | undefined {
    return this.#hasEnded ? this.#how : undefined
  }

  /** To one that has ended it says nothing; who waits for the answer hears of the end by that. */
  send(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => {})
  }

  /** The next message of the process; rejects when it ends instead. */
  async message<T>(): Promise<T> {
    const next = new Promise<T>((resolve) => {
      this.#child.once('message', (message) => resolve(message as T))
    })
    const end = this.#ended.then(() => {
      throw new Error(`a measured process ended:\n${this.#errors}`)
    })
    if (this.#hasEnded) await end
    return Promise.race([next, end])
  }

  ask<T>(question: unknown): Promise<T> {
    const answer = this.message<T>()
    this.send(question)
    return answer
  }

  /** Milliseconds of processor time so far, all threads; in steps of 10. */
  cpuMs(): number {
    return cpuMsOf(`/proc/${this.pid}/stat`)
  }

  /** Of the main thread alone. */
  mainCpuMs(): number {
    return cpuMsOf(`/proc/${this.pid}/task/${this.pid}/stat`)
  }

  residentBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  }

  /** The most that was ever resident. */
  residentPeakBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  }

  /** Asks the process that it started, through however many others, to end; they follow it. */
  async stopInnermost(): Promise<void> {
    let pid = this.pid
    for (;;) {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
      if (children === '') break
      pid = Number(children.split(' ')[0])
    }
    process.kill(pid, 'SIGTERM')
    await this.#ended
  }

  /** At once, whatever it is doing. */
  kill(): void {
    if (!this.#hasEnded) this.#child.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return
    this.#child.kill('SIGTERM')
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 15_000)
    await this.#ended
    clearTimeout(late)
  }
}
