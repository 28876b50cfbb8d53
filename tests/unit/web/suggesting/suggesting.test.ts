/** What is suggested in the page, by example: what becomes of a change, and how it is quoted. */
import { setBlockType, splitBlock } from 'prosemirror-commands'
import { wrapInList } from 'prosemirror-schema-list'
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema as schema } from '../../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { redoOwn, undoOwn } from '../../../../web/editor/commands/own-undo.ts'
import { replaceAll } from '../../../../web/find/replace.ts'
import { Search } from '../../../../web/find/search.ts'
import { without } from '../../../../web/suggesting/draft.ts'
import { suggestedRangesOf } from '../../../../web/suggesting/suggested-ranges.ts'
import { regionsOf } from '../../../../web/threads/changed-words.ts'
import { renderedChanges } from '../../../../web/threads/rendered-changes.ts'
import { bothOn } from '../editor/binding/bound-pages.ts'
import type { PageWithoutDom } from '../editor/binding/page-without-dom.ts'
import { accepted, draftOf, isWhole, proposals, suggest, tell, textOf } from './suggesting-page.ts'

/** The position right behind words, which stand in one text. */
function behind(page: PageWithoutDom, words: string): number {
  let found = -1
  page.state.doc.descendants((node, pos) => {
    const at = node.text?.indexOf(words) ?? -1
    if (at >= 0 && found < 0) found = pos + at + words.length
  })
  assert.ok(found >= 0, `no ${words}`)
  return found
}

const type = (page: PageWithoutDom, after: string, text: string) =>
  page.dispatch(page.state.tr.insertText(text, behind(page, after)))

function erase(page: PageWithoutDom, words: string): void {
  const end = behind(page, words)
  page.dispatch(page.state.tr.delete(end - words.length, end))
}

function suggesting(markdown: string): readonly [PageWithoutDom, PageWithoutDom] {
  const both = bothOn(markdown)
  suggest(both[0])
  return both
}

const quotes = (page: PageWithoutDom) =>
  proposals(page).map(({ oldString, newString }) => `${oldString} → ${newString}`)

test('what is put in quotes the word beside it, what is taken away whole words', () => {
  const [ann] = suggesting('The quick fox.\n\nGone soon.\n\nA catnap.\n')
  type(ann, 'The ', 'very ')
  erase(ann, 'cat')
  const gone = behind(ann, 'Gone soon.')
  ann.dispatch(ann.state.tr.delete(gone - 'Gone soon.'.length - 1, gone + 1))
  assert.equal(quotes(ann), ['quick → very quick', 'fox.\n\nGone soon. → fox.', 'catnap. → nap.'])
  isWhole(ann)
})

test('what is replaced everywhere is a suggestion at each place', () => {
  const [ann] = suggesting('An old oak, an old elm.\n\nOld.\n')
  const search = new Search({ text: 'old', matchesCase: true, wholeWords: true })
  const by = { text: 'young', author: 'human:ann' }
  replaceAll(ann as unknown as EditorView, search.matchesIn(ann.state.doc), by)
  assert.equal(quotes(ann), ['old → young', 'old → young'])
  isWhole(ann)
})

test('changes that touch, and those in one word, are one; others are not', () => {
  const [ann] = suggesting('one two three four.\n')
  type(ann, 'two', 's')
  erase(ann, ' three')
  type(ann, 'fo', 'o')
  erase(ann, 'ur.')
  assert.equal(quotes(ann), ['two three → twos', 'four. → foo'])
})

test('words that stand twice are told by their place; markup makes the quote longer', () => {
  const [ann] = suggesting('same\n\nsame\n\n**same**\n')
  const second = behind(ann, 'same') + 'same'.length + 2
  ann.dispatch(ann.state.tr.insertText('!', second))
  const [one] = proposals(ann)
  assert.is(one?.oldString, 'same')
  assert.equal(one?.place, { from: second - 4, to: second })
})

test('a new paragraph hangs on the words before it', () => {
  const [ann] = suggesting('First.\n\nLast.\n')
  const at = behind(ann, 'First.')
  ann.dispatch(ann.state.tr.setSelection(TextSelection.create(ann.state.doc, at)))
  ann.run(splitBlock)
  ann.dispatch(ann.state.tr.insertText('Second.'))
  assert.equal(quotes(ann), ['First. → First.\n\nSecond.'])
  assert.is(draftOf(ann).changes.length, 1)
})

test('a list beside another of its kind is quoted with an item of that', () => {
  const [ann] = suggesting('- a\n- b\n\nEnd here.\n')
  const end = behind(ann, 'End')
  const inside = TextSelection.create(ann.state.doc, end)
  ann.dispatch(ann.state.tr.setSelection(inside))
  ann.run(wrapInList(schema.nodes.bullet_list))
  assert.equal(quotes(ann), ['- b\n\nEnd → - b\n\n* End'])
  const [one] = proposals(ann)
  assert.ok(one)
  const text = accepted(textOf(draftOf(ann).shared), one, one.from)
  assert.is(text.toString(), textOf(ann.state.doc).toString())
})

test('what begins a block of code and what ends it are one suggestion', () => {
  const [ann] = suggesting('One two\n')
  const at = behind(ann, 'One')
  ann.dispatch(ann.state.tr.setSelection(TextSelection.create(ann.state.doc, at)))
  ann.run(splitBlock)
  ann.run(setBlockType(schema.nodes.code_block))
  assert.is(draftOf(ann).changes.length, 2)
  assert.equal(quotes(ann), ['One two → One\n\n```\n two\n```'])
})

test('what was quoted is quoted again while one goes on in it', () => {
  const [ann] = suggesting('The quick brown fox.\n')
  type(ann, 'quick', 'er')
  const quoted = () => 'quick brown'
  const [one] = proposals(ann, quoted)
  assert.is(`${one?.oldString} → ${one?.newString}`, 'quick brown → quicker brown')
})

test('undo takes one’s own steps back, and redo brings them; neither writes', () => {
  const [ann] = suggesting('Words.\n')
  const { shared } = draftOf(ann)
  type(ann, 'Words', ' more')
  ann.runInView(undoOwn)
  assert.is(ann.state.doc.textContent, 'Words.')
  assert.equal(draftOf(ann).changes, [])
  ann.runInView(redoOwn)
  assert.is(ann.state.doc.textContent, 'Words more.')
  ann.runInView(undoOwn)
  ann.runInView(undoOwn)
  assert.is(draftOf(ann).shared, shared)
})

test('what somebody accepted is no draft any more, and stands there once', () => {
  const [ann, ben] = suggesting('The quick fox.\n')
  type(ann, 'The ', 'very ')
  type(ann, 'fox', 'y')
  type(ben, 'The ', 'very ')
  ben.sendTo(ann)
  assert.is(ann.state.doc.textContent, 'The very quick foxy.')
  assert.equal(draftOf(ann).done, [1])
  assert.equal(quotes(ann), ['fox. → foxy.'])
})

test('what one wrote on after it was told is a change of its own once the rest is accepted', () => {
  const [ann, ben] = suggesting('The quick fox, quick.\n')
  type(ann, 'The ', 'very ')
  tell(ann, [1])
  type(ann, 'very ', 'very ')
  erase(ann, 'quick')
  type(ben, 'The ', 'very ')
  ben.sendTo(ann)
  assert.is(ann.state.doc.textContent, 'The very very  fox, quick.')
  assert.equal(draftOf(ann).done, [1])
  assert.equal(quotes(ann), ['quick → very '])
  isWhole(ann)
  ann.runInView(undoOwn)
  assert.is(ann.state.doc.textContent, 'The very quick fox, quick.', 'it is taken back alone')
  isWhole(ann)
})

test('what one wrote on after it was told is kept as lost where the rest is no draft any more', () => {
  const [ann] = suggesting('The quick fox.\n')
  type(ann, 'The ', 'very ')
  type(ann, 'fox', 'y')
  tell(ann, [1, 2])
  type(ann, 'very ', 'very ')
  const { draft } = without(draftOf(ann), ann.state.doc, { ids: new Set([1, 2]) })
  assert.equal(draft.changes, [])
  assert.equal(
    draft.lost.map(({ slice }) => slice.content.textBetween(0, slice.size)),
    ['very very '],
  )
})

test('what stood where others deleted the block is lost, and said to be', () => {
  const [ann, ben] = suggesting('Stays.\n\nGoes.\n')
  type(ann, 'Goes', ' on')
  ben.dispatch(ben.state.tr.delete(8, ben.state.doc.content.size))
  ben.sendTo(ann)
  assert.is(ann.state.doc.textContent, 'Stays.')
  assert.is(draftOf(ann).lost[0]?.slice.content.textBetween(0, 3), ' on')
  isWhole(ann)
})

test('a deletion whose words others delete is no draft any more, and is not withdrawn', () => {
  const [ann, ben] = suggesting('Stays.\n\nThe quick fox.\n')
  erase(ann, 'quick')
  tell(ann, [1])
  ben.dispatch(ben.state.tr.delete(8, ben.state.doc.content.size))
  ben.sendTo(ann)
  assert.equal(draftOf(ann).changes, [])
  assert.equal(draftOf(ann).gone, [1])
  assert.equal(draftOf(ann).done, [], 'nobody accepted it')
  isWhole(ann)
})

test('a word that becomes another is struck whole; letters put in or taken away alone are not', () => {
  const shown = (old: string, now: string) =>
    regionsOf(old, now).map(
      ({ from, to, text }) => `${old.slice(0, from)}[${old.slice(from, to)}→${text}]`,
    )
  assert.equal(shown('The first visitors', 'Our first readers'), [
    '[The first visitors→Our first readers]',
  ])
  assert.equal(shown('an old house', 'an older house'), ['an old[→er]'])
  assert.equal(shown('colour, grey', 'color, gray'), ['[colour, grey→color, gray]'])
  assert.equal(shown('on 3 May', 'on 13 May'), ['on [→1]'])
  assert.equal(shown('Öl und Wein', 'Öle und Wasser'), ['Öl[→e]', 'Öl und [Wein→Wasser]'])
  assert.equal(
    shown('it stays a very long sentence, said Ann', 'he stays a very long sentence, said Ben'),
    ['[it→he]', 'it stays a very long sentence, said [Ann→Ben]'],
  )
})

test('a card shows what differs as the text does, beside as much as tells where that is', () => {
  const sign = { kept: '', gone: '-', come: '+' }
  const shown = (old: string, now: string) =>
    renderedChanges(old, now).map(({ is, runs }) => {
      const words = runs.map(({ text, looks }) => `${looks.map((look) => `<${look}>`)}${text}`)
      return `${sign[is]}${words.join('')}`
    })
  assert.equal(shown('first', 'first and some tea'), ['first', '+ and some tea'])
  assert.equal(shown('at noon', 'at one'), ['at ', '-noon', '+one'])
  assert.equal(shown('gone', ''), ['-gone'])
  assert.equal(shown('first of all', 'quite the first of all'), ['+quite the ', 'first of all'])
  assert.equal(shown('two', '**two**'), ['-two', '+<strong>two'])
  assert.equal(shown('on **May 3**', 'on **May 4**'), [
    'on <strong>May ',
    '-<strong>3',
    '+<strong>4',
  ])
  assert.equal(shown('a [b](http://c)', 'a [b](http://d)'), ['a ', '-<link>b', '+<link>b'])
  assert.equal(shown('- one\n- two', '- one\n- *two*'), ['• one\n• ', '-two', '+<em>two'])
  assert.equal(shown('Title', '## Title'), ['-Title', '+<heading>Title'])
  assert.equal(shown('same', 'same'), ['-same', '+same'])
  const long = 'so it goes on '.repeat(20)
  const [before, , after, ...more] = shown(`${long}noon ${long}`, `${long}one ${long}`)
  assert.is(before?.length, 41)
  assert.match(before ?? '', /^….* on $/)
  assert.is(after, '+one')
  assert.equal([more.length, more[0]?.length, more[0]?.at(-1)], [1, 41, '…'])
  const huge = 'word '.repeat(10_000)
  assert.equal(shown(huge, `${huge}more`), [`-${huge.trim()}`, `+${huge}more`])
})

test('what becomes a list, a table or a heading is told as such, of a list or table its parts', () => {
  /** The kinds of what goes and of what comes, where that is not told in words. */
  const told = (before: string, quote: string, now: string) => {
    const doc = parseMarkdown(before)
    const range = { from: 0, to: doc.content.size }
    const at = before.indexOf(quote)
    const whole = before.slice(0, at) + now + before.slice(at + quote.length)
    const [only, ...more] =
      suggestedRangesOf(doc, range, { oldString: before.trim(), newString: whole.trim() }) ?? []
    if (only?.blocks === undefined) return 'words'
    assert.equal(more, [])
    const gone = doc.textBetween(only.from, only.to, '|')
    return `${gone} → ${only.blocks.map(({ type, textContent }) => `${type.name} ${textContent}`)}`
  }
  const table = '| a | b |\n| --- | --- |\n| 1 | 2 |\n'
  assert.is(told('Tea.\n', 'Tea.', 'Tea.\n\n- one\n- two'), ' → bullet_list onetwo')
  assert.is(told('Tea.\n', 'Tea.', `Tea.\n\n${table}`), ' → table ab12')
  assert.is(told('Tea.\n', 'Tea.', '## Tea.'), 'Tea. → heading Tea.')
  assert.is(told('- one\n- two\n', 'two', 'two\n- three'), ' → list_item three')
  assert.is(told('- one\n- two\n', 'two', 'two\n  1. deep'), ' → ordered_list deep')
  assert.is(told(table, '| 1 | 2 |', '| 1 | 2 |\n| 3 | 4 |'), ' → table_row 34')
  assert.is(told(table, '| a |', '| a | x |'), 'words', 'what is no table any more')
  assert.is(told('- one\n- two\n', 'two', '2'), 'words')
  assert.is(told('Tea.\n', 'Tea.', 'Tea.\n\nMilk.'), 'words')
  assert.is(told(table, '1', '3'), 'words')
})

test.run()
