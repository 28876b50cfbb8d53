/**
 * Preloaded into the measured service: `{ slowDiskMs }` over IPC makes each write of LevelDB take so
 * much longer from then on. The write itself stays what it is.
 */
import { ClassicLevel } from 'classic-level'

export interface SlowDisk {
  readonly slowDiskMs: number
}

let delayMs = 0
process.on('message', (message: Partial<SlowDisk>) => {
  delayMs = message.slowDiskMs ?? delayMs
})

interface Chain {
  write(options?: object): Promise<void>
}

type Batch = (this: unknown, ...given: unknown[]) => unknown

const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
const prototype = ClassicLevel.prototype as unknown as { batch: Batch }
const { batch } = prototype

/** Without arguments it makes a chain, which is written later; with some it writes at once. */
prototype.batch = function (...given) {
  if (given.length > 0) return delay().then(() => batch.apply(this, given))
  const chain = batch.call(this) as Chain
  const write = chain.write.bind(chain)
  chain.write = async (options) => {
    await delay()
    await write(options)
  }
  return chain
}
