/**
 * A document has a bound on its block nodes (extensions §4): every way of putting more into it is
 * refused with what was counted, leaves no trace, and taking blocks out is always possible. How
 * many there are is known at any time, without counting.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planEdits } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { blockNodesIn } from '../../../schema/markdown/block-count.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { fillState } from '../../filled-state.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { LawWorld, writers } from '../../unit/core/documents/edits/edits-laws-world.ts'

const max = limits.blocksMax
const actor = 'ai:one' as ActorId

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

function assertTooMany(refusal: Refusal, size: number): void {
  assert.is(refusal.code, 'PAYLOAD_TOO_LARGE')
  const { limit, max: bound, size: counted } = refusal.details
  assert.equal({ limit, bound, counted }, { limit: 'blocks', bound: max, counted: size })
}

test('extensions §4: the bound has room for a document of 4 MiB of short paragraphs', () => {
  assert.ok(max >= 50_000)
  const paragraph = `${'word '.repeat(12).trim()}\n\n`
  assert.ok(max > limits.markdownMaxBytes / paragraph.length)
})

test('every block node counts: containers, items, rows and cells', () => {
  const counts = {
    'a\n\nb\n': 2,
    '- a\n- b\n': 5,
    '> a\n': 2,
    '|a|b|\n|-|-|\n|c|\n': 7,
    '---\n\n# a\n\n```\nb\n```\n\n<div>\n': 4,
    '1. a\n\n   - b\n': 6,
  }
  for (const [markdown, count] of Object.entries(counts)) {
    assert.is(DocumentText.of(parseMarkdown(markdown).children).nodeCount, count, markdown)
  }
})

test('a text with more is refused while it is read', () => {
  assert.is(parseMarkdown('a\n\n'.repeat(max)).childCount, max)
  for (const markdown of [
    'a\n\n'.repeat(max + 1),
    '- a\n'.repeat(max / 2),
    `|a|\n|-|\n${'|a|\n'.repeat(max / 2)}`,
    '> a\n\n'.repeat(max / 2 + 1),
  ]) {
    assertTooMany(
      refusalOf(() => parseMarkdown(markdown)),
      max + 1,
    )
  }
})

/** A text of so many blocks, which is quickly made. */
function textOf(count: number): DocumentText {
  return DocumentText.of(parseMarkdown('***\n'.repeat(count)).children)
}

test('an edit may not go over it, one that takes away may be made beyond it', () => {
  const text = textOf(max)
  const given = { text, revision: 1, baseRevision: 1, actor }
  const insert = readEdits([{ new_string: 'a\n\nb', after_block: null }])
  const refusal = refusalOf(() => planEdits({ ...given, edits: insert }))
  assertTooMany(refusal, max + 2)
  assert.equal(refusal.details['likely_edit_indexes'], [0])
  const both = readEdits([
    { new_string: 'a\n\nb', after_block: null },
    { old_string: 'a\n\nb\n\n', new_string: '' },
  ])
  assert.is(planEdits({ ...given, edits: both }).text.nodeCount, max)
})

test('a whole new text with too many blocks turns away all that came with it', async () => {
  const world = await LawWorld.of('some words\n')
  const { revision } = await world.read()
  const edits = [
    { old_string: 'some', new_string: 'few' },
    { replace_document: 'a\n\n'.repeat(max + 1) },
  ]
  const answer = await world.patch({ edits, baseRevision: revision, writer: writers[0] } as never)
  assert.is(answer.code, 'PAYLOAD_TOO_LARGE')
  const { edits: outcomes, ...fields } = answer.fields as { edits: { code: string }[] }
  assert.equal(
    outcomes.map(({ code }) => code),
    ['BATCH_ROLLED_BACK', 'BATCH_ROLLED_BACK'],
  )
  assert.is((fields as Record<string, unknown>)['limit'], 'blocks')
  await world.documents.close()
})

test('an open document knows how many it has, whatever was written to it', async () => {
  const runtime = new SimulatedRuntime()
  const state = new DocumentState(runtime)
  const texts = [
    'a\n\n|a|b|\n|-|-|\n|c|d|\n',
    '- a\n- b\n\n  - c\n',
    '|a|\n|-|\n|b|\n|c|\n\n> |a|b|\n> |-|-|\n',
    'a\n',
  ]
  const nodes = parseMarkdown(texts[0] as string).children
  await fillState(state, { nodes, author: actor, runtime })
  for (const markdown of [...texts, ...texts.toReversed()]) {
    const edits = readEdits([{ replace_document: markdown }])
    const plan = planEdits({ text: state.text, revision: 1, baseRevision: 1, actor, edits })
    state.applyOperations(plan.operations, actor)
    const counted = state.mirror.nodes.reduce((sum, node) => sum + blockNodesIn(node), 0)
    assert.equal([state.blockCount, state.text.nodeCount], [counted, counted], markdown)
  }
})

test.run()
