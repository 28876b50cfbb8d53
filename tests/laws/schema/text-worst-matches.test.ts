/**
 * Texts that are hard to search (interface §4.5): what nearly stands at every place, what overlaps
 * itself at every place, and what has to be read as markdown. Their cost grows with their length
 * alone, and no step of it is long.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { findText, soughtAsMarkdownMaxChars } from '../../../schema/markdown/matching.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import {
  firstOccurrence,
  occurrences,
  occurs,
  onlyOccurrence,
} from '../../../schema/occurrences.ts'
import { nearestIndexOf } from '../../../schema/plain-text.ts'
import { Chance } from '../../chance.ts'
import { pace, spentOn } from '../../pace.ts'
import { Tally } from '../../tally.ts'

const seed = 4

const textOf = (markdown: string) => DocumentText.of(parseMarkdown(markdown).children)

function naive(text: string, wanted: string): number[] {
  const found: number[] = []
  for (let at = 0; at + wanted.length <= text.length; at++) {
    if (text.slice(at, at + wanted.length) === wanted) found.push(at)
  }
  return found
}

test('long strings are found as stepping by one finds them', () => {
  const chance = new Chance(seed)
  const did = new Tally()
  for (let run = 0; run < 400; run++) {
    const unit = Array.from({ length: 1 + chance.below(5) }, () => chance.oneOf(['a', 'b'])).join(
      '',
    )
    const text = Array.from({ length: 3 }, () =>
      [unit.repeat(chance.below(400)), chance.oneOf(['', 'a', 'c'])].join(''),
    ).join('')
    const from = chance.below(text.length)
    const cut = text.slice(from, from + 190 + chance.below(300))
    const at = chance.below(cut.length)
    const wanted = chance.below(2) === 0 ? cut : `${cut.slice(0, at)}c${cut.slice(at)}`
    if (wanted === '') continue
    const found = [...occurrences(text, wanted)]
    assert.equal(found, naive(text, wanted), JSON.stringify({ text, wanted }))
    assert.is(occurs(text, wanted), found.length > 0)
    assert.is(firstOccurrence(text, wanted), found[0] ?? -1)
    assert.is(onlyOccurrence(text, wanted), found.length === 1 ? found[0] : undefined)
    const near = chance.below(text.length)
    const nearest = found.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))[0]
    assert.is(nearestIndexOf(text, wanted, near), nearest)
    did.add('hits', found.length)
  }
  did.tell(`${seed} long strings`, { hits: 1_000 })
})

test('what nearly stands everywhere costs what the text costs, whatever its length', () => {
  const letters = 1_000_000
  const text = textOf(`${'a'.repeat(letters)} ab ${'a'.repeat(letters)}\n`)
  findText(text, 'no such words')
  for (const length of [100, 260, 1_000, 4_000, 60_000]) {
    const wanted = `${'a'.repeat(length)}b${'a'.repeat(length)}`
    const spent = spentOn(() => assert.is(findText(text, wanted).total, 0))
    assert.ok(spent < 400 * pace(), `${length}: ${spent} ms`)
  }
})

test('the nearest of words that nearly stand everywhere is found in time that grows with the text', () => {
  const text = 'a'.repeat(2_000_000)
  for (const length of [100, 260, 4_000, 32_000]) {
    const words = `${'a'.repeat(length)}b${'a'.repeat(length)}`
    const spent = spentOn(() => assert.is(nearestIndexOf(text, words, 1_000_000), undefined))
    assert.ok(spent < 400 * pace(), `${length}: ${spent} ms`)
  }
})

test('what overlaps itself everywhere is counted and chosen without looking at each', () => {
  const letters = 2_000_000
  const text = textOf(`${'a'.repeat(letters)} a\\*b\n`)
  findText(text, 'no such words')
  const wanted = 'a'.repeat(1_000)
  let found = findText(textOf('a\n'), 'b')
  const spent = spentOn(() => {
    found = findText(text, wanted, { at: letters - 1_000 })
  })
  assert.is(found.total, letters - 999)
  assert.is(found.matches.length, 1_000)
  assert.equal(found.chosen, { from: letters - 1_000, to: letters })
  assert.ok(spent < 250 * pace(), `${spent} ms`)
})

test('an escape is chosen behind more hits than are listed', () => {
  const text = textOf(`${'\\* '.repeat(3_000)}end\n`)
  const markdown = text.toString()
  const at = markdown.lastIndexOf('\\*')
  const found = findText(text, '* ', { at })
  assert.is(found.total, 3_000)
  assert.equal(found.chosen, { from: at, to: at + 3 })
})

test('the searches of a request read so much as markdown and no more', () => {
  const text = textOf('some words\n')
  const reading = { left: soughtAsMarkdownMaxChars }
  const wanted = '[a'.repeat(8_000)
  for (let search = 0; search < 10; search++) findText(text, wanted, { reading })
  assert.ok(reading.left >= 0 && reading.left < wanted.length, `${reading.left}`)
  const spent = spentOn(() => findText(text, wanted, { reading }))
  assert.ok(spent < 20 * pace(), `${spent} ms`)
})

test.run()
