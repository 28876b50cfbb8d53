/**
 * Extensions §11: what is taken off pictures and what stays, and what is a picture at all.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orientationIn } from '../../../../core/assets/pictures/orientation.ts'
import {
  keptPartsOf,
  type PictureType,
  pictureTypes,
} from '../../../../core/assets/pictures/picture.ts'
import { keptBytes } from '../../../../core/assets/pictures/plan.ts'
import { requirePoster } from '../../../../core/assets/pictures/poster.ts'
import { windowBytes } from '../../../../core/assets/pictures/window.ts'
import { Chance } from '../../../chance.ts'
import {
  endOfImage,
  exif,
  gif,
  gifXmp,
  jpeg,
  jpegSegment,
  largePng,
  png,
  pngChunk,
  pngHeader,
  pngSignature,
  tiff,
  webp,
} from '../../../pictures.ts'

/** What is kept; `undefined`: it is no such picture. */
async function kept(type: PictureType, file: Buffer): Promise<Buffer | undefined> {
  const bytes = {
    size: file.length,
    read: async (at: number, length: number) => file.subarray(at, at + length),
  }
  const parts = await keptPartsOf(type, bytes)
  if (parts === undefined) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of keptBytes(bytes, parts)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function same(type: PictureType, file: Buffer, what?: string): Promise<void> {
  assert.ok((await kept(type, file))?.equals(file), what)
}

const samples: Readonly<Record<PictureType, Buffer>> = {
  'image/png': png(),
  'image/jpeg': jpeg(),
  'image/webp': webp(),
  'image/gif': gif(),
}

test('a picture without anything to take off stays byte for byte', async () => {
  for (const type of pictureTypes) await same(type, samples[type], type)
  const chance = new Chance(1)
  await same('image/png', largePng(300_000, chance))
  await same('image/png', png(pngChunk('tEXt', Buffer.from('Author\0me')), pngChunk('acTL')))
  const icc = jpegSegment(0xe2, 'ICC_PROFILE\0\x01\x01colours')
  await same('image/jpeg', jpeg([icc, jpegSegment(0xee, 'Adobe\0d'), jpegSegment(0xfe, 'words')]))
  await same('image/jpeg', jpeg([], `${'\xff\0ab'.repeat(60_000)}\xff\xd7`))
  await same('image/gif', gif(Buffer.from('!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1')))
  await same('image/webp', webp({ ICCP: Buffer.from('odd') }))
})

test('EXIF, XMP and IPTC go, the picture stays, and which way up it is', async () => {
  const xmp = 'http://ns.adobe.com/xap/1.0/\0<x>GPS</x>'
  const segments = [
    exif(6),
    jpegSegment(0xe1, xmp),
    jpegSegment(0xed, 'Photoshop 3.0\x008BIM GPS'),
    jpegSegment(0xe6, 'GoPro GPS'),
    jpegSegment(0xe2, 'MPF\0GPS'),
  ]
  const upright = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiffOfSix()]))
  const further = Buffer.concat([jpeg(segments), jpeg([exif(1)])])
  assert.equal(await kept('image/jpeg', further), jpeg([upright]))
  assert.equal(await kept('image/jpeg', jpeg([exif(1)])), jpeg())

  const named = (type: string, keyword: string) => pngChunk(type, Buffer.from(`${keyword}\0GPS`))
  const chunks = [
    pngChunk('eXIf', tiff(6)),
    named('iTXt', 'XML:com.adobe.xmp'),
    named('zTXt', 'Raw profile type exif'),
    named('tEXt', 'Raw profile type iptc'),
  ]
  assert.equal(await kept('image/png', png(...chunks)), png(pngChunk('eXIf', tiffOfSix())))
  assert.equal(await kept('image/png', png(pngChunk('eXIf', tiff(1)))), png())

  const photo = webp({ EXIF: tiff(6), 'XMP ': Buffer.from('<GPS/>') }, 0x3c)
  assert.equal(await kept('image/webp', photo), webp({ EXIF: tiffOfSix() }, 0x38))
  assert.equal(await kept('image/webp', webp({ EXIF: tiff(1) }, 0x08)), webp())
  const likeJpeg = Buffer.concat([Buffer.from('Exif\0\0'), tiff(6)])
  assert.equal(
    await kept('image/webp', webp({ EXIF: likeJpeg }, 8)),
    webp({ EXIF: tiffOfSix() }, 8),
  )

  assert.equal(await kept('image/gif', gif(gifXmp('GPS'))), gif())
})

/** What is left of an EXIF that says 6. */
function tiffOfSix(): Buffer {
  const bytes = Buffer.from(
    'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0',
    'latin1',
  )
  assert.is(orientationIn(bytes), 6)
  return bytes
}

test('EXIF that is no EXIF says nothing and harms nothing', () => {
  const chance = new Chance(7)
  for (const [orientation, wanted] of [
    [1, undefined],
    [8, 8],
    [9, undefined],
    [0, undefined],
  ]) {
    assert.is(orientationIn(tiff(orientation ?? 0)), wanted)
  }
  const whole = tiff(6)
  for (let length = 0; length < whole.length; length++) orientationIn(whole.subarray(0, length))
  for (let round = 0; round < 2_000; round++) {
    const bytes = Buffer.from(whole)
    for (let flips = 0; flips < 3; flips++) bytes[chance.below(bytes.length)] = chance.below(256)
    const found = orientationIn(bytes)
    assert.ok(found === undefined || (found >= 2 && found <= 8))
  }
})

test('only a file of the type is a picture of it; a cut one stays as it is', async () => {
  for (const type of pictureTypes) {
    const sample = samples[type]
    for (const other of pictureTypes) {
      if (other !== type) assert.is(await kept(other, sample), undefined, `${type} as ${other}`)
    }
    for (let length = 0; length < sample.length; length++) {
      const cut = sample.subarray(0, length)
      const wanted = length < beginnings[type] ? undefined : cut
      assert.equal(await kept(type, cut), wanted, `${type} to ${length}`)
    }
  }
})

/** How many bytes tell what they are. */
const beginnings = { 'image/png': 8, 'image/jpeg': 3, 'image/webp': 12, 'image/gif': 6 }

test('a damaged picture stays as it is, and with metadata in it is none', async () => {
  const idat = pngChunk('IDAT', Buffer.from('x'))
  const wrong: readonly [PictureType, Buffer, string][] = [
    ['image/png', Buffer.concat([pngSignature, Buffer.alloc(1000)]), 'nothing'],
    ['image/png', Buffer.concat([pngSignature, pngHeader(), pngChunk('IEND')]), 'no pixels'],
    ['image/png', Buffer.concat([pngSignature, idat, pngChunk('IEND')]), 'no header'],
    ['image/png', Buffer.concat([pngSignature, pngHeader(0, 1), idat, pngChunk('IEND')]), 'flat'],
    ['image/png', png(pngChunk('IHDR', Buffer.alloc(13))), 'two headers'],
    [
      'image/png',
      Buffer.concat([png().subarray(0, 33), Buffer.from('ffffffff49444154', 'hex')]),
      'long',
    ],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'nothing'],
    ['image/jpeg', Buffer.concat([Buffer.from([0xff, 0xd8]), exif(6), endOfImage]), 'EXIF alone'],
    ['image/jpeg', jpeg([Buffer.from([0xff, 0xe5, 0, 1])]), 'a segment shorter than its length'],
    ['image/jpeg', jpeg([Buffer.from('<script>')]), 'text between segments'],
    ['image/webp', Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8L', 'latin1'), 'longer than it is'],
    ['image/webp', webp().subarray(0, 30), 'cut'],
    ['image/gif', Buffer.from('GIF89a<script>alert(1)</script>'), 'a script'],
    ['image/gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'no image'],
  ]
  const far = Buffer.alloc(100_000)
  for (const [type, file, what] of wrong) {
    const isClean = !file.includes('Exif')
    assert.equal(await kept(type, file), isClean ? file : undefined, what)
    for (const name of ['Exif\0\0', 'eXIf', 'EXIF', 'http://ns.adobe.com/xap/1.0/', 'XMP Data']) {
      const photo = Buffer.concat([file, far, Buffer.from(name), far])
      if (type === 'image/png' || type === 'image/jpeg') {
        assert.is(await kept(type, photo), undefined, `${what}, ${name}`)
      }
    }
  }
  const pieces = Array.from({ length: 2_000 }, () => [
    pngChunk('eXIf', tiff(6)),
    pngChunk('prVt', Buffer.from('x')),
  ])
  assert.is(await kept('image/png', png(...pieces.flat())), undefined, 'in too many pieces')
})

test('bytes turned at random: a picture or none, and never EXIF', async () => {
  const chance = new Chance(11)
  const rich: readonly [PictureType, Buffer][] = [
    ['image/png', png(pngChunk('eXIf', tiff(6)))],
    ['image/jpeg', jpeg([exif(6)])],
    ['image/webp', webp({ EXIF: tiff(6) }, 8)],
    ['image/gif', gif(gifXmp('GPS'))],
  ]
  let taken = 0
  for (let round = 0; round < 4_000; round++) {
    const [type, whole] = rich[round % rich.length] ?? ['image/png', png()]
    const bytes = Buffer.from(whole)
    bytes[chance.below(bytes.length)] = chance.below(256)
    if ((await kept(type, bytes)) !== undefined) taken += 1
  }
  assert.ok(taken > 400 && taken < 4_000, `${taken}`)
})

test('a poster of very many chunks is read twice, however many there are', async () => {
  const readsOf = async (chunks: number) => {
    const empty = Array.from({ length: chunks }, () => pngChunk('teSt'))
    const file = png(...empty, pngChunk('teSt', Buffer.alloc(200_000, 7)))
    let reads = 0
    const read = async (at: number, length: number) => {
      reads += 1
      return file.subarray(at, at + length)
    }
    await requirePoster({ size: file.length, read })
    return { reads, least: file.length / windowBytes }
  }
  for (const chunks of [0, 20_000, 80_000]) {
    const { reads, least } = await readsOf(chunks)
    assert.ok(reads <= 2 * least + 6, `${reads} reads, ${least}`)
  }
})

test('a poster with a false checksum in any chunk is none', async () => {
  const good = png(pngChunk('teSt', Buffer.alloc(100)))
  const refused = async (file: Buffer) =>
    requirePoster({
      size: file.length,
      read: async (at, length) => file.subarray(at, at + length),
    }).then(
      () => false,
      () => true,
    )
  assert.not.ok(await refused(good))
  for (let at = pngSignature.length; at < good.length; at++) {
    const bad = Buffer.from(good)
    bad[at] = (bad[at] ?? 0) ^ 1
    assert.ok(await refused(bad), `byte ${at}`)
  }
})

test.run()
