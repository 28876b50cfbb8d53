/** What `npm start` loads before all else: V8's helper threads come behind the event loop. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startArguments } from '../../../server/build/built.js'

const test = suite('helper threads')
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The niceness of each thread of the process, the main one first, in the order they were made. */
const told = `
const { opendirSync, readFileSync } = require('node:fs')
const { readFile } = require('node:fs/promises')
const niceOf = (thread) =>
  Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ').at(-1).split(' ')[16])
const look = () => {
  const threads = []
  const directory = opendirSync('/proc/self/task')
  for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
    threads.push(entry.name)
  }
  directory.closeSync()
  return threads.map(niceOf)
}
const before = look()
// What is asked of the disk makes the threads that wait for it.
readFile('/proc/self/stat').then(() => console.log(JSON.stringify({ before, after: look() })))
`

function nices(command: string, args: readonly string[] = []) {
  const node = [...startArguments(), '--eval', told]
  const [first = command, ...rest] = [command, ...args, ...node]
  const { before, after } = JSON.parse(execFileSync(first, rest, { cwd: root }).toString())
  return { before, after } as { readonly before: number[]; readonly after: number[] }
}

const isLinux = process.platform === 'linux'

test("V8's own threads have a lower priority than the event loop, those for the disk its own", () => {
  if (!isLinux) return
  const { before, after } = nices(process.execPath)
  const [own = 0, ...helpers] = before
  assert.ok(helpers.length > 1)
  for (const nice of helpers) assert.is(nice, Math.min(19, own + 10))
  const later = after.slice(before.length)
  assert.ok(later.length > 0)
  for (const nice of [after[0], ...later]) assert.is(nice, own)
})

test('a process that is nice itself has threads that are nicer, as far as there is', () => {
  if (!isLinux) return
  const { before } = nices('nice', ['-n', '15', process.execPath])
  const [own = 0, ...helpers] = before
  for (const nice of helpers) assert.is(nice, 19)
  assert.ok(own >= 15)
})

test.run()
