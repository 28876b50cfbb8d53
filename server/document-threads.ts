/**
 * Documents in worker threads. A thread that says nothing for too long hangs: it is ended, and
 * another one is started when it is needed, as where a thread dies by itself.
 */
import { Worker } from 'node:worker_threads'
import type { RunningHost } from '../core/documents/front/host-slot.ts'
import type { DocumentsTrouble, Hosts } from '../core/documents/front/hosts.ts'
import { PlacedHosts, type SizeClass } from '../core/documents/front/placed-hosts.ts'
import { HostClient } from '../core/documents/host/host-client.ts'
import type { FromHost } from '../core/documents/host/messages.ts'
import type { Store } from '../persistence/store.ts'
import { type Limits, limits } from '../schema/limits.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'
import { readSlug, sharedSlug } from './worked-on.ts'

/** The heap of a thread of documents; one that needs more ends, and is replaced. */
const hostHeapMaxMb = 1_536

export interface DocumentThreadsParts {
  readonly store: Store
  readonly runtime: Runtime
  /** Threads for small documents, at least one. */
  readonly small: number
  readonly large: number
  readonly markdownMaxBytes: number
  /** Beyond it documents that are not in use leave, in all threads together. */
  readonly memoryAimBytes: number
  readonly limits?: Limits | undefined
  readonly onTrouble: DocumentsTrouble
  /** The file that each thread runs; another one in tests. */
  readonly file?: URL | undefined
}

/** What a thread is told when it starts. */
export interface DocumentThreadData {
  readonly markdownMaxBytes: number
  readonly limits: Limits
  /** What its open documents may cost together. */
  readonly memoryMaxBytes: number
  /** Beyond it those that are not in use leave. */
  readonly memoryAimBytes: number
  /** See `worked-on.ts`. */
  readonly workedOn: SharedArrayBuffer
}

/** What a thread runs is bundled, also where the rest runs from its sources. */
const bundled = import.meta.url.endsWith('.ts') ? '../dist/' : './'
const workerFile = new URL(`${bundled}document-worker.js`, import.meta.url)

export function openDocumentThreads(parts: DocumentThreadsParts): Hosts {
  const { store, runtime, small, large, onTrouble, file = workerFile } = parts
  const workedOn = new Map<string, SharedArrayBuffer>()
  /** A large document may need all that a service without threads has. */
  const memoryMaxBytes = { small: limits.memoryMaxBytes / 2 / small, large: limits.memoryMaxBytes }
  const half = parts.memoryAimBytes / 2
  const memoryAimBytes = { small: half / small, large: half / large }
  return new PlacedHosts({
    store,
    runtime,
    counts: { small, large },
    onTrouble,
    workedOn(name) {
      const shared = workedOn.get(name)
      return shared && readSlug(shared)
    },
    async start({ name, size, onGone, onGrown }, onEnded) {
      const shared = sharedSlug()
      workedOn.set(name, shared)
      const data: DocumentThreadData = {
        markdownMaxBytes: parts.markdownMaxBytes,
        limits: parts.limits ?? limits,
        memoryMaxBytes: memoryMaxBytes[size],
        memoryAimBytes: memoryAimBytes[size],
        workedOn: shared,
      }
      const worker = new Worker(file, {
        name,
        workerData: data,
        resourceLimits: { maxOldGenerationSizeMb: hostHeapMaxMb },
        // What the process was told to load at its start is not for this thread.
        execArgv: [],
      })
      const client = new HostClient({
        name,
        store,
        runtime,
        post: (messages, handedOver) => worker.postMessage(messages, handedOver),
        onTrouble,
        onGone,
        onGrown,
      })
      return new DocumentThread({ worker, client, runtime, size, onEnded })
    },
  })
}

interface ThreadParts {
  readonly worker: Worker
  readonly client: HostClient
  readonly runtime: Runtime
  readonly size: SizeClass
  readonly onEnded: (why: Error) => void
}

/** Each look asks whether the thread is there; so many without a word, and it hangs. */
const lookEveryMs = 250

class DocumentThread implements RunningHost {
  readonly client: HostClient
  readonly #parts: ThreadParts
  #silentLooks = 0
  #hasSpoken = false
  #look: Timer
  #isOver = false

  constructor(parts: ThreadParts) {
    const { worker, client } = parts
    this.client = client
    this.#parts = parts
    worker.on('message', (messages: readonly FromHost[]) => {
      this.#silentLooks = 0
      this.#hasSpoken = true
      client.receive(messages)
    })
    worker.on('error', (error) => this.#ended(error))
    worker.on('exit', (code) => this.#ended(new Error(`${client.name} ended with code ${code}`)))
    this.#look = this.#lookSoon()
  }

  async end(): Promise<void> {
    this.#isOver = true
    this.#look.cancel()
    await this.#parts.worker.terminate()
  }

  #lookSoon(): Timer {
    return this.#parts.runtime.after(lookEveryMs, () => {
      const { client, size } = this.#parts
      const { hostHangsAfterMs, hostStartsWithinMs } = limits
      const silentMaxMs = this.#hasSpoken ? hostHangsAfterMs[size] : hostStartsWithinMs
      if (this.#silentLooks * lookEveryMs >= silentMaxMs) {
        this.#ended(new Error(`${client.name} does not respond`))
        return
      }
      this.#silentLooks++
      client.ping()
      this.#look = this.#lookSoon()
    })
  }

  #ended(why: Error): void {
    if (this.#isOver) return
    void this.end()
    this.#parts.onEnded(why)
  }
}
