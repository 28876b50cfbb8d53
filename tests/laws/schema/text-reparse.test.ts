/**
 * The law of edits: a splice parsed locally gives the blocks that the full parse gives. Compared as
 * normalized: an old block that prints the same stays, whatever the parse leaves unprinted.
 */
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { spliceItems } from '../../../schema/markdown/item-window.ts'
import { normalize } from '../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { isSetext } from '../../../schema/markdown/spelling.ts'
import {
  type BlockSplice,
  spliceTextblock,
  type TextSplice,
} from '../../../schema/markdown/textblock-splice.ts'
import { reparseWindow } from '../../../schema/markdown/window.ts'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { randomDocument } from '../../unit/schema/markdown/text-corpus.ts'

const seed = Number(process.env['SEED'] ?? 1)
const runs = Number(process.env['RUNS'] ?? (process.env['LONG'] === undefined ? 300 : 50_000))

const nasty =
  'a|\n|\n\n|- |- x\n|1. |  |    |> |```\n|~~~|<div>\n|<!--|-->|---\n|===|# |*|**|`|<br />\n|\\|[|](u)' +
  '|* y|+ z\n|text|<script>|\n\n- q\n\n|\n\n2. q\n\n|---\nk: v\n---\n|\t|<b>| |&amp;|[ ] |https://x.y' +
  '|- - -|_|~~|\r|[x](y)|[q]: u\n| #|word|\n  |\n    '
const insertions = [...nasty.split('|'), '|', '| a | b |\n| - | - |\n', '', '']

function randomSplice(chance: Chance, length: number): TextSplice {
  const from = chance.below(length + 1)
  const reach = chance.happens(0.4) ? 0 : chance.below(chance.happens(0.3) ? 60 : 6)
  let insert = ''
  for (let count = chance.below(4); count > 0; count--) insert += chance.oneOf(insertions)
  return { from, to: Math.min(length, from + reach), insert }
}

/** A splice that probably stays in one line: what people and agents do most. */
function randomTextSplice(chance: Chance, text: DocumentText): TextSplice {
  const { segments } = text.printed(chance.below(text.blockCount))
  const index = chance.below(text.blockCount)
  const units = text.printed(index).segments
  if (segments.length === 0 || units.length === 0) return randomSplice(chance, text.length)
  const unit = chance.oneOf(units)
  const at = chance.below(unit.mdLength + 1)
  const removed = chance.happens(0.5) ? 0 : chance.below(5)
  const from = text.start(index) + unit.md + at
  const inserted = [chance.oneOf(insertions), chance.happens(0.3) ? chance.oneOf(insertions) : '']
  const insert = inserted.join('').replaceAll(/[\n\r\t]/g, '')
  return { from, to: Math.min(text.length, from + removed), insert }
}

function applied(text: DocumentText, splice: BlockSplice): Node[] {
  const nodes = Array.from({ length: text.blockCount }, (_, index) => text.node(index))
  return nodes.toSpliced(splice.from, splice.to - splice.from, ...splice.nodes)
}

function fullParse(text: DocumentText, { from, to, insert }: TextSplice): Node | undefined {
  const whole = text.toString()
  try {
    return parseMarkdown(whole.slice(0, from) + insert + whole.slice(to))
  } catch {
    return undefined
  }
}

function check(text: DocumentText, splice: TextSplice, tally: Tally): void {
  const told = `${JSON.stringify(text.toString())} ${JSON.stringify(splice)}`
  const full = fullParse(text, splice)
  if (!full) {
    tally.add('unparsable')
    return
  }
  const agree = (way: string, result: BlockSplice) => {
    const doc = documentSchema.topNodeType.create(null, applied(text, result))
    if (!normalize(doc).eq(normalize(full)))
      assert.unreachable(`${way}: ${told}\n ${doc}\n ${full}`)
  }
  const local = spliceTextblock(text, splice)
  if (local) {
    tally.add('local')
    agree('local', local)
    return
  }
  const items = spliceItems(text, splice)
  if (items) {
    tally.add('items')
    agree('items', items)
  }
  const window = reparseWindow(text, splice)
  tally.add('window')
  if (window.to - window.from > 1) tally.add('widened')
  for (let index = window.from; index < window.to; index++) {
    assert.ok(window.nodes.length === 0 || window.nodes[0] !== text.node(index), told)
  }
  agree('window', window)
}

test('random splices equal the full parse', () => {
  const chance = new Chance(seed)
  const tally = new Tally()
  for (let run = 0; run < runs; run++) {
    const text = DocumentText.of(randomDocument(chance, 8).children)
    check(text, randomSplice(chance, text.length), tally)
    check(text, randomTextSplice(chance, text), tally)
  }
  tally.tell(`${seed} reparse`, {
    local: runs / 5,
    items: 10,
    window: runs / 5,
    widened: 10,
  })
})

test('random splices of little behind front matter equal the full parse', () => {
  const chance = new Chance(seed + 2)
  const tally = new Tally()
  const behind = ['', '', 'word', '***', '- a', 'a\n\nb', '<br />\n\n<br />']
  for (let run = 0; run < runs / 2; run++) {
    const source = `---\nk: v\n---\n\n${chance.oneOf(behind)}\n`
    const text = DocumentText.of(parseMarkdown(source).children)
    check(text, randomSplice(chance, text.length), tally)
  }
  tally.tell(`${seed + 2} behind front matter`, { window: runs / 10 })
})

/** The same blocks with blanks and empty marks that do not print, as while somebody is typing. */
function typedIn(node: Node, chance: Chance): Node {
  if (node.isText && chance.happens(0.3)) {
    const said = `${chance.oneOf(['', ' ', '  '])}${node.text}${chance.oneOf(['', ' ', '  '])}`
    const marks = chance.happens(0.3)
      ? [documentSchema.mark(chance.oneOf(['em', 'strong']))]
      : node.marks
    return node.marks.some((mark) => mark.type.name === 'code')
      ? node
      : documentSchema.text(said, marks)
  }
  if (node.isLeaf || node.type.spec.code) return node
  return node.type.create(
    node.attrs,
    node.children.map((child) => typedIn(child, chance)),
    node.marks,
  )
}

/**
 * Printed without the spelling that new items and rows take from their place: the markers, numbers
 * and blank lines of a list, short rows.
 */
function placed(doc: Node): string {
  const bare = (node: Node, names: readonly string[]): Node => {
    const attrs = { ...node.attrs }
    for (const name of names) if (name in attrs) attrs[name] = null
    return node.type.create(attrs, node.content)
  }
  const within = (node: Node): Node => {
    if (node.inlineContent || node.isLeaf) return node
    const isItem = node.type.name === 'list_item'
    const children = node.children.map((child) => {
      const inner = within(child)
      return isItem ? bare(inner, ['gap']) : inner
    })
    const whole = node.type.create(node.attrs, children)
    if (node.type.name.endsWith('_list')) return bare(whole, ['spelling'])
    if (node.type.name === 'table_row') return bare(whole, ['spelling'])
    return isItem ? bare(whole, ['gap', 'spelling']) : whole
  }
  return printDocument(documentSchema.topNodeType.create(null, doc.children.map(within)))
}

/**
 * The same, without the blank line that a heading keeps that was underlined and is not any more
 * since somebody typed in it.
 */
function headed(markdown: string, nodes: readonly Node[]): string {
  const isStale = nodes.some((node) => isSetext(node) && !/\n/.test(aloneText(node)))
  return isStale ? markdown.replaceAll(/\n+(?=#)/g, '\n') : markdown
}

const aloneText = (node: Node): string =>
  printDocument(documentSchema.topNodeType.create(null, node)).trimEnd()

test('edits while somebody is typing print as the full parse does', () => {
  const chance = new Chance(seed + 1)
  const tally = new Tally()
  for (let run = 0; run < runs / 5; run++) {
    const nodes = randomDocument(chance, 6).children.map((node) => typedIn(node, chance))
    const text = DocumentText.of(nodes)
    for (const splice of [randomSplice(chance, text.length), randomTextSplice(chance, text)]) {
      const full = fullParse(text, splice)
      if (!full) continue
      const results = [spliceTextblock(text, splice), spliceItems(text, splice)]
      for (const result of [...results, reparseWindow(text, splice)]) {
        if (!result) continue
        const after = text.splice(result.from, result.to, result.nodes).toString()
        const wanted = printDocument(full)
        if (after !== wanted) {
          const told = `${JSON.stringify(text.toString())} ${JSON.stringify(splice)}`
          const [is, was] = [placed(parseMarkdown(after)), placed(full)]
          assert.is(headed(is, nodes), headed(was, nodes), told)
          tally.add('placed')
        }
        tally.add('compared')
      }
    }
  }
  tally.tell(`${seed + 1} typed in`, { compared: runs / 5 })
})

test('what looks local and is not', () => {
  const tally = new Tally()
  const cases: readonly (readonly [source: string, wanted: string, insert: string])[] = [
    ['- a\n\n* bc\n', 'bc', '**'],
    ['| a | b |\n| - | - |\n| c | d |\n', 'd', 'x | y'],
    ['| a | b |\n| - | - |\n| c\\|e | d |\n', '\\|', '|'],
    ['| a | b |\n| - | - |\n| c | d |\n', 'c', 'c\\'],
    ['a\n\n[x]\n', 'a', '[x]: y'],
    ['> a\n> b\n', 'b', '- b'],
    ['- [ ] a\n', 'a', ''],
    ['- a\n', 'a', '[x] a'],
    ['1. a\n\n   b\n', 'b', '```'],
    ['# a\n', 'a', '# a #'],
    ['a\n\nb\n', 'a', '---'],
    ['---\nk: v\n---\n\na\n', 'k: v', '- v'],
    ['a\n\nb\n\n---\n', 'a', '---\nk: v'],
    ['- a\n- b\n\nc\n\n- d\n', 'c', ''],
    ['- a\n\nb\n\n1. c\n', 'b', '  b'],
    ['<!-- x -->\n\na\n\nb\n', ' -->', ''],
    ['```\na\n```\n\nb\n\n```\nc\n```\n', 'a\n```', 'a'],
    ['a\n\nb\n', '\n\n', '\r\n\r\n'],
  ]
  for (const [source, wanted, insert] of cases) {
    const text = DocumentText.of(parseMarkdown(source).children)
    const from = text.toString().indexOf(wanted)
    assert.ok(from >= 0, text.toString())
    check(text, { from, to: from + wanted.length, insert }, tally)
  }
  const ways = ['window', 'local', 'unparsable'].map((way) => tally.of(way))
  assert.is(
    ways.reduce((sum, count) => sum + count),
    cases.length,
  )
  tally.tell('none named cases', { window: 1 })
})

test('items at the ends of a list, and what comes before and behind them', () => {
  const tally = new Tally()
  const behind = ['', '\n\nnext', '\n\n# next', '\n\n1. next', '\n\n```\nnext\n```']
  const added = ['\n- d', '\n- d\n- e', '\n\npara', '\n- d\n\n# head', '\n\n1. d', '\n\n- d']
  const odd = [
    '\n- ```\n  code',
    '\n- <!-- x',
    '\n  more',
    '\n\n  more',
    '\n* d',
    '\n---',
    '\n[x]: y',
  ]
  for (const next of behind) {
    for (const insert of [...added, ...odd]) {
      const text = DocumentText.of(parseMarkdown(`- a\n- b\n- c${next}\n`).children)
      const at = text.toString().indexOf('c') + 1
      check(text, { from: at, to: at, insert }, tally)
      check(text, { from: at - 4, to: at, insert: insert.slice(0, 4) }, tally)
    }
  }
  const before = ['', 'k\n\n', '# k\n\n', '* k\n\n', '1. k\n\n', '---\nk: v\n---\n\n']
  const led = [
    '- z\n',
    '- z\n- y\n',
    'z\n\n',
    '5. z\n',
    '  ',
    '---\nk: v\n---\n',
    '\n\n',
    '- z\n\n',
    '> ',
  ]
  for (const lead of before) {
    for (const list of ['- a\n- b\n- c\n', '3. a\n4. b\n5. c\n']) {
      const text = DocumentText.of(parseMarkdown(`${lead}${list}`).children)
      const at = text.toString().lastIndexOf('\n', text.toString().indexOf('a')) + 1
      for (const insert of [...led, ...added]) {
        check(text, { from: at, to: at, insert }, tally)
        check(text, { from: at, to: at + 1, insert: insert.replace('- ', '7. ') }, tally)
        check(text, { from: at, to: at + 4, insert }, tally)
      }
    }
  }
  tally.tell('none items', { items: 113 })
})

test('a list that is loose for the sake of one item stays so without it', () => {
  const { paragraph, list_item, bullet_list } = documentSchema.nodes
  const said = (text: string): Node => paragraph.create(null, documentSchema.text(text))
  const item = (...texts: string[]): Node => list_item.create(null, texts.map(said))
  const items = [item('a'), item('b'), item('x', 'y'), item('c'), item('d')]
  for (const row of [items, items.slice(0, 3)]) {
    const text = DocumentText.of([bullet_list.create({ tight: true }, row)])
    const md = text.toString()
    const to = row === items ? md.indexOf('- c') : md.length - 1
    const splice = { from: md.indexOf('- x'), to, insert: '' }
    const made = spliceItems(text, splice)
    assert.ok(made)
    const after = text.splice(made.from, made.to, made.nodes).toString()
    assert.is(after, printDocument(fullParse(text, splice) as Node))
  }
})

test.run()
