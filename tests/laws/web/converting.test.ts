/**
 * The laws of turning blocks into another kind, on random documents and selections: every selected
 * text block takes the kind, in order, with its words, their authors and its id; what is not
 * selected stays; markdown says what came of it; and one step of undo brings all of it back.
 */
import fc from 'fast-check'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { AllSelection, EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { redo, undo } from 'y-prosemirror'
import { identifiedTypes, documentSchema as schema } from '../../../schema/document-schema.ts'
import { normalize } from '../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { blockKinds } from '../../../web/editor/commands/block-kinds.ts'
import { convert, toggle } from '../../../web/editor/commands/convert.ts'
import { asUndoStep } from '../../../web/editor/commands/undo-step.ts'
import { Tally } from '../../tally.ts'
import { agrees, documentUpdate } from '../../unit/web/editor/binding/bound-pages.ts'
import { PageWithoutDom } from '../../unit/web/editor/binding/page-without-dom.ts'
import { identified, run } from '../../unit/web/editor/commands/tools-desk.ts'

const { nodes, marks } = schema
const numRuns = process.env['LONG'] === undefined ? 100 : 30_000
const kinds = blockKinds.map(({ name }) => name)
const listKinds = ['bullet', 'ordered', 'task'] as const
type Kind = (typeof kinds)[number]

/** Each text block gets a word of its own, so that it is known again. */
const texts = [
  '@',
  '@ **bold** and *more*',
  '@ [link](https://x.y) `code`',
  '@ one\\\ntwo',
  '@ a\nb',
]
const indented = (markdown: string, by: string) => markdown.replace(/\n(?!\n)/g, `\n${by}`)

const { blocks } = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { arbitrary: fc.constantFrom(...texts), weight: 6 },
    { arbitrary: fc.constantFrom('# @', '### @ *em*', '@ ![pic](p.png) end', '<br />'), weight: 2 },
    { arbitrary: fc.constantFrom('```js\n@ let a\n\n  @ b\n```', '```\n@\n```'), weight: 2 },
    { arbitrary: fc.constantFrom('---', '| a | b |\n| --- | --- |\n| c | d |'), weight: 1 },
    { arbitrary: fc.constant('<div>\nraw\n</div>'), weight: 1 },
    { arbitrary: tie('blocks').map((inner) => `> ${inner.replaceAll('\n', '\n> ')}`), weight: 3 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('- ', '1. ', '7. ', '- [ ] ', '- [x] ', '1. [ ] '),
          fc.array(tie('blocks'), { minLength: 1, maxLength: 4 }),
        )
        .map(([mark, items]) => {
          const by = ' '.repeat(mark.startsWith('-') ? 2 : 3)
          return items.map((item) => mark + indented(item, by)).join('\n')
        }),
      weight: 6,
    },
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n\n')),
}))

const documents = fc
  .tuple(fc.boolean(), fc.array(blocks, { minLength: 1, maxLength: 3 }))
  .map(([hasFront, parts]) => {
    let count = 0
    const text = parts.join('\n\n').replaceAll('@', () => `w${count++}w`)
    return (hasFront ? '---\ntitle: x\n---\n\n' : '') + text
  })

/** As it is stored: every text has an author, of two who take turns. */
function authored(doc: Node): Node {
  let count = 0
  const visit = (node: Node): Node => {
    if (node.isText) return node.mark(markOf(count++).addToSet(node.marks))
    return node.isLeaf ? node : node.copy(Fragment.fromArray(node.children.map(visit)))
  }
  return visit(doc)
}

const markOf = (count: number): Mark =>
  marks.authored.create({ by: count % 2 === 0 ? 'human:ann' : 'ai:quill' })

/** What is stored and printed reads back so: a first reading may still change some of it. */
const documentOf = (markdown: string): Node =>
  authored(identified(parseMarkdown(printDocument(parseMarkdown(markdown)))))

interface Place {
  readonly how: number
  readonly from: number
  readonly to: number
}

const share = () => fc.noBias(fc.integer({ min: 0, max: 999 })).map((part) => part / 1000)
const places = fc.record({ how: share(), from: share(), to: share() })

function selected(doc: Node, { how, from, to }: Place): EditorState {
  const state = EditorState.create({ doc, schema })
  const at = (part: number) => doc.resolve(Math.floor(part * doc.content.size))
  if (how > 0.85) return state.apply(state.tr.setSelection(new AllSelection(doc)))
  const $from = at(from)
  const { nodeAfter } = $from
  if (how > 0.7 && nodeAfter !== null && NodeSelection.isSelectable(nodeAfter)) {
    return state.apply(state.tr.setSelection(NodeSelection.create(doc, $from.pos)))
  }
  return state.apply(
    state.tr.setSelection(TextSelection.between($from, how > 0.4 ? at(to) : $from)),
  )
}

/** A block that holds no others, what is around it, and whether it is selected. */
interface Leaf {
  readonly node: Node
  readonly path: readonly Node[]
  readonly isSelected: boolean
}

function leavesOf(doc: Node, { from, to }: { from: number; to: number } = { from: 0, to: 0 }) {
  const leaves: Leaf[] = []
  const visit = (parent: Node, start: number, path: readonly Node[]) => {
    parent.forEach((node, offset) => {
      const [pos, end] = [start + offset, start + offset + node.nodeSize]
      const isFront = node.type === nodes.front_matter
      const isLeaf = node.isTextblock || node.isLeaf || node.type === nodes.table
      const isWithinTable = node.type === nodes.table && from > pos && to < end
      const isSelected = !isFront && !isWithinTable && pos < to && from < end
      if (isLeaf) leaves.push({ node, path, isSelected })
      else visit(node, pos + 1, [...path, node])
    })
  }
  visit(doc, 0, [])
  return leaves
}

const nameOf = ({ node }: Leaf): string => /w\d+w/.exec(node.textContent)?.[0] ?? ''
const isList = ({ type }: Node) => type === nodes.bullet_list || type === nodes.ordered_list
const isQuote = ({ type }: Node) => type === nodes.blockquote

/** The kind of the item that a block stands in, if no quote is between. */
function itemKind({ path }: Leaf): string | undefined {
  const [list, item] = path.slice(-2)
  if (item?.type !== nodes.list_item || list === undefined) return undefined
  if (item.attrs['checked'] !== null) return 'task'
  return list.type === nodes.ordered_list ? 'ordered' : 'bullet'
}

/** A block that is selected has become of the kind; boxes stand before paragraphs alone. */
function isOf(leaf: Leaf, kind: Kind): boolean {
  const { node, path } = leaf
  const own = path.slice(path.findLastIndex(isQuote) + 1)
  if (kind === 'text') return node.type === nodes.paragraph && path.length === 0
  if (kind === 'quote') return path.some(isQuote)
  if (kind === 'code') return node.type === nodes.code_block
  if (kind.startsWith('heading')) {
    return (
      node.type === nodes.heading && `heading-${node.attrs['level']}` === kind && !own.some(isList)
    )
  }
  if (kind === 'task' && path.at(-1)?.firstChild?.type !== nodes.paragraph) return true
  return itemKind(leaf) === kind
}

/** Everything that is written, as code would write it, one block after the other. */
const writtenIn = (doc: Node): string =>
  doc
    .textBetween(0, doc.content.size, '\n', ({ type, attrs }) =>
      type === nodes.image ? `![${attrs['alt']}](${attrs['src']})` : (attrs['source'] ?? '\n'),
    )
    .replace(/\s+/g, ' ')
    .trim()

/** Each character of text that has an author, with the author. */
function authorsOf(doc: Node): string {
  let all = ''
  doc.descendants((node) => {
    const by = marks.authored.isInSet(node.marks)?.attrs['by'] as string | undefined
    if (by !== undefined) all += (node.text ?? '').replace(/\s/g, '').replace(/./g, `$&${by[0]}`)
  })
  return all
}

const selectedText = ({ doc, selection: { from, to } }: EditorState): string =>
  doc.textBetween(from, to, ' ', ' ').replace(/\s+/g, ' ').trim()

function readsBack(doc: Node): void {
  assert.ok(
    doc.children.every((block) => repairBlock(block) === block),
    'nothing is to be repaired',
  )
  const markdown = printDocument(doc)
  const read = parseMarkdown(markdown)
  assert.ok(normalize(read).eq(normalize(doc)), `reads back:\n${markdown}\n${doc}`)
  assert.is(printDocument(read), markdown)
}

/** A new list stands beside no other that it could be one with. */
function nothingToJoin(doc: Node): void {
  doc.descendants((node) => {
    node.children.forEach((child, index) => {
      const next = node.maybeChild(index + 1)
      const isNew = child.attrs['id'] === null || next?.attrs['id'] === null
      assert.not(isList(child) && next?.type === child.type && isNew, 'two lists that are one')
    })
    return !node.isTextblock
  })
}

function judge(before: EditorState, after: EditorState, kind: Kind): void {
  const old = leavesOf(before.doc, before.selection)
  const now = leavesOf(after.doc)
  const named = new Map(now.map((leaf) => [nameOf(leaf), leaf]))
  assert.is(writtenIn(after.doc), writtenIn(before.doc))
  assert.is(authorsOf(after.doc), authorsOf(before.doc))
  for (const leaf of old) {
    const { node, path } = leaf
    const name = nameOf(leaf)
    if (leaf.isSelected && node.isTextblock) {
      const became =
        named.get(name) ?? now.find(({ node: other }) => other.textContent.includes(name))
      assert.ok(became, `${name} is there`)
      if (name !== '') assert.ok(isOf(became, kind), `${name} is of the kind: ${after.doc}`)
      const isFirst = name !== '' && node.textContent.split('\n')[0]?.includes(name)
      if (isFirst && kind !== 'code') assert.is(became.node.attrs['id'], node.attrs['id'])
      continue
    }
    const same = now.filter(({ node: other }) => other.eq(node))
    assert.is(same.length, 1, `${node} is there once, and the same`)
    const [stayed] = same
    assert.ok(stayed)
    if (leaf.isSelected) continue
    const deep = stayed.path.length - path.length
    if (kind === 'quote') assert.ok(deep === 0 || deep === 1)
    else if (listKinds.some((list) => list === kind)) assert.is(deep, 0)
    else assert.ok(deep <= 0)
  }
  const codes = new Set(
    old.filter(({ isSelected }) => isSelected).map(({ node }) => node.attrs['id']),
  )
  if (kind === 'code') {
    const fresh = now.filter(({ node }) => !old.some((leaf) => leaf.node.eq(node)))
    for (const { node } of fresh) assert.ok(codes.has(node.attrs['id']), 'code keeps an id')
  }
  if (before.selection instanceof TextSelection) {
    if (kind !== 'code') assert.is(selectedText(after), selectedText(before))
    assert.ok(after.selection instanceof TextSelection)
  }
}

test('every selected block takes the kind, and nothing else is touched', () => {
  const seed = 61
  const tally = new Tally()
  const law = fc.property(documents, places, fc.constantFrom(...kinds), (markdown, place, kind) => {
    const before = selected(documentOf(markdown), place)
    const after = run(before, convert(kind))
    readsBack(before.doc)
    if (after.doc === before.doc) return
    tally.add(kind)
    tally.add(
      'blocks',
      leavesOf(before.doc, before.selection).filter((leaf) => leaf.isSelected).length,
    )
    judge(before, after, kind)
    readsBack(after.doc)
    if (listKinds.some((list) => list === kind)) nothingToJoin(after.doc)
    assert.not(convert(kind)(after), 'a second time there is nothing to do')
  })
  fc.assert(law, { seed, numRuns, includeErrorInReport: true })
  tally.tell(`${seed} conversions`, Object.fromEntries(kinds.map((kind) => [kind, numRuns / 40])))
})

/**
 * As far as lists of another kind can say it: no checked boxes, no first number, no
 * markers, no blank lines of its own.
 */
function comparable(node: Node): Node {
  if (node.isInline) return node
  const attrs: Record<string, unknown> = { ...node.attrs }
  if ('gap' in attrs) attrs['gap'] = null
  if (node.isTextblock || node.isLeaf) return node.type.create(attrs, node.content)
  if (attrs['order'] !== undefined) attrs['order'] = 1
  if (attrs['checked'] === true) attrs['checked'] = false
  if (node.type.name.endsWith('_list') || node.type === nodes.list_item) attrs['spelling'] = null
  return node.type.create(attrs, node.children.map(comparable))
}

test('a list of another kind becomes again what it was, and so does what was quoted', () => {
  const seed = 62
  const tally = new Tally()
  const to = fc.constantFrom(...listKinds)
  const law = fc.property(documents, places, to, (markdown, place, other) => {
    const before = selected(documentOf(markdown), place)
    const leaves = leavesOf(before.doc, before.selection).filter(({ isSelected }) => isSelected)
    if (leaves.length === 0) return
    if (!leaves.some(({ path }) => path.some(isQuote))) {
      const quoted = run(before, convert('quote'))
      const again = run(quoted, toggle('quote'))
      assert.ok(again.doc.eq(before.doc), `${before.doc}\n${quoted.doc}\n${again.doc}`)
      assert.is(selectedText(again), selectedText(before))
      tally.add('quoted')
    }
    const [own] = leaves.map(itemKind)
    const kind = listKinds.find((name) => name === own)
    const isOne = leaves.every((leaf) => itemKind(leaf) === kind)
    const types = new Set(leaves.map(({ path }) => path.at(-2)?.type))
    const isPlain = leaves.every(({ node }) => node.type === nodes.paragraph)
    const isMixed = ({ path }: Leaf) =>
      path.at(-2)?.type === nodes.ordered_list ||
      path.at(-2)?.children.some(({ attrs }) => attrs['checked'] === null)
    const isNumbered = kind === 'task' && leaves.some(isMixed)
    if (kind === undefined || !isOne || types.size > 1 || isNumbered || !isPlain) return
    const back = run(run(before, convert(other)), convert(kind))
    assert.ok(comparable(back.doc).eq(comparable(before.doc)), `${before.doc}\n${back.doc}`)
    if (other !== kind) tally.add(`${kind} and back`)
    const free = run(before, toggle(kind))
    for (const leaf of leaves) {
      const left = leavesOf(free.doc).find(({ node }) => node.eq(leaf.node))
      assert.is(left && itemKind(left), undefined, 'its own key takes the list away')
    }
  })
  fc.assert(law, { seed, numRuns, includeErrorInReport: true })
  const least = Object.fromEntries(listKinds.map((kind) => [`${kind} and back`, numRuns / 200]))
  tally.tell(`${seed} back and forth`, { ...least, quoted: numRuns / 10 })
})

const asCommand = (change: (state: never) => boolean) => (state: unknown) => change(state as never)

test('in the shared document it is one step of undo, and every block has an id', () => {
  const seed = 63
  const tally = new Tally()
  const doors = fc.constantFrom(convert, toggle)
  const law = fc.property(
    documents,
    places,
    fc.constantFrom(...kinds),
    doors,
    (text, place, kind, door) => {
      const page = new PageWithoutDom({ actor: 'human:ann', from: documentUpdate(text) })
      const first = page.state.doc
      const { selection } = selected(first, place)
      page.dispatch(page.state.tr.setSelection(selection))
      page.run(asUndoStep(door(kind)))
      const then = page.state.doc
      agrees(page)
      const ids: string[] = []
      then.descendants((node) => {
        if (identifiedTypes.has(node.type.name)) ids.push(String(node.attrs['id']))
      })
      assert.not(ids.includes('null'))
      assert.is(new Set(ids).size, ids.length, 'an id stands twice')
      if (!then.eq(first)) {
        page.run(asCommand(undo))
        assert.ok(page.state.doc.eq(first), `${first}\n${page.state.doc}`)
        page.run(asCommand(redo))
        assert.ok(page.state.doc.eq(then))
        tally.add('undone')
      }
      page.close()
    },
  )
  fc.assert(law, { seed, numRuns: numRuns / 5, includeErrorInReport: true })
  tally.tell(`${seed} undo`, { undone: numRuns / 10 })
})

test.run()
