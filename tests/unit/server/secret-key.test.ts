/** Extensions §3: the key that handed-out tokens are derived from, made once and never half. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRuntime } from '../../../server/runtime.ts'
import { keyFromFile, keyFromSetting } from '../../../server/secret-key.ts'

const directory = mkdtempSync(join(tmpdir(), 'key-'))
test.after(() => rmSync(directory, { recursive: true }))

const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')

test('a key is made once, with mode 0600, and read again', async () => {
  const path = join(directory, 'new', 'key')
  const made = await keyFromFile(path, systemRuntime)
  assert.is(made.length, 32)
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.is(statSync(join(directory, 'new')).mode & 0o777, 0o700)
  assert.is(hex(await keyFromFile(path, systemRuntime)), hex(made))
  assert.equal(readdirSync(join(directory, 'new')), ['key'])
})

test('two that start at once agree on one key', async () => {
  const path = join(directory, 'both', 'key')
  const keys = await Promise.all([1, 2, 3].map(() => keyFromFile(path, systemRuntime)))
  assert.is(new Set(keys.map(hex)).size, 1)
})

test('a crash before the key is whole leaves no key file', async () => {
  const path = join(directory, 'crash', 'key')
  let draws = 0
  const randomBytes = (count: number) => {
    if (++draws === 2) throw new Error('the process ends here')
    return systemRuntime.randomBytes(count)
  }
  const attempt = keyFromFile(path, { ...systemRuntime, randomBytes })
  assert.is(await attempt.catch((error: Error) => error.message), 'the process ends here')
  assert.is((await keyFromFile(path, systemRuntime)).length, 32)
})

test('a file that holds no key stops the start', async () => {
  const path = join(directory, 'other')
  writeFileSync(path, 'not a key\n')
  const message = await keyFromFile(path, systemRuntime).catch((error: Error) => error.message)
  assert.is(message, `${path} does not hold a key`)
})

test('a setting of any length gives 32 bytes, the same for the same', () => {
  assert.is(keyFromSetting('a').length, 32)
  assert.is(hex(keyFromSetting('sixteen letters.')), hex(keyFromSetting('sixteen letters.')))
  assert.is.not(hex(keyFromSetting('one')), hex(keyFromSetting('two')))
})

test.run()
