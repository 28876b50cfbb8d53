/** Search in lines (interface §4.12). */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bm25, searchText, searchWords, wordsOf } from '../../../../core/text/line-search.ts'
import { limits } from '../../../../schema/limits.ts'

const search = { matchesMax: 20, context: 0 }
const inText = (markdown: string, text: string, ignoreCase = false, bounds = search) =>
  searchText(markdown, { text, ignoreCase }, bounds).matches
const ofWords = (markdown: string, query: string, bounds = search) =>
  searchWords(markdown, wordsOf(query), bounds)

test('a line is found once, at its first match, with the lines around it', () => {
  const markdown = 'one\ntwo two\n\nthree\ntwo'
  assert.equal(inText(markdown, 'two', false, { matchesMax: 20, context: 2 }), [
    { line: 2, column: 1, text: 'two two', before: ['one'], after: ['', 'three'] },
    { line: 5, column: 1, text: 'two', before: ['', 'three'], after: [] },
  ])
  assert.equal(
    inText(markdown, 't', false, { matchesMax: 2, context: 0 }).map(({ line }) => line),
    [2, 4],
  )
})

test('of a long line what is around the match is shown, whole characters of it', () => {
  const line = `${'\u{1f600}'.repeat(1_000)}needle${'\u{1f600}'.repeat(1_000)}`
  const [match] = inText(`${line}\n`, 'needle')
  assert.is(match?.column, 2_001)
  assert.ok(match?.text.includes('needle'))
  assert.ok((match?.text.length ?? 0) <= limits.searchTextMaxChars)
  assert.ok(match?.text.isWellFormed())
})

test('a letter with its mark is found however it is put together; columns are of the text as it is', () => {
  const [composed, apart] = ['Se\u00f1or caf\u00e9 ole', 'Sen\u0303or cafe\u0301 ole']
  const columns = (markdown: string, text: string, ignoreCase = false) =>
    inText(markdown, text, ignoreCase).map(({ column }) => column)
  assert.equal(columns(apart, 'caf\u00e9'), [8])
  assert.equal(columns(composed, 'cafe\u0301'), [7])
  assert.equal(columns(apart, 'CAF\u00c9', true), [8])
  assert.equal(columns(`x\n${apart}`, 'ole'), [14])
  assert.equal(columns('\u1112\u1161\u11ab\u1100\u1173\u11af', '\uae00'), [4])
  assert.equal(columns(`e${'\u0301'.repeat(5_000)} caf\u0065\u0301`, 'caf\u00e9'), [], 'piled')
})

test('whatever is looked for in one form is found in the other, where it stands', () => {
  const letters = fc.constantFrom('a', 'e', ' ', '\u00e9', '\u00f1', '\u1ec7', '\ud55c', '\uae00')
  const word = fc.array(letters, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
  fc.assert(
    fc.property(word, word, word, (before, wanted, behind) => {
      // Nothing before it reads the same.
      const line = `${before}<${wanted}>${behind}`
      for (const [text, query] of [
        [line.normalize('NFD'), `<${wanted}>`],
        [line, `<${wanted}>`.normalize('NFD')],
      ] as const) {
        const [found] = inText(text, query)
        assert.is(found?.column, text.indexOf('<') + 1)
      }
    }),
    { seed: 4, numRuns: 500 },
  )
})

test('signs of patterns stand for themselves', () => {
  for (const text of ['a.b', '[x]', '(', 'a-b', '\\', '^$', 'a|b', '{2}', '/', '+?*']) {
    assert.equal(
      inText(`no\n${text}!\naxb`, text, true).map(({ line, column }) => [line, column]),
      [[2, 1]],
      text,
    )
  }
})

test('any word of the query is found, whole and folded, the lines with most of them first', () => {
  const markdown = 'Straße\nrain\nsnow and RAIN\nsnowy\nÉTÉ'
  assert.equal(
    ofWords(markdown, 'Rain, snow').matches.map(({ line }) => line),
    [2, 3],
  )
  const one = { matchesMax: 1, context: 0 }
  assert.equal(
    ofWords(markdown, 'rain snow', one).matches.map(({ line, column }) => [line, column]),
    [[3, 1]],
  )
  assert.equal(
    ofWords(markdown, 'e\u0301te\u0301').matches.map(({ line }) => line),
    [5],
  )
  assert.equal([...ofWords(markdown, 'rain').counts], [['rain', 2]])
  assert.is(wordsOf('+ - !').size, 0)
})

test('a rare word weighs more than a common one, a short text more than a long one', () => {
  const texts = ['rain rain', 'rain snow', `rain ${'x '.repeat(200)}`, 'rain']
  const [, snow, long, short] = bm25(texts.map((text) => ofWords(text, 'rain snow')))
  assert.ok((snow ?? 0) > (short ?? 0))
  assert.ok((short ?? 0) > (long ?? 0))
})

test('letters without case are as long as with it', () => {
  const found = (line: string, text: string) => inText(line, text, true)[0]?.column
  assert.is(found('\u0130\u0130 x', 'X'), 4)
  assert.is(found('ΟΔΟΣ.', 'οδος'), 1)
  assert.is(found('ΟΔΟΣΑ', 'οδοσ'), 1)
})

test('what is piled on one letter, or stands in one line, costs what it is long', () => {
  const pile = `a${'\u0301'.repeat(100_000)}${'\u0327'.repeat(100_000)}`
  const line = 'a'.repeat(2_000_000)
  const before = process.cpuUsage()
  ofWords(pile, 'a')
  assert.is(ofWords(`${pile} b`, 'b').matches.length, 1)
  assert.equal(inText(line, `${'a'.repeat(499)}b`, true), [])
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1000 < 1_000, `${(user + system) / 1000} ms`)
})

const seed = 20_261_129
test('what is found is what a look at each line finds', () => {
  let matches = 0
  const text = fc.stringMatching(/^[ab\nB.]{0,60}$/)
  const query = fc.stringMatching(/^[abB.]{1,3}$/)
  const property = fc.property(text, query, fc.boolean(), (markdown, wanted, ignoreCase) => {
    const fold = (one: string) => (ignoreCase ? one.toLowerCase() : one)
    const expected = markdown.split('\n').flatMap((line, index) => {
      const at = fold(line).indexOf(fold(wanted))
      return at === -1 ? [] : [[index + 1, at + 1, line]]
    })
    const found = inText(markdown, wanted, ignoreCase, { matchesMax: 99, context: 0 })
    matches += found.length
    assert.equal(
      found.map(({ line, column, text }) => [line, column, text]),
      expected,
    )
  })
  fc.assert(property, { seed, numRuns: 500 })
  console.log(`\nseed ${seed} lines: ${matches} matches`)
  assert.ok(matches > 100)
})

test.run()
