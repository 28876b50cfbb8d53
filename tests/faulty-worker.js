/**
 * A thread of documents that misbehaves on request: where a message holds `fault:<what>:<name>`
 * and the file `<name>` in FAULTS_DIR says how often, or where a test asks for it on the channel
 * `faults`. The faults: `hang` (an endless loop), `exit`, `throw`, `busy` (a step of 1.2 s).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BroadcastChannel, parentPort } from 'node:worker_threads'

const directory = process.env['FAULTS_DIR'] ?? ''
const busyMs = 1_200
const seen = new Set()

function act(what) {
  if (what === 'exit') process.exit(7)
  if (what === 'throw') throw new Error('a fault that a test asked for')
  const until = what === 'busy' ? performance.now() + busyMs : Number.POSITIVE_INFINITY
  while (performance.now() < until);
}

/** Yjs writes text as it is, so that a mark typed at once is found in an update. */
function textOf(message) {
  if (message.kind === 'receive') return Buffer.from(message.update).toString('latin1')
  return message.kind === 'call' ? JSON.stringify(message.ask) : ''
}

function faultIn(message) {
  const [, what, name] = /fault:([a-z]+):([a-z0-9]+)/.exec(textOf(message)) ?? []
  if (name === undefined) return undefined
  const file = join(directory, name)
  const left = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (left > 0) writeFileSync(file, String(left - 1))
  return left > 0 ? what : undefined
}

const slugOf = (message) => message.slug ?? message.ask?.slug

const { on } = parentPort
/** Messages are taken one at a time, and a fault comes right after the message that asks for it. */
parentPort.on = (name, listener) =>
  on.call(parentPort, name, (messages) => {
    for (const message of messages) {
      if (slugOf(message) !== undefined) seen.add(slugOf(message))
      const fault = faultIn(message)
      listener([message])
      if (fault !== undefined) act(fault)
    }
  })

await import('../dist/document-worker.js')
parentPort.on = on

const channel = new BroadcastChannel('faults')
channel.onmessage = ({ data: { slug, what } }) => {
  if (seen.has(slug)) act(what)
}
channel.unref()
