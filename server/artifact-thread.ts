/**
 * Normalizes artifacts in a thread of its own, with bounds of time and memory, so that the worst
 * HTML holds up nobody: the thread is then ended, and another one started by the next. One at a
 * time, each address in its turn.
 */
import { Worker } from 'node:worker_threads'
import type { Normalized } from '../core/assets/artifacts/normalize.ts'
import type { Normalize } from '../core/assets/artifacts.ts'
import { FairTurns } from '../core/turns/fair-turns.ts'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'

export interface ArtifactThread {
  readonly normalize: Normalize
  close(): Promise<void>
}

/** What a thread runs is bundled, also where the rest runs from its sources. */
const bundled = import.meta.url.endsWith('.ts') ? '../dist/' : './'
const workerFile = new URL(`${bundled}artifact-worker.js`, import.meta.url)

export function openArtifactThread(
  runtime: Runtime,
  { withinMs = limits.artifactNormalizedWithinMs, file = workerFile } = {},
): ArtifactThread {
  const turns = new FairTurns(limits.artifactsWaitingMax)
  let ready: Promise<Worker> | undefined
  let current: Worker | undefined
  const end = async () => {
    const worker = current
    current = undefined
    ready = undefined
    await worker?.terminate()
  }
  const start = (): Promise<Worker> => {
    const worker = new Worker(file, {
      // What the process was told to load at its start is not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.artifactThreadMegabytes },
    })
    worker.unref()
    current = worker
    return new Promise((resolve, reject) => {
      worker.once('message', () => resolve(worker))
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread of artifacts did not start')))
    })
  }
  const run = async (source: string): Promise<Normalized | undefined> => {
    ready ??= start()
    const worker = await ready.catch(async (error: unknown) => {
      await end()
      throw error
    })
    const answer = await answerOf(worker, source, { runtime, withinMs })
    if (answer === 'ended') await end()
    return answer === 'ended' ? undefined : answer.normalized
  }
  return {
    normalize: (source, from) => turns.run(from, () => run(source)),
    close: end,
  }
}

interface Answered {
  readonly normalized: Normalized | undefined
}

/** `ended`: it took too long or too much. */
function answerOf(
  worker: Worker,
  source: string,
  { runtime, withinMs }: { readonly runtime: Runtime; readonly withinMs: number },
): Promise<Answered | 'ended'> {
  return new Promise((resolve) => {
    const settle = (answer: Answered | 'ended') => {
      late.cancel()
      worker.off('message', settle).off('error', ended).off('exit', ended)
      // What ends it later is nobody's any more.
      if (answer === 'ended') worker.on('error', () => {})
      resolve(answer)
    }
    const ended = () => settle('ended')
    const late = runtime.after(withinMs, ended)
    worker.on('message', settle).on('error', ended).on('exit', ended)
    worker.postMessage(source)
  })
}
