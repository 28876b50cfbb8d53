/** Images of documents (interface §2.7, §4.8, §8; extensions §11), as a client meets them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { noTotals } from '../../../../core/assets/totals.ts'
import { assetsKey } from '../../../../persistence/keys.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'
import { Chance } from '../../../chance.ts'
import { within } from '../../../client.ts'
import { exif, gif, jpeg, largePng, png, webp } from '../../../pictures.ts'
import { becomes } from '../../../waiting.ts'
import { Browser } from '../browser.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'
import { blobFiles, imageAs, upload } from './asset-scene.ts'

const chance = new Chance(1)

async function scene(settings = {}) {
  const all = await openScene(settings)
  const owned = await all.owned()
  const { service } = all
  const totals = async () => {
    const stored = await service.store.get(assetsKey(owned.slug as Slug))
    const { images, imageBytes } = JSON.parse(Buffer.from(stored?.value ?? '{}').toString() || '{}')
    return { images, imageBytes }
  }
  return { ...all, ...owned, totals }
}

test('interface §4.8: 201 with id, url, size and mimeType; GET gives the bytes', async () => {
  const { service, ada, at } = await scene()
  const samples = {
    'image/png': png(),
    'image/jpeg': jpeg(),
    'image/webp': webp(),
    'image/gif': gif(),
  }
  for (const [type, bytes] of Object.entries(samples)) {
    const made = await ada.call('POST', `${at}/images`, imageAs(type, bytes))
    assert.is(made.status, 201, made.text)
    const id = String(made.json['id'])
    assert.match(id, /^img_[0-9a-z]{20}$/)
    const wanted = { id, url: `${at}/images/${id}`, size: bytes.length, mimeType: type }
    assert.equal(made.json, wanted)
    const got = await ada.call('GET', wanted.url)
    assert.is(got.status, 200)
    assert.ok(got.bytes.equals(bytes))
    assert.is(got.headers['content-type'], type)
    assert.is(got.headers['content-length'], String(bytes.length))
    assert.is(got.headers['cache-control'], 'private, max-age=31536000, immutable')
    assert.is(got.headers['accept-ranges'], 'bytes')
    assert.match(String(got.headers['content-security-policy']), /default-src 'none'/)
    const head = await ada.call('HEAD', wanted.url)
    assert.equal([head.status, head.headers['content-length']], [200, String(bytes.length)])
    const again = { headers: { 'If-None-Match': String(got.headers['etag']) } }
    assert.is((await ada.call('GET', wanted.url, again)).status, 304)
  }
  const odd = imageAs('Image/PNG; charset=binary', png())
  assert.is((await ada.call('POST', `${at}/images`, odd)).status, 201, 'as HTTP writes types')
  await service.close()
})

test('extensions §11: EXIF goes, `size` is as stored; deleted for good by an editor', async () => {
  const { service, ada, at, token, slug, totals } = await scene()
  const photo = jpeg([exif(1)])
  const made = await ada.call('POST', `${at}/images`, imageAs('image/jpeg', photo))
  assert.is(made.json['size'], jpeg().length)
  const url = String(made.json['url'])
  assert.not.ok((await ada.call('GET', url)).bytes.includes('GPS'))
  assert.not.ok(blobFiles(service).some((path) => readFileSync(path).includes('GPS')))
  const other = await upload(ada, slug, png())
  assert.equal(await totals(), { images: 2, imageBytes: jpeg().length + png().length })
  const gone = await service.call('DELETE', url, { token })
  assert.equal([gone.status, gone.json], [200, { deleted: true, id: made.json['id'] }])
  assert.is(said(await ada.call('GET', url)), '404 NOT_FOUND')
  assert.is(said(await ada.call('DELETE', url)), '404 NOT_FOUND')
  assert.equal(await totals(), { images: 1, imageBytes: png().length })
  assert.is(blobFiles(service).length, 1)
  assert.is((await ada.call('GET', other)).status, 200)
  await service.close()
})

test('a content lies on the disk once, whoever has it, and goes with the last of them', async () => {
  const { service, ada, slug, owned } = await scene()
  const next = await owned()
  const addresses = await Promise.all([
    ...Array.from({ length: 8 }, () => upload(ada, slug, png())),
    ...Array.from({ length: 8 }, () => upload(next.ada, next.slug, png())),
  ])
  assert.is(new Set(addresses).size, 16)
  assert.is(blobFiles(service).length, 1)
  const drops = addresses.map(async (url, at) => {
    if (at % 3 === 0) await upload(ada, slug, png())
    const browser = url.includes(slug) ? ada : next.ada
    assert.is((await browser.call('DELETE', url)).status, 200)
  })
  await Promise.all(drops)
  assert.is(blobFiles(service).length, 1, 'six have it still')
  await service.close()
})

test('interface §4.8: editors who are agents or have a session; anonymous tokens are refused', async () => {
  const { service, ada, at, token, shareToken, restrict, agent } = await scene()
  const send = imageAs('image/png', png())
  const as = (given: string) => service.call('POST', `${at}/images`, { ...send, token: given })
  assert.is(said(await service.call('POST', `${at}/images`, send)), '401 AUTH_REQUIRED')
  assert.is(said(await as(token)), '403 FORBIDDEN', 'a token that has a name')
  const quill = await agent('Quill')
  assert.is(said(await as(quill.token)), '403 FORBIDDEN')
  const invite = (role: string) =>
    ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role } })
  await invite('commenter')
  assert.is(said(await as(quill.token)), '403 FORBIDDEN')
  await invite('editor')
  assert.is((await as(quill.token)).status, 201)
  const visitor = new Browser(service)
  await visitor.open(`/d/${at.slice('/docs/'.length)}?token=${shareToken}`)
  assert.is(said(await visitor.call('POST', `${at}/images`, send)), '403 FORBIDDEN', 'no session')
  await visitor.guest('Guest')
  const made = await visitor.call('POST', `${at}/images`, send)
  assert.is(made.status, 201, 'a guest')
  visitor.forget('link')
  assert.is((await visitor.call('POST', `${at}/images`, send)).status, 201, 'its account keeps it')
  await restrict()
  const url = String(made.json['url'])
  const reads = async (call: ReturnType<typeof service.call>) => said(await call)
  assert.is(await reads(service.call('GET', url)), '401 AUTH_REQUIRED')
  assert.is(await reads(service.call('GET', `${url}?token=${token}`)), '401 AUTH_HEADER_REQUIRED')
  assert.is(await reads(new Browser(service).call('GET', url)), '401 AUTH_REQUIRED')
  const stranger = await agent('Stranger')
  assert.is(await reads(service.call('GET', url, { token: stranger.token })), '403 FORBIDDEN')
  assert.is(await reads(ada.call('GET', url)), '200')
  const elsewhere = await service.create('# Two')
  const moved = url.replace(at, `/docs/${elsewhere.slug}`)
  assert.is(await reads(service.call('GET', moved)), '404 NOT_FOUND', 'of that document alone')
  await ada.call('POST', `${at}/archive`)
  assert.is(await reads(ada.call('GET', url)), '423 DOC_ARCHIVED')
  assert.is(said(await ada.call('POST', `${at}/images`, send)), '423 DOC_ARCHIVED')
  await service.close()
})

test('interface §8: 5,000,000 bytes each, 100,000,000 a document', async () => {
  const { service, ada, at, slug, totals } = await scene()
  const largest = largePng(limits.imageMaxBytes, chance)
  await upload(ada, slug, largest)
  const over = await ada.call(
    'POST',
    `${at}/images`,
    imageAs('image/png', Buffer.concat([largest, Buffer.of(0)])),
  )
  assert.is(said(over), '413 PAYLOAD_TOO_LARGE')
  assert.equal([over.json['limit'], over.json['size']], [5_000_000, 5_000_001])
  const key = assetsKey(slug as Slug)
  const bytes = limits.imagesMaxBytes - png().length
  const full = { ...noTotals, images: 20, imageBytes: bytes }
  await service.store.commit({ puts: [{ key, value: Buffer.from(JSON.stringify(full)) }] })
  await upload(ada, slug, png())
  const last = await ada.call('POST', `${at}/images`, imageAs('image/png', png()))
  assert.is(said(last), '413 PAYLOAD_TOO_LARGE')
  assert.equal([last.json['limit'], last.json['size']], [100_000_000, 100_000_000 + png().length])
  assert.equal(await totals(), { images: 21, imageBytes: 100_000_000 })
  assert.is(blobFiles(service).length, 2)
  await service.close()
})

test('a range is that part of the image, and what is no range is the whole', async () => {
  const { service, ada, slug } = await scene()
  const bytes = largePng(200_000, chance)
  const url = await upload(ada, slug, bytes)
  const ask = (range: string, more = {}) =>
    ada.call('GET', url, { headers: { Range: range, ...more } })
  const parts: readonly [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=0-199999', 0, 200_000],
    ['bytes=65530-65550', 65_530, 65_551],
    ['bytes=199999-', 199_999, 200_000],
    ['bytes=1-999999999999999', 1, 200_000],
    ['bytes=-5', 199_995, 200_000],
    ['bytes=-999999', 0, 200_000],
  ]
  for (const [range, from, to] of parts) {
    const answer = await ask(range)
    assert.is(answer.status, 206, range)
    assert.ok(answer.bytes.equals(bytes.subarray(from, to)), range)
    assert.is(answer.headers['content-range'], `bytes ${from}-${to - 1}/200000`)
    assert.is(answer.headers['content-length'], String(to - from))
  }
  const wholes = [
    'bytes=0-1,3-4',
    'bytes=5-1',
    'bytes=-',
    'bytes=a-b',
    'lines=1-2',
    'bytes=1',
    '0-1',
  ]
  for (const range of [...wholes, 'bytes=9999999999999999-', `bytes=0-${',0-'.repeat(2_000)}`]) {
    assert.is((await ask(range)).status, 200, range.slice(0, 30))
  }
  for (const range of ['bytes=200000-', 'bytes=200000-200001', 'bytes=-0']) {
    const answer = await ask(range)
    assert.is(said(answer), '416 RANGE_NOT_SATISFIABLE', range)
    assert.is(answer.headers['content-range'], 'bytes */200000')
  }
  const tag = String((await ada.call('HEAD', url)).headers['etag'])
  assert.is((await ask('bytes=0-0', { 'If-Range': tag })).status, 206)
  assert.is((await ask('bytes=0-0', { 'If-Range': '"other"' })).status, 200)
  assert.is((await ask('bytes=0-0', { 'If-Range': `W/${tag}` })).status, 200)
  assert.is((await ask('bytes=0-0', { 'If-None-Match': tag })).status, 304)
  await service.close()
})

test('a blob that is damaged or missing is never served as the image', async () => {
  const { service, ada, slug } = await scene()
  const url = await upload(ada, slug, largePng(200_000, chance))
  const [file = ''] = blobFiles(service)
  const whole = readFileSync(file)
  const flip = (at: number) => {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(file, bytes)
  }
  flip(10)
  assert.is(said(await ada.call('GET', url)), '503 UNAVAILABLE')
  const late = { headers: { Range: 'bytes=100000-' } }
  assert.is((await ada.call('GET', url, late)).status, 206, 'what is asked for is whole')
  flip(150_000)
  const cut = await ada.call('GET', url).catch((error: Error) => error)
  assert.instance(cut, Error, 'it ends before the damage')
  writeFileSync(file, whole.subarray(0, 1000))
  assert.is(said(await ada.call('GET', url)), '503 UNAVAILABLE')
  await service.close()
})

test('extensions §1: below MIN_FREE_MB creates and uploads are 503, and all else goes on', async () => {
  let free = 10_000
  const { service, ada, at, slug } = await scene({ freeBytes: () => free })
  const url = await upload(ada, slug, png())
  free = 1_000
  service.ahead += 2_000
  const refused = await ada.call('POST', `${at}/images`, imageAs('image/png', png()))
  assert.is(said(refused), '503 UNAVAILABLE')
  assert.is(refused.headers['retry-after'], '60')
  for (const [path, type] of [
    ['artifacts', 'text/html'],
    ['feedback/images', 'image/png'],
    [`artifacts/art_${'0'.repeat(20)}/poster`, 'image/png'],
  ] as const) {
    const other = await ada.call('POST', `${at}/${path}`, imageAs(type, png()))
    assert.is(said(other), '503 UNAVAILABLE', path)
  }
  assert.is(said(await ada.call('POST', '/docs', { body: { markdown: 'x' } })), '503 UNAVAILABLE')
  assert.is((await ada.edit(slug, 'text', 'words')).status, 200)
  assert.is(said(await ada.edit(slug, 'words', 'x'.repeat(5_000))), '503 UNAVAILABLE')
  assert.is((await ada.edit(slug, 'words', 'x'.repeat(1_000))).status, 200)
  const comment = (text: string) =>
    ada.call('POST', `${at}/comments`, { body: { quote: 'x'.repeat(1_000), text } })
  assert.is(said(await comment('y'.repeat(5_000))), '503 UNAVAILABLE')
  assert.is((await comment('y'.repeat(500))).status, 201)
  assert.is((await ada.call('GET', url)).status, 200)
  assert.is((await ada.call('DELETE', url)).status, 200)
  free = 10_000
  service.ahead += 2_000
  await upload(ada, slug, png())
  await service.close()
})

test('what its uploader may not any more when the body is whole is refused, and nothing stays', async () => {
  const { service, ada, at, slug, agent } = await scene()
  const quill = await agent('Quill')
  const role = (role: string) =>
    ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role } })
  await role('editor')
  const bytes = png()
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (data) => (text += data)).on('close', () => resolve(text))
  })
  socket.write(
    `POST ${at}/images HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: image/png\r\n` +
      `Authorization: Bearer ${quill.token}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  )
  socket.write(bytes.subarray(0, 20))
  await becomes(async () => blobFiles(service).length === 1)
  await role('viewer')
  socket.write(bytes.subarray(20))
  assert.match(await within(5_000, answer), /^HTTP\/1\.1 403 /)
  assert.equal(blobFiles(service), [])
  await upload(ada, slug, png())
  await service.close()
})

test.run()
