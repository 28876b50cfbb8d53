/**
 * Preloaded into the measured service: answers over IPC what only the process itself knows (longest
 * hold of its event loop, heap after a collection). `BENCH_HOLDS` turns the sampling of holds on.
 */

export interface MemoryFacts {
  /** Heap in use and external bytes, after a full collection. */
  readonly used: number
  readonly resident: number
}

// What loads this file turns them on, and each stack of an error is then looked up in the bundle's.
process.setSourceMapsEnabled(false)

/**
 * Between two turns of the loop a millisecond apart: the longest time that nothing else could run. On
 * a busy machine the process also waits for a processor, hence never more than the processor time used.
 */
let longestHold = 0
let lastTurn = performance.now()
let lastCpu = process.cpuUsage()
function sample(): void {
  const now = performance.now()
  const { user, system } = process.cpuUsage(lastCpu)
  longestHold = Math.max(longestHold, Math.min(now - lastTurn, (user + system) / 1000))
  lastTurn = now
  lastCpu = process.cpuUsage()
}

// Sampling has a cost of its own: only where holds are asked for.
if (process.env['BENCH_HOLDS'] !== undefined) setInterval(sample, 1).unref()

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
    // A hold is only counted when the timer has run after it.
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.send?.(longestHold)
    longestHold = 0
  } else if (question === 'memory') {
    process.send?.(await memory())
  } else if (question === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  }
})
process.channel?.unref()
// Whoever measures is gone: nothing may stay behind.
process.on('disconnect', () => process.exit(0))
