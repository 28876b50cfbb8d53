/** Uploads that are not what they say, or come as nothing honest does (interface §4.8, §8). */
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import { within } from '../../../client.ts'
import { gif, jpeg, png, pngChunk, pngHeader, pngSignature, webp } from '../../../pictures.ts'
import { becomes } from '../../../waiting.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'
import { blobFiles, imageAs, upload } from './asset-scene.ts'

async function scene() {
  const all = await openScene()
  return { ...all, ...(await all.owned()) }
}

/**
 * What nobody should get in with, and what is said to it. What begins like a picture is taken as
 * one: nothing is decoded, and nothing but an image served.
 */
const attacks: Readonly<Record<string, readonly [string, Buffer | string, string]>> = {
  'HTML as PNG': ['image/png', '<!doctype html><script>alert(1)</script>', '415'],
  'SVG as PNG': ['image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', '415'],
  'SVG as itself': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', '415'],
  'XML with a stylesheet': [
    'image/png',
    '<?xml version="1.0"?><?xml-stylesheet href="x"?><a/>',
    '415',
  ],
  'HTML as HTML': ['text/html', '<p>', '415'],
  'nothing at all': ['image/png', '', '415'],
  'no type': ['', png(), '415'],
  'any type': ['application/octet-stream', png(), '415'],
  'two types': ['image/png, text/html', png(), '415'],
  'image/*': ['image/*', png(), '415'],
  'a form': ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--', '415'],
  JSON: ['application/json', '{}', '415'],
  'a BMP': ['image/bmp', 'BM', '415'],
  'an AVIF': ['image/avif', '\0\0\0\x1cftypavif', '415'],
  'an icon': ['image/x-icon', '\0\0\x01\0', '415'],
  'a PDF as PNG': ['image/png', '%PDF-1.7', '415'],
  'a ZIP as GIF': ['image/gif', 'PK\x03\x04', '415'],
  'a script as GIF': ['image/gif', 'GIF89a=1;alert(1)//', '201'],
  'a script behind a GIF header': ['image/gif', 'GIF89a\x01\0\x01\0\0\0\0/*', '201'],
  'JPEG as PNG': ['image/png', jpeg(), '415'],
  'PNG as JPEG': ['image/jpeg', png(), '415'],
  'GIF as WebP': ['image/webp', gif(), '415'],
  'WebP as GIF': ['image/gif', webp(), '415'],
  'an AVI as WebP': ['image/webp', 'RIFF\x20\0\0\0AVI LIST', '415'],
  'a signature alone': ['image/png', pngSignature, '201'],
  'a signature and zeros': [
    'image/png',
    Buffer.concat([pngSignature, Buffer.alloc(100_000)]),
    '201',
  ],
  'a PNG cut in its pixels': ['image/png', png().subarray(0, 50), '201'],
  'a PNG without its end': ['image/png', png().subarray(0, -12), '201'],
  'a chunk that says it is longer': [
    'image/png',
    Buffer.concat([png().subarray(0, 33), Buffer.alloc(8, 0x7f)]),
    '201',
  ],
  'a chunk of 4 GB': [
    'image/png',
    Buffer.concat([pngSignature, pngHeader(), Buffer.from('ffffffff49444154', 'hex')]),
    '201',
  ],
  'a chunk whose name is a script': ['image/png', png(pngChunk('<scr')), '201'],
  'ends before its pixels': [
    'image/png',
    Buffer.concat([pngSignature, pngHeader(), pngChunk('IEND')]),
    '201',
  ],
  'a JPEG cut': ['image/jpeg', jpeg().subarray(0, -2), '201'],
  'JPEG without a frame': ['image/jpeg', Buffer.from('ffd8ffd9', 'hex'), '201'],
  'JPEG of fill bytes': [
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(200_000, 0xff)]),
    '201',
  ],
  'JPEG with text between': ['image/jpeg', jpeg([Buffer.from('<script>')]), '201'],
  'a WebP longer than it is': ['image/webp', 'RIFF\xff\xff\xff\x7fWEBPVP8 ', '201'],
  'a WebP cut': ['image/webp', webp().subarray(0, -2), '201'],
  'GIF blocks without an end': [
    'image/gif',
    Buffer.concat([gif().subarray(0, 19), Buffer.from([0x21, 0xfe]), Buffer.alloc(100_000, 1)]),
    '201',
  ],
  '2,000 pieces of EXIF': [
    'image/png',
    png(...Array.from({ length: 2_000 }, () => [pngChunk('eXIf'), pngChunk('prVt')]).flat()),
    '415',
  ],
  'over the limit': ['image/png', Buffer.alloc(5_000_001), '413'],
  '10,000 × 10,000 in its header': [
    'image/png',
    Buffer.concat([
      pngSignature,
      pngHeader(10_000, 10_000),
      pngChunk('IDAT', Buffer.from('x')),
      pngChunk('IEND'),
    ]),
    '201',
  ],
  '2 billion pixels wide': [
    'image/png',
    Buffer.concat([
      pngSignature,
      pngHeader(0x7fffffff, 1),
      pngChunk('IDAT', Buffer.from('x')),
      pngChunk('IEND'),
    ]),
    '201',
  ],
  'wrong checksums': ['image/png', Buffer.concat([png().subarray(0, -4), Buffer.alloc(4)]), '201'],
  'HTML in a text chunk': [
    'image/png',
    png(pngChunk('tEXt', Buffer.from('Title\0<script>alert(1)</script>'))),
    '201',
  ],
  'a PNG that is a ZIP too': [
    'image/png',
    Buffer.concat([png(), Buffer.from('PK\x03\x04')]),
    '201',
  ],
  'a GIF that is a script too': [
    'image/gif',
    gif(Buffer.from('!\xfe\x0c*/alert(1)//\0', 'latin1')),
    '201',
  ],
  'a JPEG with a page behind it': [
    'image/jpeg',
    Buffer.concat([jpeg(), Buffer.from('<script>alert(1)</script>')]),
    '201',
  ],
}

test('attacks on uploads: none is stored as what it is not, and none is served as anything else', async () => {
  const { service, ada, at } = await scene()
  let tried = 0
  for (const [name, [type, bytes, wanted]] of Object.entries(attacks)) {
    const raw = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    const answer = await ada.call('POST', `${at}/images`, imageAs(type, raw))
    assert.is(String(answer.status), wanted, `${name}: ${answer.text}`)
    tried += 1
    if (answer.status !== 201) continue
    const served = await ada.call('GET', String(answer.json['url']))
    assert.is(served.headers['content-type'], type, name)
    assert.is(served.headers['x-content-type-options'], 'nosniff')
    assert.not.ok(type === 'image/jpeg' && served.text.includes('alert'), name)
  }
  const paths = [
    '..',
    '.',
    '%2e%2e',
    '..%2f..%2fx',
    '%00',
    'img_',
    `img_${'a'.repeat(21)}`,
    'IMG_1',
    '%ff',
  ]
  for (const id of [...paths, `img_${'a'.repeat(20)}`, 'x'.repeat(5_000), '%2fetc%2fpasswd']) {
    for (const method of ['GET', 'DELETE']) {
      const { status } = await ada.call(method, `${at}/images/${id}`)
      assert.ok(status >= 400 && status < 500, `${method} ${id}: ${status}`)
      tried += 1
    }
  }
  const encoded = { headers: { 'Content-Encoding': 'gzip' } }
  assert.is(
    said(await ada.call('POST', `${at}/images`, imageAs('image/png', png(), encoded))),
    '415 UNSUPPORTED_MEDIA_TYPE',
  )
  assert.is(
    said(await ada.call('POST', `${at}/images?by=me`, imageAs('image/png', png()))),
    '400 INVALID_REQUEST',
  )
  assert.ok(tried >= 60, `${tried}`)
  const stored = Object.values(attacks).filter(([, , wanted]) => wanted === '201').length
  assert.ok(blobFiles(service).length <= stored, 'nothing of the others is on the disk')
  await service.close()
})

/** What comes back to bytes as they are; `undefined`: the connection just ended. */
function speak(
  origin: string,
  leaves: boolean,
  parts: readonly (string | Uint8Array)[],
): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (data) => (text += data)).on('error', () => {})
    socket.on('close', () => resolve(text))
    for (const part of parts) socket.write(part)
    if (leaves) socket.end()
  })
}

test('bodies of a wrong length, in chunks without an end, or given up leave nothing behind', async () => {
  const { service, ada, at, slug, agent } = await scene()
  const quill = await agent('Quill')
  await ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role: 'editor' } })
  const head = (fields: string) =>
    `POST ${at}/images HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: image/png\r\n` +
    `Authorization: Bearer ${quill.token}\r\n${fields}\r\n\r\n`
  const chunked = 'Transfer-Encoding: chunked'
  const chunk = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  const cases: readonly [string, RegExp, ...(string | Uint8Array)[]][] = [
    ['short', /^$|^HTTP\/1\.1 400/, head('Content-Length: 500'), png()],
    ['long', /^HTTP\/1\.1 4(00|15)/, head('Content-Length: 20'), png()],
    ['in chunks', /^HTTP\/1\.1 201/, head(chunked), chunk(png()), '0\r\n\r\n'],
    ['chunks without an end', /^$|^HTTP\/1\.1 400/, head(chunked), chunk(png())],
    [
      'chunks over the limit',
      /^HTTP\/1\.1 413/,
      head(chunked),
      ...Array.from({ length: 80 }, () => chunk(Buffer.alloc(65_000))),
      '0\r\n\r\n',
    ],
    [
      'a byte a chunk',
      /^HTTP\/1\.1 4(00|15)/,
      head(chunked),
      Buffer.concat(Array.from({ length: 17_000 }, () => chunk(Buffer.of(1)))),
      '0\r\n\r\n',
    ],
    ['both lengths', /^HTTP\/1\.1 400/, head(`${chunked}\r\nContent-Length: 3`), 'abc'],
    ['a negative length', /^HTTP\/1\.1 400/, head('Content-Length: -1'), png()],
    ['announced over the limit', /^HTTP\/1\.1 413/, head('Content-Length: 99999999999')],
  ]
  for (const [what, wanted, ...parts] of cases) {
    const leaves = /^short|without an end/.test(what)
    const said = await within(10_000, speak(service.origin, leaves, parts))
    assert.match(said, wanted, `${what}: ${said.slice(0, 200)}`)
  }
  await becomes(async () => blobFiles(service).length === 1)
  await upload(ada, slug, png())
  await service.close()
})

test('whoever waits for a place is not read, and has one when another has left', async () => {
  const { service, ada, at, agent } = await scene()
  const quill = await agent('Quill')
  await ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role: 'editor' } })
  const bytes = png()
  const begin = () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    const answer = new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data).slice(0, 12)))
    })
    socket.write(
      `POST ${at}/images HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\n` +
        `Authorization: Bearer ${quill.token}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 20))
    return { socket, answer }
  }
  const { places } = service.assets
  const first = Array.from({ length: limits.uploadsOfAddress }, begin)
  await becomes(async () => blobFiles(service).length === first.length)
  const late = begin()
  late.socket.write(bytes.subarray(20))
  await becomes(async () => places.waiting === 1)
  assert.is(blobFiles(service).length, first.length, 'nothing of it is on the disk')
  first[3]?.socket.destroy()
  assert.is(await within(10_000, late.answer), 'HTTP/1.1 201')
  for (const { socket } of [...first, late]) socket.destroy()
  await becomes(async () => blobFiles(service).length === 1)
  await service.close()
})

test.run()
