/**
 * Hashes passwords in a thread of its own, so that neither the event loop nor the threads that
 * files are read with wait for it. It is started by the first password, and again when it broke.
 */
import { Worker } from 'node:worker_threads'
import type { Scrypt } from '../core/accounts/passwords.ts'

export interface ScryptThread {
  /** One at a time: whoever calls waits for its answer before the next. */
  readonly scrypt: Scrypt
  close(): Promise<void>
}

export function openScryptThread(): ScryptThread {
  let worker: Worker | undefined
  const start = (): Worker => {
    // What the process was told to load at its start is not for this thread.
    const started = new Worker(new URL('./scrypt-worker.js', import.meta.url), { execArgv: [] })
    started.unref()
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', forget).on('exit', forget)
    worker = started
    return started
  }
  return {
    scrypt: (job) =>
      new Promise((resolve, reject) => {
        const thread = worker ?? start()
        const settle = () => thread.off('message', done).off('error', failed).off('exit', ended)
        const done = (hash: Uint8Array) => {
          settle()
          resolve(hash)
        }
        const failed = (error: unknown) => {
          settle()
          reject(error)
        }
        const ended = () => failed(new Error('the password hashing thread has ended'))
        thread.on('message', done).on('error', failed).on('exit', ended)
        thread.postMessage(job)
      }),
    async close() {
      await worker?.terminate()
    },
  }
}
