/** Several agents with old copies insert behind one place (interface §4.5, stale rule 6). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../../schema/limits.ts'
import { type Item, LawWorld, writers } from './edits-laws-world.ts'

const writer = writers[0] as (typeof writers)[number]

/** Each agent sends its insert on the base of revision 1. */
async function appended(
  markdown: string,
  edits: readonly Item[],
  restartAfter = Number.POSITIVE_INFINITY,
): Promise<string> {
  const world = await LawWorld.of(markdown)
  for (const [index, edit] of edits.entries()) {
    const made = await world.patch({ edits: [edit], baseRevision: 1, writer })
    assert.ok(made.ok, JSON.stringify(made))
    if (index + 1 === restartAfter) await world.restart()
  }
  const { markdown: after } = await world.read()
  await world.documents.close()
  return after
}

const items = (after: string, lead = '\n\n- '): Item[] =>
  ['one', 'two', 'three'].map((word) => ({ new_string: `${lead}${word}`, after }))

for (const [name, restartAfter] of [
  ['', undefined],
  [', also after a restart', 2],
] as const) {
  test(`list items behind the last one keep the order of commits${name}`, async () => {
    const after = await appended('- a\n- b\n\nend\n', items('- b'), restartAfter)
    assert.is(after, '- a\n- b\n\n- one\n\n- two\n\n- three\n\nend\n')
  })

  test(`items in the middle of a list, numbered ones too${name}`, async () => {
    const tight = await appended('- a\n- b\n- c\n', items('- b', '\n- '), restartAfter)
    assert.is(tight, '- a\n- b\n- one\n- two\n- three\n- c\n')
    const numbered = await appended('1. a\n2. b\n3. c\n', items('1. a', '\n1. '), restartAfter)
    assert.is(numbered, '1. a\n2. one\n3. two\n4. three\n5. b\n6. c\n')
  })
}

test('paragraphs behind an anchor, and at the end of the document', async () => {
  const after = await appended('a\n\nb\n', items('a', '\n\n'))
  assert.is(after, 'a\n\none\n\ntwo\n\nthree\n\nb\n')
  const ends = ['one', 'two'].map((word) => ({ new_string: `\n\n${word}`, before: null }))
  assert.is(await appended('a\n', ends), 'a\n\none\n\ntwo\n')
})

test('one stale batch: what goes to one place stands there in request order', async () => {
  const world = await LawWorld.of('a\n\nz\n')
  const { blocks } = await world.read()
  const [first, last] = blocks.map(({ id }) => id)
  const changed = [{ old_string: 'a', new_string: 'A' }]
  assert.ok((await world.patch({ edits: changed, baseRevision: 1, writer })).ok)
  const places: Item[] = [{ before_block: null }, { before_block: last }, { after_block: first }]
  const edits = ['one', 'two'].flatMap((word) =>
    [...places, { after_block: null }].map((place, at) => ({
      new_string: `${word} ${at}`,
      ...place,
    })),
  )
  const made = await world.patch({ edits, baseRevision: 1, writer })
  assert.ok(made.ok, JSON.stringify(made))
  const { markdown } = await world.read()
  await world.documents.close()
  const words = ['one 3', 'two 3', 'A', 'one 2', 'two 2', 'one 1', 'two 1', 'z', 'one 0', 'two 0']
  assert.is(markdown, `${words.join('\n\n')}\n`)
})

test('words on the line of an anchor', async () => {
  assert.is(await appended('a z\n', items('a', ' ')), 'a one two three z\n')
})

test('blocks behind a block', async () => {
  const world = await LawWorld.of('- a\n- b\n\nend\n')
  const { blocks } = await world.read()
  const [, item] = blocks.filter(({ from, to }) => to - from === 3)
  for (const word of ['one', 'two']) {
    const edits = [
      { new_string: `- ${word}`, after_block: item?.id ?? '' },
      { new_string: word, after_block: blocks.at(-1)?.id ?? '' },
    ]
    const made = await world.patch({ edits, baseRevision: 1, writer })
    assert.equal(made.fields['failed_edit_indexes'], [])
  }
  const { markdown } = await world.read()
  assert.is(markdown, '- a\n- b\n- one\n- two\n\nend\n\none\n\ntwo\n')
  await world.documents.close()
})

test('inserts that come together when what they look back over is just being forgotten', async () => {
  const few = { ...limits, recentChangesMax: 4 }
  const world = await LawWorld.of('a\n\nz\n', undefined, few)
  const words = Array.from({ length: 12 }, (_, index) => `word ${index}`)
  const append = (word: string) =>
    world.documents.patch(world.slug, {
      edits: [{ after: 'a', new_string: `\n\n${word}` }],
      baseRevision: 1,
      dryRun: false,
      writer,
    })
  for (let at = 0; at < words.length; at += 4) {
    await Promise.all(words.slice(at, at + 4).map(append))
  }
  const { markdown } = await world.read()
  await world.documents.close()
  assert.is(markdown, `${['a', ...words, 'z'].join('\n\n')}\n`)
})

test.run()
