/** Attacks on what the document holds: roots, nodes, marks, attributes, depth, places. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { markAttributeMaxChars } from '../../../../../core/documents/guard/content-rules.ts'
import type { Verdict } from '../../../../../core/documents/guard/guard.ts'
import { limits } from '../../../../../schema/limits.ts'
import {
  adas,
  admitted,
  any,
  binary,
  bytesOf,
  embed,
  eve,
  eves,
  format,
  id,
  info,
  json,
  judge,
  ofEve,
  origin,
  type Piece,
  refused,
  right,
  setting,
  str,
  sub,
  subdoc,
  type,
} from './guard-bytes.ts'

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
    ['link', { href: 'x'.repeat(markAttributeMaxChars + 1) }],
    ['authored', { by: { deep: 1 } }],
    ['authored', { by: 'x'.repeat(1000) }],
    ['authored', {}],
  ]
  for (const [mark, value] of bad) refused(verdict(mark, JSON.stringify(value)), 4403, /mark/)
  refused(verdict('em', '{"__proto__":{}}'), 4403)
  refused(verdict('em', 'undefined'), 4403)
  // lib0 keeps a byte order mark, and JSON.parse then throws in Yjs.
  refused(verdict('em', '\ufeff{}'), 4403)
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

test.run()
