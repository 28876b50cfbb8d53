/**
 * The thread in which passwords are hashed: one `ScryptJob` (core/accounts/passwords.ts) after the
 * other, whoever asks. A thread is started from a file, so this one runs as it is written.
 */
import { scryptSync } from 'node:crypto'
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

const hashBytes = 32
/**
 * Where there is one core, keys go before passwords: below the others of this process, whatever it
 * was started with. Only Linux asks it of a thread alone.
 */
if (process.platform === 'linux') {
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5))
}

parentPort?.on('message', ({ password, salt, N, r, p }) => {
  const maxmem = 2 ** 20 + 256 * N * r
  const hash = scryptSync(password, salt, hashBytes, { N, r, p, maxmem })
  parentPort?.postMessage(new Uint8Array(hash))
})
