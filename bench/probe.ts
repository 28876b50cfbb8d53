/**
 * Preloaded into the measured service: answers over IPC what only the process itself knows (longest
 * hold of its event loop, heap after a collection). `BENCH_IDLE_MS` shortens the time after which a
 * document that nobody uses leaves memory.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { limits } from '../schema/limits.ts'

export interface MemoryFacts {
  /** Heap in use and external bytes, after a full collection. */
  readonly used: number
  readonly resident: number
}

const idleMs = process.env['BENCH_IDLE_MS']
if (idleMs !== undefined) Object.assign(limits, { openDocumentIdleMs: Number(idleMs) })

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()

async function memory(): Promise<MemoryFacts> {
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { used: heapUsed + external, resident: rss }
}

process.on('message', async (question) => {
  if (question === 'hold') {
    // A delay is only counted when the sampling timer has run after it.
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.send?.(delays.max / 1e6)
    delays.reset()
  } else if (question === 'memory') {
    process.send?.(await memory())
  } else if (question === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  }
})
process.channel?.unref()
