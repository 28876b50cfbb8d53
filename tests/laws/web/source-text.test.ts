/**
 * The source beside its document, without a browser: a keystroke changes what it means and nothing
 * else, drafts stay as they were typed, ids and authors stay with their text.
 */
import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema, identifiedTypes } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { rewrite } from '../../../web/editor/binding/rewrite.ts'
import { blockIds } from '../../../web/editor/own-changes/block-ids.ts'
import { SourceText } from '../../../web/source/source-text.ts'
import { Chance } from '../../chance.ts'
import { leastOf, pace } from '../../pace.ts'
import { Tally } from '../../tally.ts'

/** A source and an editor's document, as the page keeps them together. */
class Desk {
  state: EditorState
  held: string
  readonly source: SourceText

  constructor(markdown: string) {
    const plugins = [blockIds()]
    const empty = EditorState.create({ schema: documentSchema, plugins })
    const tr = empty.tr
    rewrite(tr, authored(parseMarkdown(markdown)))
    this.state = empty.apply(tr)
    this.source = new SourceText(this.state.doc)
    this.held = this.source.markdown
  }

  get doc(): Node {
    return this.state.doc
  }

  get ids(): (string | null)[] {
    return this.doc.children.map((node) => node.attrs['id'] as string | null)
  }

  type(from: number, to: number, insert: string): void {
    const { source } = this
    this.held = this.held.slice(0, from) + insert + this.held.slice(to)
    try {
      const target = source.edit({ from, to, end: from + insert.length }, this.held)
      const tr = this.state.tr
      rewrite(tr, target)
      this.state = this.state.apply(tr)
    } catch (error) {
      // A row with more cells than its table, for one: the page tells it, and keeps the text.
      if (!(error instanceof Refusal)) throw error
    }
    source.followEdit(this.doc, this.held)
    this.check()
  }

  /** Types behind these words. */
  behind(words: string, insert: string): void {
    const at = this.held.indexOf(words) + words.length
    for (const [index, char] of [...insert].entries()) this.type(at + index, at + index, char)
  }

  /** Somebody else makes the document say `markdown`, block by block. */
  remote(index: number, node: Node): void {
    const children = [...this.doc.children]
    const was = children[index]
    children[index] = node.type.create({ ...node.attrs, id: was?.attrs['id'] }, node.content)
    const tr = this.state.tr
    rewrite(tr, this.doc.type.create(null, children))
    this.state = this.state.apply(tr)
    this.apply(this.source.follow(this.doc))
    this.check()
  }

  /** Somebody else types, takes out or adds a block, at a place of chance. */
  another(chance: Chance): void {
    const { doc, tr } = this.state
    const index = chance.below(doc.childCount)
    let pos = 0
    for (let before = 0; before < index; before++) pos += doc.child(before).nodeSize
    const block = doc.child(index)
    switch (chance.below(4)) {
      case 0:
        if (doc.childCount > 2 && index > 0) tr.delete(pos, pos + block.nodeSize)
        break
      case 1: {
        const words = documentSchema.text('other words')
        tr.insert(pos + block.nodeSize, documentSchema.nodes.paragraph.create(null, words))
        break
      }
      case 2:
        if (block.type.name === 'paragraph')
          tr.insertText('o', pos + 1 + chance.below(block.content.size + 1))
        break
      default:
        if (block.isTextblock && block.content.size > 0) tr.delete(pos + 1, pos + 2)
    }
    this.state = this.state.apply(tr)
    this.apply(this.source.follow(this.doc))
    this.check()
  }

  apply(changes: readonly { from: number; to: number; insert: string }[]): void {
    for (const { from, to, insert } of changes) {
      this.held = this.held.slice(0, from) + insert + this.held.slice(to)
    }
  }

  settle(): void {
    const settled = this.source.settle()
    if (settled !== undefined) this.apply([settled])
    assert.is(this.held, this.source.markdown)
    this.check()
  }

  /** The held text is canonical but for the draft, and the document is valid. */
  check(): void {
    this.doc.check()
    assert.is(this.source.markdown, printDocument(this.doc))
    const { from, to } = this.source.draft ?? { from: 0, to: 0 }
    const { markdown } = this.source
    const tail = this.held.slice(to)
    assert.is(this.held.slice(0, from), markdown.slice(0, from))
    assert.is(tail, markdown.slice(markdown.length - tail.length))
    const ids: string[] = []
    this.doc.descendants((node) => {
      if (typeof node.attrs['id'] === 'string') ids.push(node.attrs['id'])
    })
    assert.is(new Set(ids).size, ids.length, 'ids are unique')
  }
}

/** All text by Quill, all blocks with ids. */
function authored(doc: Node): Node {
  const mark = documentSchema.marks.authored.create({ by: 'ai:quill' })
  let count = 0
  const withMark = (node: Node): Node => {
    if (node.isText) return node.mark(mark.addToSet(node.marks))
    const id = String(count++).padStart(16, '0')
    const attrs = identifiedTypes.has(node.type.name)
      ? { ...node.attrs, id: `bid_${id}` }
      : node.attrs
    return node.type.create(attrs, node.children.map(withMark))
  }
  return withMark(doc)
}

const byQuill = (doc: Node): string => {
  let text = ''
  doc.descendants((node) => {
    if (node.isText && node.marks.some(({ attrs }) => attrs['by'] === 'ai:quill')) text += node.text
  })
  return text
}

const plan = '# Plan\n\nWe meet on Monday.\n\n- pens\n- charts\n\nThe end.\n'

test('typing in a paragraph changes that paragraph and keeps its id and authors', () => {
  const suggestions = new Desk(plan)
  const before = suggestions.doc.children
  const { ids } = suggestions
  suggestions.behind('Monday', ' morning')
  assert.is(suggestions.doc.child(1).textContent, 'We meet on Monday morning.')
  assert.is(suggestions.source.draft, undefined)
  assert.equal(suggestions.ids, ids)
  for (const index of [0, 2, 3]) assert.is(suggestions.doc.child(index), before[index])
  assert.is(byQuill(suggestions.doc.child(1)), 'We meet on Monday.')
})

test('half-typed marks stay as typed, and mean what they mean so far', () => {
  const suggestions = new Desk(plan)
  suggestions.behind('meet on ', '**')
  assert.ok(suggestions.held.includes('meet on **Monday.'))
  assert.is(suggestions.doc.child(1).textContent, 'We meet on **Monday.')
  suggestions.behind('**Monday', '**')
  assert.ok(suggestions.held.includes('meet on **Monday**.'))
  assert.is(suggestions.source.draft, undefined)
  assert.is(suggestions.doc.child(1).textContent, 'We meet on Monday.')
  assert.is(byQuill(suggestions.doc.child(1)), 'We meet on Monday.')
})

test('a draft that reads back stays as it is written when it is settled', () => {
  const suggestions = new Desk(plan)
  suggestions.behind('meet on ', '**')
  suggestions.settle()
  assert.ok(suggestions.held.includes('meet on **Monday.'))
  assert.is(suggestions.source.draft, undefined)
  suggestions.behind('The end.', '   ')
  assert.ok(suggestions.held.endsWith('The end.   \n'))
  suggestions.settle()
  assert.ok(suggestions.held.endsWith('The end.   \n'))
})

test('a fence that nothing closes takes nothing of what is behind it', () => {
  const suggestions = new Desk(plan)
  const { ids } = suggestions
  suggestions.behind('# Plan\n\n', '```js\n')
  assert.is(suggestions.doc.childCount, 4)
  assert.is(suggestions.doc.child(1).type.name, 'code_block')
  assert.equal(suggestions.ids.slice(2), ids.slice(2))
  assert.ok(suggestions.held.startsWith('# Plan\n\n```js\nWe meet on Monday.\n\n- pens'))
  suggestions.settle()
  assert.ok(suggestions.held.startsWith('# Plan\n\n```js\nWe meet on Monday.\n```\n\n- pens'))
  assert.is(byQuill(suggestions.doc.child(1)), 'We meet on Monday.')
})

test('a paragraph that becomes a heading or an item keeps its id and its authors', () => {
  const suggestions = new Desk(plan)
  const id = suggestions.ids[1]
  suggestions.behind('# Plan\n\n', '## ')
  assert.is(suggestions.doc.child(1).type.name, 'heading')
  assert.is(suggestions.ids[1], id)
  assert.is(byQuill(suggestions.doc.child(1)), 'We meet on Monday.')
  const from = suggestions.held.indexOf('## We')
  suggestions.type(from, from + 3, '1. ')
  const list = suggestions.doc.child(1)
  assert.is(list.type.name, 'ordered_list')
  assert.is(byQuill(list), 'We meet on Monday.')
})

test('an item and a task are typed into a list; the others keep their ids', () => {
  const suggestions = new Desk(plan)
  const items = suggestions.doc.child(2).children.map(({ attrs }) => attrs['id'])
  suggestions.behind('- pens', '\n- [ ] paper')
  const list = suggestions.doc.child(2)
  assert.is(list.childCount, 3)
  assert.is(list.child(1).attrs['checked'], false)
  assert.equal(
    [list.child(0), list.child(2)].map(({ attrs }) => attrs['id']),
    items,
  )
})

test('a new paragraph, and one that goes', () => {
  const suggestions = new Desk(plan)
  const { ids } = suggestions
  suggestions.behind('Monday.', '\n\nOr later.')
  assert.is(suggestions.doc.childCount, 5)
  assert.is(suggestions.doc.child(2).textContent, 'Or later.')
  const from = suggestions.held.indexOf('Or later.')
  suggestions.type(from, from + 'Or later.\n\n'.length, '')
  assert.equal(suggestions.ids, ids)
})

test('others’ changes reach the source around a draft; one in its midst settles it', () => {
  const suggestions = new Desk(plan)
  suggestions.behind('meet on ', '**')
  suggestions.remote(0, parseMarkdown('# The plan\n').child(0))
  assert.ok(suggestions.held.startsWith('# The plan\n\nWe meet on **Monday.'))
  suggestions.remote(3, parseMarkdown('The very end.\n').child(0))
  assert.ok(suggestions.held.includes('meet on **Monday.'))
  assert.ok(suggestions.held.endsWith('The very end.\n'))
  suggestions.remote(1, parseMarkdown('Gone.\n').child(0))
  assert.ok(!suggestions.held.includes('**'))
  suggestions.settle()
})

test('whatever is typed, the source stays its document but for the draft', () => {
  const seed = Number(process.env['SEED'] ?? 7)
  const chance = new Chance(seed)
  const bits = [
    'a',
    ' ',
    '\n',
    '\n\n',
    '**',
    '*',
    '`',
    '```\n',
    '# ',
    '- ',
    '1. ',
    '> ',
    '[x](y)',
    '|',
    '| a | b |\n| - | - |\n',
    '- [ ] ',
    '\\',
    '<!-- c -->',
    '---\n',
    '  ',
    '~~',
    'é',
    '😀',
    '[q]: z\n',
  ]
  const docs = [
    plan,
    '',
    '> quote\n>\n> - a\n> - b\n',
    '| a | b |\n| --- | --- |\n| c | d |\n',
    '---\ntitle: x\n---\n\nText\n',
    '1. a\n2. b\n\n   c\n\n* d\n',
    '```js\nx\n```\n\n<div>\nhi\n</div>\n',
  ]
  const did = new Tally()
  for (let round = 0; round < 120; round++) {
    const suggestions = new Desk(docs[round % docs.length] ?? '')
    for (let step = 0; step < 12; step++) {
      const from = chance.below(suggestions.held.length + 1)
      const to = Math.min(
        suggestions.held.length,
        from + (chance.below(3) === 0 ? chance.below(6) : 0),
      )
      suggestions.type(from, to, bits[chance.below(bits.length)] ?? 'a')
      did.add('edits')
      if (suggestions.held !== printDocument(suggestions.doc)) did.add('drafts')
      if (chance.below(4) === 0) suggestions.settle()
      if (chance.below(3) === 0) suggestions.another(chance)
    }
    suggestions.settle()
  }
  did.tell(`${seed} source`, { edits: 1_440, drafts: 100 })
})

test('a keystroke in a megabyte takes less than 50 ms', () => {
  const markdown = Array.from(
    { length: 10_000 },
    (_, n) => `Paragraph ${n} ${'word '.repeat(18)}end.\n`,
  )
  const suggestions = new Desk(markdown.join('\n'))
  const at = suggestions.held.indexOf('Paragraph 5000 ')
  const least = leastOf(8, () => {
    const held = `${suggestions.held.slice(0, at)}x${suggestions.held.slice(at)}`
    suggestions.held = held
    const target = suggestions.source.edit({ from: at, to: at, end: at + 1 }, held)
    const tr = suggestions.state.tr
    rewrite(tr, target)
    suggestions.state = suggestions.state.apply(tr)
    suggestions.source.followEdit(suggestions.doc, held)
  })
  console.log(`source keystroke at 1 MB: ${least.toFixed(1)} ms`)
  assert.ok(least < 50 * pace(), `${least} ms`)
})

test.run()
