/** A bundle runs as it says, whatever lies beside it as the code that was compiled of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cacheFile, cacheOf, compiled, run, wrapper } from '../../../server/code-cache.ts'

const directory = mkdtempSync(join(tmpdir(), 'code-cache-'))
test.after(() => rmSync(directory, { recursive: true }))

const bundle = pathToFileURL(join(directory, 'bundle.js'))
const here = pathToFileURL(join(directory, 'main.js')).href
const lines = (answer: string) => [
  wrapper.banner,
  `const { sep } = require('node:path')`,
  `const answer = () => [${JSON.stringify(answer)}, sep, here]`,
  'module.exports = { answer: answer() }',
  wrapper.footer,
]

/** The bundle, and what was compiled of it in a run. */
function write(answer: string): Buffer {
  writeFileSync(bundle, lines(answer).join('\n'))
  rmSync(cacheFile(bundle), { force: true })
  const script = compiled(bundle)
  run(script, here)
  const cache = cacheOf(script, bundle)
  writeFileSync(cacheFile(bundle), cache)
  return cache
}

/** V8 is not even asked: it looks whether what it is given is of its kind, not whether whole. */
function assertRunsWithout(answer: string): void {
  const script = compiled(bundle)
  assert.is(script.cachedDataRejected, undefined)
  assert.equal(run(script, here), { answer: [answer, '/', here] })
}

test('without it the bundle runs', () => {
  write('one')
  rmSync(cacheFile(bundle))
  assertRunsWithout('one')
})

test('what was compiled of another bundle, as long, is not taken', () => {
  const cache = write('one')
  write('two')
  writeFileSync(cacheFile(bundle), cache)
  assertRunsWithout('two')
})

test('what is cut off anywhere is not taken', () => {
  const cache = write('one')
  for (let length = 0; length < cache.length; length += 7) {
    writeFileSync(cacheFile(bundle), cache.subarray(0, length))
    assertRunsWithout('one')
  }
})

test('with any bit flipped it is not taken', () => {
  const cache = write('one')
  for (let at = 0; at < cache.length; at++) {
    const damaged = Buffer.from(cache)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
    writeFileSync(cacheFile(bundle), damaged)
    assertRunsWithout('one')
  }
})

test.run()
