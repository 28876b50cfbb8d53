/**
 * The real service in this process on a real store, with documents in threads that misbehave when a
 * test asks for it (tests/faulty-worker.js).
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import { pino } from 'pino'
import { type Service as Running, startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { type Fields, type Made, Service } from '../../client.ts'

export type Fault = 'hang' | 'exit' | 'throw' | 'busy'

const documentWorker = new URL('../../faulty-worker.js', import.meta.url)

export class ThreadedService extends Service {
  /** Lines of the log that say `error` or worse. */
  readonly errors: Fields[] = []
  readonly #channel = new BroadcastChannel('faults')
  #running: Running | undefined
  #faults = 0

  get running(): Running {
    if (this.#running === undefined) throw new Error('the service does not run')
    return this.#running
  }

  override async start(): Promise<this> {
    process.env['FAULTS_DIR'] = this.directory
    const config = readConfig({ ...this.environment, DOCUMENT_THREADS: '2' })
    const write = (line: string) => void this.errors.push(JSON.parse(line))
    const logger = pino({ level: 'error' }, { write })
    const onFatal = (error: Error) => {
      throw error
    }
    this.#running = await startService({ config, runtime, logger, onFatal, documentWorker })
    this.base = `http://127.0.0.1:${this.#running.port}`
    return this
  }

  override async remove(): Promise<void> {
    this.#channel.close()
    await this.#running?.stop()
    await super.remove()
  }

  /** A text that makes the thread fail that takes it, so many times. */
  mark(what: Fault, times = 1): string {
    const name = `n${++this.#faults}`
    writeFileSync(join(this.directory, name), String(times))
    return `fault:${what}:${name}`
  }

  /** How often a marked fault is still to come. */
  left(mark: string): number {
    return Number(readFileSync(join(this.directory, mark.split(':')[2] ?? ''), 'utf8'))
  }

  /** Makes the threads fail that have had anything to do with the document. */
  fault(slug: string, what: Fault): void {
    this.#channel.postMessage({ slug, what })
  }

  /** Log lines of threads that were replaced. */
  get replaced(): readonly Fields[] {
    return this.errors.filter(({ worker }) => worker !== undefined)
  }

  /** A document in the thread of this number for small ones. */
  async documentIn(thread: number, markdown: string): Promise<Made> {
    for (;;) {
      const made = await this.document(markdown)
      if (threadOf(made.slug) === thread) return made
    }
  }
}

const threadOf = (slug: string) => createHash('sha256').update(slug).digest().readUInt32BE() % 2
