/**
 * Words that an edit of blocks carries from one to another, or leaves where they are beside others
 * that look the same, stay their authors' (law 2). Random edits: edits-laws, edits-identity.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Item, LawWorld, type Read, writers } from './edits-laws-world.ts'

/** Each edit is the next writer's; the document is the first one's. */
async function told(markdown: string, ...edits: readonly Item[]): Promise<string> {
  const world = await LawWorld.of(markdown)
  for (const [index, edit] of edits.entries()) {
    const { revision } = await world.read()
    const writer = writers[(index + 1) % writers.length] as (typeof writers)[number]
    const made = await world.patch({ edits: [edit], baseRevision: revision, writer })
    assert.ok(made.ok, String(made.code))
  }
  const read = await world.read()
  await world.documents.close()
  return spelled(read)
}

/** The text of each line by its authors, `one[…]two[…]`. */
function spelled({ markdown, authors }: Read): string {
  const runs: [string, string][] = []
  for (let at = 0; at < markdown.length; at++) {
    const by = (authors[at] ?? '').replace(/^\w+:/, '')
    const last = runs.at(-1)
    if (last?.[0] === by) last[1] += markdown.charAt(at)
    else runs.push([by, markdown.charAt(at)])
  }
  return runs.map(([by, text]) => `${by}[${text.trim().replace(/\n+/g, ' / ')}]`).join('')
}

test('a block divided where both parts begin alike: each letter stays its author’s', async () => {
  const edit = { old_string: 'lpha bet', new_string: '\n\n- QZ\n\n' }
  assert.is(await told('alpha beta gamma\n', edit), 'one[a]two[- QZ]one[a gamma]')
})

test('a line that leaves its block for the one behind is carried there', async () => {
  const text = 'bax\n\ncaxy\ndaxyz\n\nea\n'
  const next = 'daxyz\n\nbax\n\ncaxy\nea\n'
  assert.is(await told(text, { replace_document: next }), 'one[daxyz / bax / caxy / ea]')
})

test('a block that begins or ends as one that goes keeps its own words', async () => {
  const added = { before: null, new_string: '\n\nThere is something here.' }
  const fox = 'The quick brown fox is over there.'
  const changed = 'There is something else.'
  for (const edit of [
    { replace_document: `${changed}\n` },
    { old_string: `${fox}\n\nThere is something here.`, new_string: changed },
  ]) {
    assert.is(await told(`${fox}\n`, added, edit), 'two[There is something]three[else]two[.]')
  }
})

test('blocks that are joined: each part stays its author’s', async () => {
  const added = { before: null, new_string: '\n\nThere is something here.' }
  const joined = { old_string: 'ick brown fox.\n\nThe', new_string: '' }
  const text = 'The quick brown fox.\n'
  assert.is(await told(text, added, joined), 'one[The qu]two[re is something here.]')
})

test('blocks joined inside words that look alike: the letters that stay are those not named', async () => {
  const edit = { old_string: 'ed item\n\nthird it', new_string: '' }
  assert.is(await told('nested item\n\nthird item\n', edit), 'one[nestem]')
  const items = { old_string: 'ed item\n- third it', new_string: '' }
  assert.is(await told('- nested item\n- third item\n', items), 'one[- nestem]')
})

test('of equal letters in a word an edit takes the ones it names', async () => {
  const added = { after: 'ba', new_string: 'na' }
  const cut = { old_string: 'an', new_string: '', at: 1 }
  assert.is(await told('bana\n', added, cut), 'one[b]two[a]one[na]')
})

test('of blocks with as many words in common the one goes on that is cut', async () => {
  const text = '- first item\n- second item\n  - nested item\n- third item\n'
  const edit = { old_string: ' item\n- second item\n  - n', new_string: '\n\n- QZ\n\n' }
  assert.is(await told(text, edit), 'one[- first]two[- QZ]one[ested item / - third item]')
})

test('lines that join a block and leave one cross each other', async () => {
  const text = '1. daxyz\n2. fax\n\n- haxyz\n  kaxy\n\nlaxyz\n'
  const next = '- haxyz\n\n  kaxy\n\n1. daxyz\n2. fax\nlaxyz\n'
  const read = await told(text, { replace_document: next })
  for (const word of ['haxyz', 'kaxy', 'daxyz', 'fax', 'laxyz']) {
    assert.match(read, new RegExp(`one\\[[^\\]]*\\b${word}\\b`), read)
  }
})

test('short words of a link that becomes text while its block is divided stay their author’s', async () => {
  const text = 'see [a link](https://x.y) and now\n'
  for (const insert of ['- QZ\n- QY', '- 一丁\n- 一丁', 'QZ\n\nQY']) {
    const edit = { before: 'a l', new_string: insert }
    const [first, second] = insert.split(/\n+/)
    assert.is(
      await told(text, edit),
      `one[see]two[[${first} / ${second}]one[a link]two[](https://x.y)]one[and now]`,
    )
  }
})

test.run()
