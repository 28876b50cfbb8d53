/**
 * Runs one test file after the other in a process of its own for each, or, for those that share,
 * in one process for many. A process that ends or hangs takes only the file with it that it was
 * running: the next file gets a new one.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from '../child.ts'
import { type Count, type Counted, readCountLine } from './count-line.ts'
import type { Asked } from './process.ts'

export interface FileResult extends Count {
  readonly output: string
  readonly ms: number
}

export interface LaneParts {
  readonly env: NodeJS.ProcessEnv
  /** A file that takes longer hangs. */
  readonly fileTimeoutMs: number
}

const tests = fileURLToPath(new URL('..', import.meta.url))
const script = fileURLToPath(new URL('process.ts', import.meta.url))

class TestProcess {
  readonly #child: Child
  readonly #earlier: string[] = []
  #output = ''
  #onOutput: () => void = () => {}
  #onClose: () => void = () => {}

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = startChild({ file: script, env })
    for (const pipe of [this.#child.stdout, this.#child.stderr]) {
      pipe.setEncoding('utf8').on('data', (text) => {
        this.#output += text
        this.#onOutput()
      })
    }
    this.#child.once('close', () => this.#onClose())
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async run(asked: Asked, timeoutMs: number): Promise<FileResult> {
    const started = performance.now()
    const timer = setTimeout(() => {
      this.#output += `\nkilled after ${timeoutMs / 1000} s: a test hangs or a handle stays open\n`
      this.#child.kill('SIGKILL')
    }, timeoutMs)
    const { text, count } = (await this.#countLineOf(asked)) ?? this.#whatEnded()
    clearTimeout(timer)
    const ms = performance.now() - started
    const isAlone = count.failed === 0 || this.#earlier.length === 0
    const before = isAlone ? '' : `\nbefore it the process had run ${this.#earlier.join(' ')}\n`
    this.#output = ''
    this.#earlier.push(relative(tests, asked.file))
    return { ...count, output: text + before, ms }
  }

  #whatEnded(): Counted {
    const how = this.#child.signalCode ?? this.#child.exitCode
    const text = `${this.#output}\nthe process ended: ${how}\n`
    return { text, count: { passed: 0, failed: 1, skipped: 0, cpuMs: 0 } }
  }

  /** Undefined when the process ends before it has counted. */
  #countLineOf(asked: Asked): Promise<Counted | undefined> {
    if (this.hasEnded) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#onOutput = () => {
        const found = readCountLine(this.#output)
        if (found !== undefined) resolve(found)
      }
      this.#onClose = () => resolve(readCountLine(this.#output))
      this.#child.send(asked, () => {})
    })
  }

  end(): Promise<void> {
    if (this.hasEnded) return Promise.resolve()
    // A child that is let go of tells of its exit alone.
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()))
    this.#child.disconnect()
    return ended
  }
}

export class Lane {
  readonly #parts: LaneParts
  /** Waits while a file runs that has its own. */
  #shared: TestProcess | undefined

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  async run(file: string, isShared: boolean): Promise<FileResult> {
    const { env, fileTimeoutMs } = this.#parts
    const process = (isShared ? this.#shared : undefined) ?? new TestProcess(env)
    const result = await process.run({ file, isShared }, fileTimeoutMs)
    if (isShared) this.#shared = process.hasEnded ? undefined : process
    else await process.end()
    return result
  }

  async end(): Promise<void> {
    await this.#shared?.end()
    this.#shared = undefined
  }
}
