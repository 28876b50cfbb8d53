/** The thread in which passwords are hashed: one at a time, whoever asks. */
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { ScryptJob } from '../core/accounts/passwords.ts'

const hashBytes = 32

parentPort?.on('message', ({ password, salt, N, r, p }: ScryptJob) => {
  const maxmem = 2 ** 20 + 256 * N * r
  parentPort?.postMessage(
    new Uint8Array(scryptSync(password, salt, hashBytes, { N, r, p, maxmem })),
  )
})
