/**
 * The thread in which artifacts are normalized: one text after the other, whoever asks. What takes
 * it too long, or too much memory, ends with it.
 */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { normalize } from '../core/assets/artifacts/normalize.ts'

/**
 * Where there is one core, keys go before uploads: below the others of this process, whatever it
 * was started with. Only Linux asks it of a thread alone.
 */
if (process.platform === 'linux') {
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5))
}

parentPort?.on('message', (source: string) => {
  try {
    parentPort?.postMessage({ normalized: normalize(source) })
  } catch (error) {
    // Deeper than the stack is too deep; anything else is a bug.
    if (!(error instanceof RangeError)) throw error
    parentPort?.postMessage({ normalized: undefined })
  }
})
parentPort?.postMessage('ready')
