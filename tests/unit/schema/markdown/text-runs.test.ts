/** Authorship runs: they cover everything, are merged, and agree with a naive colouring. */

import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { unattributed } from '../../../../schema/ids.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { AuthorRun } from '../../../../schema/markdown/runs.ts'
import { documentRuns } from '../../../../schema/markdown/runs.ts'
import { findStretchRuns } from '../../../../schema/markdown/stretch-runs.ts'
import { Chance } from '../../../chance.ts'
import { randomDocument } from './text-corpus.ts'

const seed = Number(process.env['SEED'] ?? 1)
const runsEach = process.env['LONG'] ? 300 : 40
const authors = ['human:alice', 'ai:bob', 'ai:bob', 'human:carol']

const leafAuthor = (leaf: Node): string | undefined =>
  leaf.type.name === 'hard_break' ? undefined : `ai:${leaf.type.name.replaceAll('_', '')}`

/** The same node with its text split among random authors, some of it nobody's. */
function authored(node: Node, chance: Chance): Node {
  if (node.isLeaf) return node
  const children: Node[] = []
  for (const child of node.children) {
    if (!child.isText) {
      children.push(authored(child, chance))
      continue
    }
    const text = child.text ?? ''
    for (let at = 0; at < text.length; ) {
      const end = Math.min(text.length, at + 1 + chance.below(6))
      const by = chance.happens(0.2) ? undefined : chance.oneOf(authors)
      const marks = by ? documentSchema.mark('authored', { by }).addToSet(child.marks) : child.marks
      children.push(documentSchema.text(text.slice(at, end), marks))
      at = end
    }
  }
  return node.type.create(node.attrs, children, node.marks)
}

/** One author a character: that of the text it precedes, at the end of a block that before it. */
function colours(text: DocumentText): string[] {
  const said: (string | undefined)[] = new Array(text.length)
  const fill = (from: number, to: number, author: string) => said.fill(author, from, to)
  for (let index = 0; index < text.blockCount; index++) {
    const { md, segments, blocks } = text.printed(index)
    const [node, start] = [text.node(index), text.start(index)]
    let credited = false
    for (const { md: at, mdLength, pos, length } of segments) {
      for (let place = 0; place < length; place++) {
        const leaf = node.nodeAt(pos + place - 1)
        const mark = leaf?.marks.find((candidate) => candidate.type.name === 'authored')
        const by = leaf?.isText ? mark?.attrs['by'] : leaf && leafAuthor(leaf)
        const whole = mdLength !== length
        if (whole && place > 0) continue
        fill(start + at + place, start + at + (whole ? mdLength : place + 1), by ?? unattributed)
        credited = true
      }
    }
    for (const { type, from, to, pos } of blocks) {
      const leaf = documentSchema.nodes[type]
      if (pos === 0 || !leaf?.isLeaf) continue
      const inner = node.nodeAt(pos - 1)
      fill(start + from, start + to, (inner && leafAuthor(inner)) ?? unattributed)
      credited = true
    }
    if (!credited) fill(start, start + md.length, leafAuthor(node) ?? unattributed)
    const last = said.slice(start, start + md.length).findLast((by) => by !== undefined)
    for (let at = start + md.length - 1; at >= start && said[at] === undefined; at--) {
      said[at] = last
    }
  }
  for (let at = text.length - 1; at >= 0; at--) {
    said[at] ??= said[at + 1] ?? said.slice(0, at).findLast((by) => by !== undefined)
  }
  return said.map((by) => by ?? unattributed)
}

function merged(colour: readonly string[]): AuthorRun[] {
  const runs: AuthorRun[] = []
  for (const [at, author] of colour.entries()) {
    const last = runs.at(-1)
    if (last?.author === author) runs[runs.length - 1] = { ...last, to: at + 1 }
    else runs.push({ from: at, to: at + 1, author })
  }
  return runs
}

function checkRuns(text: DocumentText): number {
  const runs = documentRuns(text, leafAuthor)
  assert.equal(runs, merged(colours(text)), JSON.stringify(text.toString()))
  assert.is(runs[0]?.from ?? 0, 0)
  assert.is(runs.at(-1)?.to ?? 0, text.length)
  for (const [index, run] of runs.entries()) {
    assert.ok(run.from < run.to)
    const next = runs[index + 1]
    if (next) assert.ok(next.from === run.to && next.author !== run.author)
  }
  return runs.length
}

test('random documents agree with a naive colouring', () => {
  const chance = new Chance(seed)
  let runs = 0
  for (let run = 0; run < runsEach; run++) {
    const nodes = randomDocument(chance, 6).children.map((node) => authored(node, chance))
    let text = DocumentText.of(nodes)
    runs += checkRuns(text)
    const added = randomDocument(chance, 2).children.filter(
      (node) => node.type.name === 'paragraph',
    )
    text = text.splice(chance.below(nodes.length + 1), nodes.length, added)
    if (text.blockCount > 0) checkRuns(text)
  }
  assert.ok(runs > 3 * runsEach)
  console.log(`\nseed ${seed} authorship: ${runs} runs`)
})

/** Where there is text, or a leaf, and not markup alone. */
function heldPlaces(text: DocumentText): number[] {
  const places: number[] = []
  for (let index = 0; index < text.blockCount; index++) {
    for (const { md, mdLength } of text.printed(index).segments) {
      for (let at = 0; at < mdLength; at++) places.push(text.start(index) + md + at)
    }
  }
  return places
}

test('single stretches say of text and leaves what the whole says', () => {
  const chance = new Chance(seed)
  let [compared, stretchesRead] = [0, 0]
  for (let run = 0; run < runsEach; run++) {
    const nodes = randomDocument(chance, 6).children.map((node) => authored(node, chance))
    const text = DocumentText.of(nodes)
    const places = heldPlaces(text)
    const colour = colours(text)
    const stretches: { from: number; to: number }[] = []
    for (let at = chance.below(20); at < text.length; ) {
      const to = Math.min(text.length, at + 1 + chance.below(30))
      stretches.push({ from: at, to })
      at = to + 1 + chance.below(40)
    }
    const runs = findStretchRuns(text, stretches, leafAuthor)
    stretchesRead += stretches.length
    for (const { from, to } of stretches) {
      for (const at of places.filter((place) => place >= from && place < to)) {
        const found = runs.find((one) => one.from <= at && at < one.to)
        assert.is(found?.author, colour[at], `${at} of ${JSON.stringify(text.toString())}`)
        compared++
      }
    }
  }
  assert.ok(compared > 15 * runsEach, `${compared} places`)
  console.log(`\nseed ${seed} stretches: ${stretchesRead}, places ${compared}`)
})

test('of a very long part of one block nobody is named', () => {
  const long = documentSchema.text('x'.repeat(300_000), [
    documentSchema.mark('authored', { by: 'ai:bob' }),
  ])
  const text = DocumentText.of([documentSchema.node('paragraph', null, [long])])
  const runs = (to: number) => findStretchRuns(text, [{ from: 10, to }], leafAuthor)
  assert.equal(runs(290_000), [{ from: 10, to: 290_000, author: unattributed }])
  assert.equal(runs(200_000), [{ from: 10, to: 200_000, author: 'ai:bob' }])
})

test('markup belongs to the text it precedes, at the end to the text before', () => {
  const by = (author: string, said: string, ...marks: string[]) =>
    documentSchema.text(said, [
      ...marks.map((name) => documentSchema.mark(name)),
      documentSchema.mark('authored', { by: author }),
    ])
  const paragraph = documentSchema.node('paragraph', null, [
    by('human:alice', 'one '),
    by('ai:bob', 'two', 'strong'),
  ])
  const rule = documentSchema.node('horizontal_rule')
  const text = DocumentText.of([paragraph, rule, documentSchema.node('paragraph')])
  assert.is(text.toString(), 'one **two**\n\n---\n\n<br />\n')
  assert.equal(
    documentRuns(text, (leaf) => (leaf === rule ? 'ai:rule' : undefined)),
    [
      { from: 0, to: 4, author: 'human:alice' },
      { from: 4, to: 11, author: 'ai:bob' },
      { from: 11, to: 16, author: 'ai:rule' },
      { from: 16, to: 25, author: unattributed },
    ],
  )
  assert.equal(documentRuns(DocumentText.of(parseMarkdown('').children), leafAuthor), [])
})

test.run()
