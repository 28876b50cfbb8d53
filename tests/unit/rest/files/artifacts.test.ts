/** Artifacts and their posters (interface §2.7, §4.8, §8; extensions §11). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { noTotals } from '../../../../core/assets/totals.ts'
import { assetsKey } from '../../../../persistence/keys.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'
import { Chance } from '../../../chance.ts'
import { largePng, png, pngChunk, pngHeader, pngSignature } from '../../../pictures.ts'
import { Browser } from '../browser.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'
import { blobFiles, imageAs, uploadArtifact } from './asset-scene.ts'

async function scene() {
  const all = await openScene()
  return { ...all, ...(await all.owned()) }
}

const html = '<title>A chart</title><meta name="artifact-width" content="640"><p>alpha'
const normalized =
  '<!DOCTYPE html><html><head><title>A chart</title><meta name="artifact-width" content="640">' +
  '</head><body><p>alpha</p></body></html>'

test('interface §4.8: 201 with id, url, width and height; served without an origin or a network', async () => {
  const { service, ada, at } = await scene()
  const made = await ada.call('POST', `${at}/artifacts`, imageAs('text/html', html))
  const id = String(made.json['id'])
  assert.match(id, /^art_[0-9a-z]{20}$/)
  const url = `${at}/artifacts/${id}`
  assert.equal([made.status, made.json], [201, { id, url, width: 640, height: 450 }])
  const shown = await service.call('GET', url)
  assert.is(shown.status, 200, 'to whoever knows it')
  assert.is(shown.text, normalized)
  assert.is(shown.headers['content-type'], 'text/html; charset=utf-8')
  assert.is(
    shown.headers['content-security-policy'],
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; " +
      "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'self'",
  )
  assert.is(shown.headers['x-frame-options'], 'SAMEORIGIN')
  assert.is(shown.headers['cache-control'], 'no-cache')
  assert.is(shown.headers['x-dns-prefetch-control'], 'off')
  const source = await service.call('GET', `${url}?source=1`)
  assert.equal([source.status, source.text], [200, normalized])
  assert.is(source.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(String(source.headers['content-security-policy']), /^default-src 'none'/)
  const meta = await service.call('GET', `${url}/meta`)
  assert.equal(meta.json, {
    ...{ id, title: 'A chart', width: 640, height: 450 },
    ...{ source_bytes: normalized.length, poster_url: null },
  })
  const again = { headers: { 'If-None-Match': String(shown.headers['etag']) } }
  assert.is((await service.call('GET', url, again)).status, 304)
  const other = { headers: { 'If-None-Match': String(source.headers['etag']) } }
  assert.is((await service.call('GET', url, other)).status, 200, 'text is no page')
  await service.close()
})

test('interface §4.8: who may upload one', async () => {
  const { service, ada, at, agent, token, shareToken } = await scene()
  const send = imageAs('text/html', html)
  const as = async (given?: string) =>
    said(await service.call('POST', `${at}/artifacts`, { ...send, token: given }))
  assert.is(await as(), '401 AUTH_REQUIRED')
  assert.is(await as(token), '201', 'an editor’s token that has a name')
  assert.is(await as(shareToken), '412 IDENTIFY_REQUIRED')
  const quill = await agent('Quill')
  assert.is(await as(quill.token), '403 FORBIDDEN')
  const invite = (role: string) =>
    ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role } })
  await invite('commenter')
  assert.is(await as(quill.token), '403 FORBIDDEN')
  await invite('editor')
  assert.is(await as(quill.token), '201')
  const visitor = new Browser(service)
  await visitor.open(`/d/${at.slice('/docs/'.length)}?token=${shareToken}`)
  const answer = await visitor.call('POST', `${at}/artifacts`, send)
  assert.is(said(answer), '412 IDENTIFY_REQUIRED', 'cookies of nobody')
  assert.is((await ada.call('POST', `${at}/artifacts`, send)).status, 201)
  await service.close()
})

test('interface §4.8: 413, 415 and 422', async () => {
  const { service, ada, at, slug } = await scene()
  const send = async (type: string, raw: string | Uint8Array) =>
    said(await ada.call('POST', `${at}/artifacts`, imageAs(type, raw)))
  for (const type of ['', 'text/plain', 'application/xhtml+xml', 'image/png', 'text/html2']) {
    assert.is(await send(type, html), '415 UNSUPPORTED_MEDIA_TYPE', type)
  }
  assert.is(await send('Text/HTML; Charset=utf-8', html), '201')
  const texts: readonly (string | Uint8Array)[] = [
    ...['', 'just words', '{"a": 1}', '1 < 2'],
    ...[Buffer.from([0xff, 0xfe, 0x3c, 0x70]), Buffer.from('<p>\xe9', 'latin1'), png()],
    '<div>'.repeat(600),
  ]
  for (const text of texts) assert.is(await send('text/html', text), '422 INVALID_ARTIFACT')
  const exactly = `<p>${'x'.repeat(limits.artifactMaxBytes - normalizedOf('').length)}`
  assert.is(await send('text/html', exactly), '201')
  const grown = await ada.call('POST', `${at}/artifacts`, imageAs('text/html', `${exactly}x`))
  assert.is(said(grown), '413 PAYLOAD_TOO_LARGE', 'normalized')
  assert.equal([grown.json['limit'], grown.json['size']], [524_288, 524_289])
  assert.is(await send('text/html', `<p>${'x'.repeat(524_288)}`), '413 PAYLOAD_TOO_LARGE', 'raw')
  const key = assetsKey(slug as Slug)
  const almost = { ...noTotals, artifactBytes: limits.artifactsMaxBytes - normalizedOf('x').length }
  await service.store.commit({ puts: [{ key, value: Buffer.from(JSON.stringify(almost)) }] })
  assert.is(await send('text/html', '<p>x'), '201')
  assert.is(await send('text/html', '<p>x'), '413 PAYLOAD_TOO_LARGE', 'of the document')
  assert.is(await send('text/html', '<p>'), '413 PAYLOAD_TOO_LARGE')
  await service.close()
})

const normalizedOf = (text: string) =>
  `<!DOCTYPE html><html><head></head><body><p>${text}</p></body></html>`

test('interface §2.7: the first whole PNG is the poster; later ones are answered and not kept', async () => {
  const { service, ada, at, slug, token, agent, shareToken } = await scene()
  const url = await uploadArtifact(ada, slug, html)
  const path = `${url}/poster`
  const send = async (raw: Uint8Array, type = 'image/png') =>
    said(await ada.call('POST', path, imageAs(type, raw)))
  assert.is(said(await service.call('GET', path)), '404 NOT_FOUND')
  const flipped = png(pngChunk('tEXt', Buffer.from('Author\0me')))
  flipped[50] = (flipped[50] ?? 0) ^ 1
  const wide = Buffer.concat([pngSignature, pngHeader(4_001, 1), png().subarray(33)])
  const wrong: readonly [Uint8Array, string, string?][] = [
    [flipped, '415 UNSUPPORTED_MEDIA_TYPE'],
    [png().subarray(0, -1), '415 UNSUPPORTED_MEDIA_TYPE'],
    [Buffer.concat([png().subarray(0, -4), Buffer.alloc(4)]), '415 UNSUPPORTED_MEDIA_TYPE'],
    [Buffer.from('<svg/>'), '415 UNSUPPORTED_MEDIA_TYPE'],
    [png(), '415 UNSUPPORTED_MEDIA_TYPE', 'image/jpeg'],
    [wide, '413 PAYLOAD_TOO_LARGE'],
    [largePng(1_000_001, new Chance(1)), '413 PAYLOAD_TOO_LARGE'],
  ]
  for (const [raw, wanted, type] of wrong) assert.is(await send(raw, type), wanted)
  const poster = imageAs('image/png', largePng(1_000_000, new Chance(2)))
  const as = async (given: string) =>
    said(await service.call('POST', path, { ...poster, token: given }))
  assert.is(said(await service.call('POST', path, poster)), '401 AUTH_REQUIRED')
  assert.is(await as(shareToken), '412 IDENTIFY_REQUIRED')
  const files = blobFiles(service).length
  const first = await service.call('POST', path, { ...poster, token })
  const id = url.split('/').at(-1)
  assert.equal([first.status, first.json], [201, { id, poster_url: path }])
  const later = await ada.call('POST', path, imageAs('image/png', png()))
  assert.equal([later.status, later.json], [200, { id, poster_url: path }])
  assert.is(await send(flipped), '415 UNSUPPORTED_MEDIA_TYPE', 'a later one has to be one too')
  assert.is(blobFiles(service).length, files + 1)
  const shown = await service.call('GET', path)
  assert.ok(shown.bytes.equals(Buffer.from(poster.raw ?? '')))
  assert.is(shown.headers['content-type'], 'image/png')
  assert.is((await service.call('GET', `${url}/meta`)).json['poster_url'], path)
  const nowhere = `${at}/artifacts/art_${'a'.repeat(20)}/poster`
  assert.is(said(await ada.call('POST', nowhere, imageAs('image/png', png()))), '404 NOT_FOUND')
  const quill = await agent('Quill')
  await ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role: 'viewer' } })
  assert.is(await as(quill.token), '200', 'a viewer with a name')
  await service.close()
})

test('interface §4.8: it is shown as long as its document is active, also where a copy refers to it', async () => {
  const { service, ada, at, slug } = await scene()
  const url = await uploadArtifact(ada, slug, html)
  await ada.call('POST', `${url}/poster`, imageAs('image/png', png()))
  const paths = [url, `${url}?source=1`, `${url}/meta`, `${url}/poster`]
  const all = async () => {
    const answers = await Promise.all(paths.map((path) => service.call('GET', path)))
    return [...new Set(answers.map(said))].join()
  }
  assert.is(await all(), '200')
  for (const path of paths) {
    const withToken = (to: string) =>
      service.call('GET', `${to}${to.includes('?') ? '&' : '?'}token=x`)
    assert.is(said(await withToken(path)), '401 AUTH_HEADER_REQUIRED', 'interface §5, rule 1')
    const nowhere = path.replace(slug, 'a'.repeat(slug.length))
    assert.is(said(await withToken(nowhere)), '404 DOC_NOT_FOUND')
  }
  await ada.call('POST', `${at}/archive`)
  assert.is(await all(), '423 DOC_ARCHIVED')
  await ada.call('POST', `${at}/restore`)
  assert.is(await all(), '200')
  const other = await service.create('# Two')
  const moved = url.replace(slug, other.slug)
  assert.is(said(await service.call('GET', moved)), '404 NOT_FOUND', 'of that document alone')
  for (const id of ['..', 'art_', '%2e%2e%2f', 'x'.repeat(3_000), `art_${'A'.repeat(20)}`]) {
    const { status } = await service.call('GET', `${at}/artifacts/${id}`)
    assert.ok(status >= 400 && status < 500, id)
  }
  await ada.call('POST', `${at}/archive`)
  await ada.call('DELETE', `${at}/forever`)
  assert.is(await all(), '404 DOC_NOT_FOUND')
  assert.equal(blobFiles(service), [])
  await service.close()
})

test.run()
