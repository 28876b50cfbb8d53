/** Extensions §2, §11: so many bytes a day from one address, whoever sends them and to what. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../../../chance.ts'
import { largePng, png } from '../../../pictures.ts'
import { becomes } from '../../../waiting.ts'
import { noRates } from '../service.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'
import { blobFiles, imageAs } from './asset-scene.ts'

const rates = { ...noRates, uploadMb: 2 }
const chance = new Chance(1)
const from = (address: string) => ({ 'X-Forwarded-For': address })

test('a hundred identities of one address fill no disk; another address goes on', async () => {
  const { service, ada, at, agent } = await openScene({
    config: { rates, trustProxy: 1 },
  }).then(async (all) => ({ ...all, ...(await all.owned()) }))
  const editor = async () => {
    const { token, handle } = await agent('Quill')
    await ada.call('POST', `${at}/access`, { body: { handle, role: 'editor' } })
    return token
  }
  const raw = () => largePng(900_000, chance)
  const send = async (path: string, bytes: Uint8Array | string, address = '1.1.1.1') => {
    const type = typeof bytes === 'string' ? 'text/html' : 'image/png'
    const call = imageAs(type, bytes, { headers: from(address) })
    return service.call('POST', `${at}/${path}`, { ...call, token: await editor() })
  }
  const first = await send('images', raw())
  assert.is(first.status, 201, first.text)
  assert.equal([first.headers['ratelimit-limit'], first.headers['ratelimit-remaining']], ['2', '2'])
  const second = await send('images', 'x'.repeat(900_000), '1.1.1.1')
  assert.is(said(second), '415 UNSUPPORTED_MEDIA_TYPE', 'refused by its headers it costs nothing')
  assert.is((await send('images', raw())).status, 201)
  const third = await send('images', Buffer.alloc(900_000))
  assert.is(said(third), '415 UNSUPPORTED_MEDIA_TYPE', 'what was read counts')
  const files = blobFiles(service).length
  for (const path of [
    'images',
    'artifacts',
    'feedback/images',
    `artifacts/art_${'a'.repeat(20)}/poster`,
  ]) {
    const over = await send(path, path === 'artifacts' ? '<p>x' : png())
    assert.is(said(over), '429 RATE_LIMITED', path)
    assert.is(over.headers['ratelimit-remaining'], '0')
    assert.is(over.headers['retry-after'], over.headers['ratelimit-reset'])
    assert.ok(Number(over.headers['retry-after']) > 86_000, 'a day')
  }
  assert.is(blobFiles(service).length, files)
  assert.is((await send('images', png(), '2.2.2.2')).status, 201)
  service.ahead += 24 * 3_600_000
  assert.is((await send('images', png())).status, 201)
  await service.close()
})

test('what waited for a place is asked again before it is read', async () => {
  const all = await openScene({ config: { rates, trustProxy: 1 } })
  const { service, agent } = all
  const { ada, at } = await all.owned()
  const { token, handle } = await agent('Quill')
  await ada.call('POST', `${at}/access`, { body: { handle, role: 'editor' } })
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => {
      const call = imageAs('image/png', largePng(400_000, chance), { headers: from('3.3.3.3') })
      return service.call('POST', `${at}/images`, { ...call, token })
    }),
  )
  const taken = answers.filter(({ status }) => status === 201).length
  assert.ok(taken >= 5 && taken < 30, `${taken} of 40 before it was known`)
  const others = answers.filter(({ status }) => status !== 201)
  assert.equal([...new Set(others.map(said))], ['429 RATE_LIMITED'])
  await becomes(async () => blobFiles(service).length === taken)
  await service.close()
})

test.run()
