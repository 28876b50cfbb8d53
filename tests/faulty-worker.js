/**
 * A thread of documents that misbehaves on request: where a message holds `fault:<what>:<name>`
 * and the file `<name>` in FAULTS_DIR says how often, or where a test asks for it on the channel
 * `faults`. The faults: `hang` (an endless loop), `exit`, `throw`, `busy` (a step of 1.2 s).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BroadcastChannel, parentPort as port, workerData } from 'node:worker_threads'

/** @typedef {{kind: string, slug?: string, update?: Uint8Array, ask?: {slug: string}}} Message */

const parentPort = /** @type {import('node:worker_threads').MessagePort} */ (port)
const directory = process.env['FAULTS_DIR'] ?? ''
const busyMs = 1_200
const seen = new Set()

/** @param {string | undefined} what */
function act(what) {
  if (what === 'exit') process.exit(7)
  if (what === 'throw') throw new Error('a fault that a test asked for')
  const until = what === 'busy' ? performance.now() + busyMs : Number.POSITIVE_INFINITY
  while (performance.now() < until);
}

/**
 * Yjs writes text as it is, so that a mark typed at once is found in an update.
 * @param {Message} message
 */
function textOf(message) {
  if (message.update !== undefined) return Buffer.from(message.update).toString('latin1')
  return message.kind === 'call' ? JSON.stringify(message.ask) : ''
}

/** @param {Message} message */
function faultIn(message) {
  const [, what, name] = /fault:([a-z]+):([a-z0-9]+)/.exec(textOf(message)) ?? []
  if (name === undefined) return undefined
  const file = join(directory, name)
  const left = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (left > 0) writeFileSync(file, String(left - 1))
  return left > 0 ? what : undefined
}

/** @param {Message} message */
const slugOf = (message) => message.slug ?? message.ask?.slug

/**
 * Messages are taken one at a time, and a fault comes right after the message that asks for it.
 * @param {string} name
 * @param {(messages: readonly Message[]) => void} listener
 */
function listen(name, listener) {
  return parentPort.addListener(name, (messages) => {
    for (const message of messages) {
      const slug = slugOf(message)
      if (slug !== undefined) seen.add(slug)
      const fault = faultIn(message)
      listener([message])
      if (fault !== undefined) act(fault)
    }
  })
}

Reflect.set(parentPort, 'on', listen)
await import(new URL('../dist/document-worker.js', import.meta.url).href)

const channel = new BroadcastChannel('faults')
channel.onmessage = (event) => {
  const { data } = /** @type {{data: {slug: string, what: string}}} */ (event)
  if (!seen.has(data.slug)) return
  // No document is to blame for what comes from outside.
  new Uint8Array(workerData.workedOn)[0] = 0
  act(data.what)
}
