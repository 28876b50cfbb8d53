/** The attacks that architecture and experience name, each as bytes from a socket. */
import * as encoding from 'lib0/encoding'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { serverActor } from '../../core/documents/actors.ts'
import { Guard, type Verdict } from '../../core/documents/guard/guard.ts'
import type { ActorId } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'

const ada = 'human:ada' as ActorId
const eve = 'human:eve' as ActorId
const service = 1
const adas = 2
const eves = 3

/** A document by the service: a paragraph with the text `hello`, then Ada's ` world`. */
function setting() {
  const ydoc = new Y.Doc()
  ydoc.clientID = service
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.setAttribute('id', 'bid_0123456789abcdef')
  paragraph.insert(0, [new Y.XmlText('hello')])
  ydoc.getXmlFragment('prosemirror').insert(0, [paragraph])
  ydoc.clientID = adas
  const text = paragraph.get(0)
  if (!(text instanceof Y.XmlText)) throw new TypeError('no text')
  text.insert(5, ' world')
  const owners = new Map<number, ActorId>([
    [service, serverActor],
    [adas, ada],
  ])
  const guard = new Guard({ ydoc, ownerOf: (client) => owners.get(client) })
  return { ydoc, guard, owners, paragraphId: idOf(paragraph), textId: idOf(text) }
}

function idOf(type: Y.XmlElement | Y.XmlText): Y.ID {
  if (type._item === null) throw new TypeError('not in a document')
  return type._item.id
}

/** What an update of one's own making says; `bytes` are written as they are. */
type Piece = number | string | { readonly bytes: readonly number[] } | { readonly any: unknown }

function bytesOf(...pieces: readonly Piece[]): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const piece of pieces) {
    if (typeof piece === 'number') encoding.writeVarUint(encoder, piece)
    else if (typeof piece === 'string') encoding.writeVarString(encoder, piece)
    else if ('bytes' in piece) for (const byte of piece.bytes) encoding.writeUint8(encoder, byte)
    else encoding.writeAny(encoder, piece.any as string)
  }
  return encoding.toUint8Array(encoder)
}

const info = (...bits: number[]) => ({ bytes: [bits.reduce((all, bit) => all | bit, 0)] })
const [gc, del, json, binary, str, embed, format, type, any, subdoc, skip] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const
const origin = 0x80
const right = 0x40
const sub = 0x20
const id = ({ client, clock }: Y.ID): Piece[] => [client, clock]
/** One section of Eve's, from clock 0, and an empty delete set. */
const ofEve = (count: number, ...pieces: Piece[]) => bytesOf(1, count, eves, 0, ...pieces, 0)

const judge = (guard: Guard, update: Uint8Array, actor = eve): Verdict =>
  guard.judge(update, actor, { mayPark: false })

function refused(verdict: Verdict, close: number, reason?: RegExp): void {
  assert.is(verdict.kind, 'refuse')
  if (verdict.kind !== 'refuse') return
  assert.is(verdict.close, close, verdict.reason)
  if (reason) assert.match(verdict.reason, reason)
}

function admitted(verdict: Verdict): Extract<Verdict, { kind: 'admit' }> {
  if (verdict.kind !== 'admit') throw new Error(JSON.stringify(verdict))
  return verdict
}

test('the builder makes what Yjs reads: a plain insertion is admitted', () => {
  const { guard, textId, ydoc } = setting()
  const update = ofEve(1, info(str), 0, ...id(textId), 'mine ')
  const { facts } = admitted(judge(guard, update))
  assert.equal(facts, {
    claims: [eves],
    inserts: true,
    deletes: false,
    changesNothing: false,
    effort: 4,
    clients: [{ client: eves, from: 0, to: 5 }],
  })
  Y.applyUpdate(ydoc, update)
  assert.ok(ydoc.getXmlFragment('prosemirror').toString().includes('mine '))
})

test('seven bytes that claim 2^30 structs cost nothing', () => {
  const { guard } = setting()
  const update = bytesOf(1, 2 ** 30, eves)
  assert.is(update.length, 7)
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  refused(judge(guard, update), 4403)
  assert.ok(performance.now() - start < 20)
  assert.ok(process.memoryUsage().heapUsed - before < 4e6)
})

test('lengths that no bytes stand for are bounded', () => {
  const { guard, textId } = setting()
  const huge = 2 ** 31 - 10
  refused(judge(guard, ofEve(1, info(gc), huge)), 4413)
  refused(judge(guard, ofEve(1, info(del), 0, ...id(textId), huge)), 4413)
  refused(judge(guard, ofEve(2, info(gc), huge, info(gc), huge)), 4403, /out of range/)
  refused(judge(guard, ofEve(2, info(skip), huge, info(gc), 1)), 4409)
  refused(judge(guard, ofEve(1, info(gc), 2 ** 53)), 4403)
  refused(judge(guard, ofEve(1, info(gc), 0)), 4403, /empty/)
  refused(judge(guard, ofEve(1, info(str), 0, ...id(textId), '')), 4403, /empty/)
  refused(judge(guard, ofEve(1, info(any, sub), 0, ...id(textId), 'id', 2 ** 30)), 4403)
})

test("structs under another's clientID, and of the service's", () => {
  for (const client of [adas, service]) {
    const { guard, textId, ydoc } = setting()
    const next = Y.getState(ydoc.store, client)
    const update = bytesOf(1, 1, client, next, info(str), 0, ...id(textId), 'not hers', 0)
    refused(judge(guard, update), 4409, /another/)
    refused(guard.judge(update, eve, { mayPark: true }), 4409)
  }
})

test('a free clientID belongs to the first, also before its update is applied', () => {
  const { guard, textId, owners } = setting()
  admitted(judge(guard, ofEve(1, info(str), 0, ...id(textId), 'a')))
  const more = bytesOf(1, 1, eves, 1, info(str, origin), eves, 0, 'b', 0)
  refused(judge(guard, more, ada), 4409)
  admitted(judge(guard, more))
  guard.settled()
  owners.set(eves, eve)
  refused(judge(guard, ofEve(1, info(str), 0, ...id(textId), 'a'), ada), 4409)
})

test('too many clientIDs at once', () => {
  const { guard } = setting()
  const sections = Array.from({ length: 300 }, (_, index) => [1, 100 + index, 0, info(gc), 1])
  refused(judge(guard, bytesOf(300, ...sections.flat(), 0)), 4413)
})

test('structs that are known are cut away, whatever they say', () => {
  const { guard, ydoc, textId } = setting()
  const lie = bytesOf(1, 1, adas, 0, info(str, origin), service, 0, ' lies!', 0)
  const verdict = admitted(judge(guard, lie))
  assert.ok(verdict.facts.changesNothing)
  assert.equal([...verdict.update], [0, 0])
  const longer = bytesOf(
    1,
    1,
    adas,
    0,
    info(str, origin, right),
    service,
    0,
    service,
    0,
    ' lies! more',
    0,
  )
  refused(judge(guard, longer, eve), 4409)
  refused(judge(guard, longer, ada), 4403, /siblings/)
  const honest = bytesOf(
    1,
    1,
    adas,
    0,
    info(str, origin),
    ...id({ client: service, clock: 7 }),
    ' world!',
    0,
  )
  const trimmed = admitted(judge(guard, honest, ada))
  assert.equal(trimmed.facts.clients, [{ client: adas, from: 6, to: 7 }])
  Y.applyUpdate(ydoc, trimmed.update)
  const text = Y.getItem(ydoc.store, textId).content
  assert.ok(text instanceof Y.ContentType && String(text.type) === 'hello world!')
})

test('a nesting bomb', () => {
  const { guard } = setting()
  const nested = (depth: number): Uint8Array => {
    const levels: Piece[] = []
    for (let at = 0; at < depth; at++) {
      if (at === 0) levels.push(info(type), 1, 'prosemirror')
      else levels.push(info(type), 0, eves, at - 1)
      levels.push(3, 'blockquote')
    }
    return ofEve(depth, ...levels)
  }
  admitted(guard.judge(nested(limits.nodeMaxDepth), eve, { mayPark: false, discard: true }))
  refused(judge(guard, nested(limits.nodeMaxDepth + 1)), 4403, /deep/)
  refused(judge(guard, nested(10_000)), 4403, /deep/)
})

test('nesting in steps counts what the document and the waiting updates hold', () => {
  const { guard, ydoc } = setting()
  let refusals = 0
  for (let at = 0; at < 60; at++) {
    const parent = at === 0 ? [1, 'prosemirror'] : [0, eves, at - 1]
    const update = bytesOf(1, 1, eves, at, info(type), ...parent, 3, 'blockquote', 0)
    const verdict = judge(guard, update)
    if (verdict.kind !== 'admit') {
      refusals++
      assert.is(at, limits.nodeMaxDepth)
      break
    }
    Y.applyUpdate(ydoc, verdict.update)
    if (at % 7 === 0) guard.settled()
  }
  assert.is(refusals, 1)
})

test('nested values and marks do not recurse', () => {
  const { guard, paragraphId, textId } = setting()
  const deep = { bytes: Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? 117 : 1)) }
  refused(judge(guard, ofEve(1, info(any, sub), 0, ...id(paragraphId), 'id', 1, deep)), 4403)
  const brackets = '['.repeat(200_000)
  refused(judge(guard, ofEve(1, info(format), 0, ...id(textId), 'em', brackets)), 4403)
})

test('missing dependencies are parked only when they may be', () => {
  const { guard } = setting()
  const cases = [
    ofEve(1, info(str, origin), 77, 5, 'x'),
    ofEve(1, info(str, right), service, 99, 'x'),
    ofEve(1, info(str), 0, 77, 5, 'x'),
    bytesOf(1, 1, eves, 4, info(gc), 1, 0),
    ofEve(2, info(skip), 4, info(gc), 1),
    bytesOf(0, 1, 77, 1, 0, 1),
    bytesOf(0, 1, adas, 1, 0, 100),
  ]
  for (const update of cases) {
    assert.is(guard.judge(update, eve, { mayPark: true }).kind, 'park')
    refused(judge(guard, update), 4409)
  }
})

test('references to oneself, to later structs and in circles', () => {
  const { guard } = setting()
  refused(judge(guard, ofEve(1, info(str, origin), eves, 0, 'x')), 4403)
  refused(judge(guard, ofEve(1, info(str, origin), eves, 9, 'x')), 4403)
  const circle = bytesOf(
    ...[2, 1, eves, 0, info(str, origin), 4, 0, 'x'],
    ...[1, 4, 0, info(str, origin), eves, 0, 'y', 0],
  )
  refused(judge(guard, circle), 4403, /each other/)
  refused(guard.judge(circle, eve, { mayPark: true }), 4403)
})

test('references across sections in either order are followed', () => {
  const { guard, ydoc, textId } = setting()
  const update = bytesOf(
    ...[2, 2, 9, 0, info(str), 0, ...id(textId), 'a', info(str, origin), 8, 1, 'd'],
    ...[2, 8, 0, info(str, origin), 9, 0, 'b', info(str, origin), 8, 0, 'c', 0],
  )
  const verdict = admitted(judge(guard, update))
  assert.equal(verdict.facts.claims, [9, 8])
  Y.applyUpdate(ydoc, verdict.update)
  assert.is(ydoc.store.pendingStructs, null)
  assert.ok(ydoc.getXmlFragment('prosemirror').toString().includes('abcd'))
})

test('bytes of the second format, trailing bytes, cut bytes', () => {
  const { guard, ydoc } = setting()
  refused(judge(guard, Y.encodeStateAsUpdateV2(ydoc)), 4403)
  refused(judge(guard, Y.encodeStateAsUpdateV2(new Y.Doc())), 4403)
  refused(judge(guard, bytesOf(0, 0, 0)), 4403, /follow/)
  const whole = Y.encodeStateAsUpdate(ydoc)
  for (let length = 0; length < whole.length; length++) {
    refused(judge(guard, whole.subarray(0, length)), 4403)
  }
  admitted(judge(guard, whole))
  admitted(judge(guard, bytesOf(0, 0)))
})

test('an oversize message', () => {
  const { guard } = setting()
  refused(judge(guard, new Uint8Array(limits.socketMessageMaxBytes + 1)), 4413)
})

test('one client twice in an update', () => {
  const { guard } = setting()
  const twice = bytesOf(2, 1, eves, 0, info(gc), 1, 1, eves, 1, info(gc), 1, 0)
  refused(judge(guard, twice), 4403, /twice/)
})

test('another root', () => {
  const { guard } = setting()
  for (const name of ['other', '', '__proto__', 'prosemirror ']) {
    refused(judge(guard, ofEve(1, info(type), 1, name, 3, 'paragraph')), 4403, /root/)
  }
})

test('nodes, marks and attributes that the schema does not know', () => {
  const { guard, paragraphId, textId } = setting()
  for (const name of ['script', 'doc', 'text', '', 'constructor', '__proto__', 'Paragraph']) {
    refused(judge(guard, ofEve(1, info(type), 1, 'prosemirror', 3, name)), 4403, /node/)
  }
  for (const name of ['blink', '', '__proto__', 'constructor', 'em--12345678']) {
    refused(judge(guard, ofEve(1, info(format), 0, ...id(textId), name, '{}')), 4403, /mark/)
  }
  for (const name of ['onclick', '', '__proto__', 'level', 'ychange']) {
    const value = [info(any, sub), 0, ...id(paragraphId), name, 1, { any: 'x' }]
    refused(judge(guard, ofEve(1, ...value)), 4403, /attribute/)
  }
})

test('values of marks', () => {
  const { guard, textId } = setting()
  const verdict = (mark: string, value: string): Verdict =>
    guard.judge(ofEve(1, info(format), 0, ...id(textId), mark, value), eve, {
      mayPark: false,
      discard: true,
    })
  const good: [string, unknown][] = [
    ['em', {}],
    ['strong', true],
    ['code', null],
    ['link', { href: '/a', title: '' }],
    ['link', { href: '/a' }],
    ['link', null],
    ['authored', { by: 'ai:bot' }],
    ['authored', null],
  ]
  for (const [mark, value] of good) admitted(verdict(mark, JSON.stringify(value)))
  const bad: [string, unknown][] = [
    ['em', { a: 1 }],
    ['em', 'x'],
    ['em', []],
    ['em', false],
    ['link', {}],
    ['link', true],
    ['link', { href: 1, title: '' }],
    ['link', { href: '/a', title: null }],
    ['link', { href: '/a', target: 'x' }],
    ['link', { href: 'x'.repeat(limits.attributeMaxChars + 1) }],
    ['authored', { by: { deep: 1 } }],
    ['authored', { by: 'x'.repeat(1000) }],
    ['authored', {}],
  ]
  for (const [mark, value] of bad) refused(verdict(mark, JSON.stringify(value)), 4403, /mark/)
  refused(verdict('em', '{"__proto__":{}}'), 4403)
  refused(verdict('em', 'undefined'), 4403)
  refused(verdict('link', `{"href":"${'x'.repeat(2e6)}"}`), 4413)
})

test('values of attributes', () => {
  const { guard } = setting()
  const verdict = (node: string, name: string, value: unknown): Verdict => {
    const element = [info(type), 1, 'prosemirror', 3, node]
    const attribute = [info(any, sub), 0, eves, 0, name, 1, { any: value }]
    return guard.judge(ofEve(2, ...element, ...attribute), eve, { mayPark: false, discard: true })
  }
  admitted(verdict('heading', 'level', 2))
  admitted(verdict('paragraph', 'id', null))
  admitted(verdict('list_item', 'checked', true))
  admitted(verdict('table_cell', 'colwidth', 100))
  admitted(verdict('html_block', 'source', 'x'.repeat(limits.attributeMaxChars)))
  refused(verdict('html_block', 'source', 'x'.repeat(limits.attributeMaxChars + 1)), 4413)
  refused(verdict('heading', 'level', '2'), 4403)
  refused(verdict('heading', 'level', null), 4403)
  refused(verdict('heading', 'level', Number.NaN), 4403)
  refused(verdict('heading', 'level', 10n), 4403)
  refused(verdict('heading', 'params', 'js'), 4403)
  refused(verdict('paragraph', 'id', 7), 4403)
  refused(verdict('paragraph', 'id', { a: 1 }), 4403)
  refused(verdict('paragraph', 'id', [1]), 4403)
  refused(verdict('paragraph', 'id', undefined), 4403)
  refused(verdict('table_cell', 'colwidth', [100]), 4403)
})

test('kinds of content that are not of this document', () => {
  const { guard, textId, paragraphId } = setting()
  const at = [0, ...id(textId)]
  refused(judge(guard, ofEve(1, info(json), ...at, 1, '{}')), 4403)
  refused(judge(guard, ofEve(1, info(binary), ...at, 1, { bytes: [7] })), 4403)
  refused(judge(guard, ofEve(1, info(embed), ...at, '{}')), 4403)
  refused(judge(guard, ofEve(1, info(subdoc), ...at, 'guid', { any: {} })), 4403)
  refused(judge(guard, ofEve(1, info(11), ...at, 1)), 4403)
  for (const ref of [0, 1, 2, 4, 5, 7, 900]) {
    const holder = [0, ...id(paragraphId)]
    refused(judge(guard, ofEve(1, info(type), ...holder, ref, 'paragraph')), 4403)
  }
})

test('content where it cannot stand', () => {
  const { guard, textId, paragraphId } = setting()
  const inText = [0, ...id(textId)]
  const inParagraph = [0, ...id(paragraphId)]
  refused(judge(guard, ofEve(1, info(str), ...inParagraph, 'x')), 4403, /outside/)
  refused(judge(guard, ofEve(1, info(str), 1, 'prosemirror', 'x')), 4403, /outside/)
  refused(judge(guard, ofEve(1, info(format), ...inParagraph, 'em', '{}')), 4403, /outside/)
  refused(judge(guard, ofEve(1, info(type), ...inText, 3, 'image')), 4403, /inside/)
  refused(judge(guard, ofEve(1, info(type), ...inText, 6)), 4403, /inside/)
  refused(judge(guard, ofEve(1, info(any), ...inParagraph, 1, { any: 'x' })), 4403)
  refused(judge(guard, ofEve(1, info(any, sub), ...inText, 'id', 1, { any: 'x' })), 4403)
  refused(judge(guard, ofEve(1, info(any, sub), 1, 'prosemirror', 'id', 1, { any: 'x' })), 4403)
  refused(judge(guard, ofEve(1, info(type, sub), ...inParagraph, 'id', 3, 'image')), 4403)
  refused(judge(guard, ofEve(1, info(str, sub), ...inParagraph, 'id', 'x')), 4403)
  refused(judge(guard, ofEve(1, info(str), 0, adas, 0, 'x')), 4403, /not a type/)
})

test('neighbours that are not siblings', () => {
  const { guard, paragraphId } = setting()
  const update = ofEve(1, info(str, origin, right), adas, 0, ...id(paragraphId), 'x')
  refused(judge(guard, update), 4403, /siblings/)
})

test('text that is not UTF-8', () => {
  const { guard, textId } = setting()
  for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xe2, 0x82]]) {
    const update = ofEve(1, info(str), 0, ...id(textId), bytes.length, { bytes })
    refused(judge(guard, update), 4403)
  }
})

test('what is put into a deleted and collected block is dropped by Yjs, and admitted', () => {
  const { guard, ydoc, textId } = setting()
  ydoc.getXmlFragment('prosemirror').delete(0, 1)
  const update = ofEve(2, info(str, origin), adas, 3, 'late', info(str), 0, ...id(textId), 'x')
  const verdict = admitted(judge(guard, update))
  Y.applyUpdate(ydoc, verdict.update)
  assert.is(ydoc.store.pendingStructs, null)
  assert.is(ydoc.getXmlFragment('prosemirror').length, 0)
})

test('a block deleted by a write while updates into it wait does not close a socket', () => {
  const { guard, ydoc, textId } = setting()
  const first = admitted(judge(guard, ofEve(1, info(str), 0, ...id(textId), 'a')))
  ydoc.getXmlFragment('prosemirror').delete(0, 1)
  const beside = [info(str, origin, right), eves, 0, service, 3, 'b']
  const second = admitted(judge(guard, bytesOf(1, 1, eves, 1, ...beside, 0)))
  for (const { update } of [first, second]) Y.applyUpdate(ydoc, update)
  assert.is(ydoc.store.pendingStructs, null)
})

test('deletions: of anyone, once, of known clocks only', () => {
  const { guard, ydoc } = setting()
  const first = admitted(judge(guard, bytesOf(0, 1, adas, 1, 0, 3)))
  assert.ok(first.facts.deletes && !first.facts.inserts && !first.facts.changesNothing)
  Y.applyUpdate(ydoc, first.update)
  guard.settled()
  const again = admitted(judge(guard, bytesOf(0, 1, adas, 1, 0, 3)))
  assert.ok(again.facts.changesNothing)
  refused(judge(guard, bytesOf(0, 1, adas, 1, 0, 0)), 4403, /empty/)
  refused(judge(guard, bytesOf(0, 1, adas, 2 ** 30, 0, 1)), 4403, /count/)
  refused(judge(guard, bytesOf(0, 2 ** 30)), 4403, /count/)
})

/** The service's 2,000 paragraphs, the last one with a text of 200,000 characters. */
function longSetting() {
  const ydoc = new Y.Doc()
  ydoc.clientID = service
  const fragment = ydoc.getXmlFragment('prosemirror')
  for (let at = 0; at < 2_000; at++) fragment.insert(at, [new Y.XmlElement('paragraph')])
  const text = new Y.XmlText('x'.repeat(200_000))
  const last = fragment.get(1_999)
  if (last instanceof Y.XmlElement) last.insert(0, [text])
  return { ydoc, text: idOf(text), guard: new Guard({ ydoc, ownerOf: ownerOfService }) }
}
const ownerOfService = (client: number) => (client === service ? serverActor : undefined)

test('insertions that name far neighbours are refused before Yjs walks between them', () => {
  const far = (count: number, client = eves): Uint8Array => {
    const structs = Array.from({ length: count }, () => [info(type), 1, 'prosemirror', 3, 'image'])
    return bytesOf(1, count, client, 0, ...structs.flat(), 0)
  }
  const { guard } = longSetting()
  refused(judge(guard, far(2_000)), 4413, /too long/)
  assert.ok(admitted(judge(guard, far(200))).facts.effort > 200 * 2_000)
  const more = far(200, 4)
  refused(judge(guard, more), 4413, /too long/)
  admitted(judge(guard, far(20, 5), ada))
  guard.settled()
  assert.is(judge(guard, more).kind, 'admit')
})

test('a crowd beside one neighbour', () => {
  const { guard, text } = longSetting()
  const beside = (client: number, count: number): Uint8Array => {
    const structs = Array.from({ length: count }, (_, at) =>
      at === 0 ? [info(str), 0, ...id(text), 'x'] : [info(str, right), ...id(end), 'x'],
    )
    return bytesOf(1, count, client, 0, ...structs.flat(), 0)
  }
  const end = { client: service, clock: 2_001 }
  admitted(judge(guard, beside(3, 300)))
  refused(judge(guard, beside(4, 2_000)), 4413, /too long/)
})

test('a text cut into pieces by deletions', () => {
  const { guard } = longSetting()
  const ranges = Array.from({ length: 20_000 }, (_, at) => [2_100 + 2 * at, 1])
  refused(judge(guard, bytesOf(0, 1, service, ranges.length, ...ranges.flat())), 4413, /too long/)
})

test('a reader: facts tell clean-up from writing, and nothing is remembered', () => {
  const { guard, textId } = setting()
  const options = { mayPark: false, discard: true }
  const writes = admitted(guard.judge(ofEve(1, info(str), 0, ...id(textId), 'x'), eve, options))
  assert.ok(writes.facts.inserts)
  const cleans = admitted(guard.judge(bytesOf(0, 1, adas, 1, 0, 1), eve, options))
  assert.not(cleans.facts.inserts)
  refused(judge(guard, bytesOf(1, 1, eves, 1, info(str, origin), eves, 0, 'y', 0)), 4409)
})

test('state vectors ahead of the service', () => {
  const { guard, ydoc, owners } = setting()
  const close = (vector: Uint8Array, actor = ada): number | undefined => {
    const verdict = guard.judgeStateVector(vector, actor)
    return verdict.kind === 'refuse' ? verdict.close : undefined
  }
  assert.is(close(Y.encodeStateVector(ydoc)), undefined)
  assert.is(close(bytesOf(1, service, 99)), 4409)
  assert.is(close(bytesOf(1, adas, 99), eve), 4409)
  assert.is(close(bytesOf(2, adas, 99, 55, 12)), undefined)
  owners.set(55, eve)
  assert.is(close(bytesOf(2, adas, 99, 55, 12)), 4409)
  assert.is(close(bytesOf(2 ** 30)), 4403)
  assert.is(close(bytesOf(1, adas)), 4403)
  assert.is(close(bytesOf(0, 0)), 4403)
})

test.run()
