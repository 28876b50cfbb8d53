/** What is written while the disk is nearly full, or full (extensions §8). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FreeSpace } from '../../../../core/assets/free-space.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { SimulatedRuntime } from '../../../simulated-runtime.ts'
import { startService } from '../service.ts'

test('extensions §8: what a revert or an accepted suggestion puts in counts as written', async () => {
  let free = 10_000
  const service = await startService({ freeBytes: () => free })
  const long = 'word '.repeat(2_000).trim()
  const { slug, token } = await service.create(`${long}\n\nshort\n`, 'Quill')
  const at = `/docs/${slug}`
  const edit = (base: number, replace: string, query = '') =>
    service.call('PATCH', `${at}${query}`, {
      token,
      body: { base_revision: base, replace_document: replace },
    })
  assert.is((await edit(1, 'other\n\nshort\n')).status, 200)
  const suggestion = { quote: 'short', suggestion: { new_string: 'y'.repeat(6_000) } }
  const suggested = await service.call('POST', `${at}/comments`, { token, body: suggestion })
  assert.is(suggested.status, 201, suggested.text)
  free = 1_000
  service.ahead += 2_000
  const revert = () => {
    const body = { revision: 1, base_revision: Number(suggested.json['revision'] ?? 3) }
    return service.call('POST', `${at}/revert`, { token, body })
  }
  const accept = () =>
    service.call('POST', `${at}/comments/${suggested.json['comment_id']}/accept`, { token })
  for (const write of [revert, accept]) {
    const { status, json, headers } = await write()
    assert.equal([status, json['code']], [503, 'UNAVAILABLE'])
    assert.ok(headers['retry-after'])
  }
  const { json } = await service.call('GET', at, { token })
  assert.is(json['markdown'], 'other\n\nshort\n', 'nothing of it was done')
  const same = await edit(Number(json['revision']), `${long}\n\nshort\n`, '?dryRun=true')
  assert.is(same.status, 200, 'a dry run writes nothing')
  free = 10_000
  service.ahead += 2_000
  assert.is((await accept()).status, 200)
  await service.close()
})

test('a full disk takes no write, however small', async () => {
  let isFull = false
  const runtime = new SimulatedRuntime()
  const space = new FreeSpace({
    runtime,
    minFreeBytes: 0,
    freeBytes: async () => 0,
    isFull: () => isFull,
  })
  await space.requireFor(1e9)
  isFull = true
  const error = await space.requireFor(0).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof Refusal && error.code === 'UNAVAILABLE')
  assert.not.ok(space.takes(0))
  isFull = false
  assert.ok(space.takes(1e9))
})

test.run()
