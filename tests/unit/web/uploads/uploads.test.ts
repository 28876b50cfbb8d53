/** Images on their way: where they stand, where they go, and what becomes of one that failed. */
import { EditorState, type Transaction } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { limits } from '../../../../schema/limits.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { ApiError } from '../../../../web/api/http.ts'
import { megabytes, refusalHere, refusalOf } from '../../../../web/uploads/file-rules.ts'
import { insertionAt } from '../../../../web/uploads/insertion.ts'
import { Places, withPlaces } from '../../../../web/uploads/places.ts'
import { uploadFailureOf } from '../../../../web/uploads/upload-failure.ts'
import { desk } from '../editor/commands/tools-desk.ts'

const image = (src: string) => documentSchema.nodes.image.create({ src })

/** An editor of which only the images on their way are looked at. */
class Scene {
  state: EditorState
  places = Places.none

  constructor(text: string, names: readonly string[] = ['a', 'b', 'c']) {
    this.state = desk(text)
    const pos = this.state.selection.to
    const added = names.map((id) => ({ id, pos, dom: {} as HTMLElement }))
    this.apply(withPlaces(this.state.tr, { added }))
  }

  apply(tr: Transaction): void {
    this.state = this.state.apply(tr)
    this.places = this.places.apply(tr)
  }

  arrive(id: string): void {
    const { tr, doc } = this.state
    const place = this.places.all.find((one) => one.id === id)
    assert.ok(place, `${id} is on its way`)
    const { at, content } = insertionAt(doc, place.pos, image(`/${id}`))
    const stands = { from: at, to: at + content.size }
    this.apply(withPlaces(tr.insert(at, content), { arrived: id, at: stands }))
  }

  get markdown(): string {
    return printDocument(this.state.doc).trimEnd()
  }
}

const orders = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']
const cases: readonly (readonly [before: string, after: string])[] = [
  ['One\n\n¦\n\ntwo', 'One\n\n![](/a)\n\n![](/b)\n\n![](/c)\n\ntwo'],
  ['On¦e', 'One![](/a)![](/b)![](/c)'],
  ['See o¦nly', 'See ![](/a)![](/b)![](/c)only'],
  ['One ¦ two', 'One ![](/a)![](/b)![](/c) two'],
  ['# He¦ad\n\ntwo', '# Head\n\n![](/a)\n\n![](/b)\n\n![](/c)\n\ntwo'],
  ['```\ncode¦\n```\n\ntwo', '```\ncode\n```\n\n![](/a)\n\n![](/b)\n\n![](/c)\n\ntwo'],
]
for (const [before, after] of cases) {
  for (const order of orders) {
    test(`${JSON.stringify(before)}: whatever arrives first (${order}), the order is kept`, () => {
      const scene = new Scene(before)
      for (const id of order) scene.arrive(id)
      assert.is(scene.markdown, after)
      assert.is(scene.places, Places.none)
    })
  }
}

test('in a cell it stands in the line', () => {
  const scene = new Scene('| a | b |\n| --- | --- |\n| c¦ | d |', ['a'])
  scene.arrive('a')
  assert.is(scene.markdown, '| a | b |\n| --- | --- |\n| c![](/a) | d |')
})

test('a place follows what is written around it', () => {
  const scene = new Scene('One\n\ntw¦o', ['a'])
  scene.apply(scene.state.tr.insertText('Zero ', 1))
  scene.apply(scene.state.tr.insertText('TW', 11, 12))
  scene.arrive('a')
  assert.is(scene.markdown, 'Zero One\n\nTWwo![](/a)')
})

test('what is typed at the place comes behind it', () => {
  const scene = new Scene('One ¦', ['a'])
  scene.apply(scene.state.tr.insertText('more'))
  scene.arrive('a')
  assert.is(scene.markdown, 'One ![](/a)more')
})

test('when its block is gone it goes to the nearest place, and is still drawn', () => {
  const scene = new Scene('One\n\ntw¦o\n\nthree', ['a', 'b'])
  scene.apply(scene.state.tr.delete(5, 10))
  assert.is(scene.places.drawn.find().length, 2)
  scene.arrive('b')
  scene.arrive('a')
  assert.is(scene.markdown, 'One\n\n![](/a)\n\n![](/b)\n\nthree')
})

test('one that is taken back is gone, the others stay', () => {
  const scene = new Scene('¦')
  scene.apply(withPlaces(scene.state.tr, { gone: 'b' }))
  scene.arrive('c')
  scene.arrive('a')
  assert.is(scene.markdown, '![](/a)\n\n![](/c)')
})

test('without images on their way a change costs nothing here', () => {
  const { tr } = EditorState.create({ schema: documentSchema })
  assert.is(Places.none.apply(tr.insertText('x')), Places.none)
})

const failed = (status: number, code: string, body = {}, retryAfterS?: number) =>
  uploadFailureOf(
    new ApiError(status, code, 'said', { body, ...(retryAfterS !== undefined && { retryAfterS }) }),
  )

test('a broken line, an ended sign-in and a busy service let it wait, and it is said why', () => {
  const waits = (because: string, words: string, more = {}) => ({
    kind: 'wait',
    because,
    words,
    ...more,
  })
  assert.equal(failed(0, 'OFFLINE'), waits('away', 'Waiting for a connection'))
  assert.equal(failed(0, 'SIGN_IN_ENDED'), waits('away', 'said'))
  const busy = 'The server is busy. Trying again soon'
  assert.equal(failed(429, 'BUSY', {}, 2), waits('busy', busy, { afterMs: 2_000 }))
  const day = 'Upload limit reached for your network. Trying again later'
  const later = waits('busy', day, { afterMs: 80_000_000 })
  assert.equal(failed(429, 'RATE_LIMITED', {}, 80_000), later)
  assert.equal(failed(503, 'UNAVAILABLE'), waits('busy', busy, { afterMs: 5_000 }))
  assert.equal(failed(502, 'GATEWAY'), waits('busy', 'said', { afterMs: 5_000 }))
})

test('a refusal is said in plain words, with limit and size', () => {
  const words = (...said: Parameters<typeof failed>) => {
    const failure = failed(...said)
    assert.is(failure.kind, 'refused')
    return failure.kind === 'refused' ? failure.words : ''
  }
  const one = words(413, 'PAYLOAD_TOO_LARGE', { limit: 5_000_000, size: 5_000_001 })
  assert.is(one, 'Too large: 5.1 MB (limit 5 MB).')
  const all = words(413, 'PAYLOAD_TOO_LARGE', { limit: 100_000_000, size: 104_000_000 })
  assert.match(
    all,
    'Images in a document are limited to 100 MB in total. With this image the total is 104 MB',
  )
  assert.is(words(413, 'PAYLOAD_TOO_LARGE'), 'said')
  assert.match(words(415, 'UNSUPPORTED_MEDIA_TYPE'), 'file type is not supported')
  assert.match(words(403, 'FORBIDDEN'), 'do not have permission')
  assert.match(words(401, 'AUTH_REQUIRED'), 'Sign in')
})

test('what no failure of a request is, is a bug and said to be one', () => {
  assert.throws(() => uploadFailureOf(new TypeError('oops')), 'oops')
})

test('a file is judged before any of it is sent', () => {
  const named = (name: string, type: string, size: number) =>
    refusalOf({ name, type, size }) ?? 'good'
  assert.is(named('a.png', 'image/png', limits.imageMaxBytes), 'good')
  assert.match(named('a.png', 'image/png', limits.imageMaxBytes + 1), 'too large: 5.1 MB')
  assert.match(named('a.heic', 'image/heic', 10), '“a.heic” is not a supported image')
  assert.match(named('', 'image/svg+xml', 10), 'This image is not')
  assert.match(named('a.gif', 'image/gif', 0), 'is empty')
  assert.is(megabytes(7_234_567), '7.3 MB')
})

test('who may not write is told why', () => {
  const readable = <T>(value: T) => ({ get: () => value, subscribe: () => () => {} })
  const as = (role: 'viewer' | 'commenter' | 'editor') =>
    refusalHere({ role: readable(role), saveState: readable({ kind: 'saved' } as const) }) ?? 'good'
  assert.match(as('viewer'), 'view-only access')
  assert.match(as('commenter'), 'You can only comment and suggest')
  assert.is(as('editor'), 'good')
})

test.run()
