/** What a PATCH tells, and what becomes of comments (interface §4.5, §2.5; extensions §4). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agent, discussed, type Fields, said } from '../comments/discussion-scene.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const numbered = (count: number, from = 0) =>
  `${Array.from({ length: count }, (_, at) => `Paragraph number ${from + at}.`).join('\n\n')}\n`

test('a replacement that removes more than half of at least 20 blocks says so, and how to revert', async () => {
  const { ask, patch, done, read } = await discussed(service, numbered(20))
  const body = { replace_document: numbered(9), base_revision: 1 }
  const tried = await ask('PATCH', '?dryRun=true', body)
  assert.equal([tried.json['removed_blocks'], tried.json['revert']], [11, { revision: 1 }])
  const made = await patch(body)
  assert.is(made.status, 200, made.text)
  assert.equal([made.json['removed_blocks'], made.json['revert']], [11, { revision: 1 }])
  await done('revert', { ...(made.json['revert'] as Fields), base_revision: 2 })
  assert.is((await read())['markdown'], numbered(20))
})

test('a replacement that keeps half, and one of a short document, say nothing of it', async () => {
  for (const [before, after] of [
    [numbered(20), numbered(10)],
    [numbered(19), numbered(1)],
    [numbered(20), `${numbered(20)}\nMore.\n`],
  ] as const) {
    const { patch } = await discussed(service, before)
    const { status, json } = await patch({ replace_document: after, base_revision: 1 })
    assert.is(status, 200)
    assert.equal([json['removed_blocks'], json['revert']], [undefined, undefined])
  }
  const { patch, read } = await discussed(service, numbered(20))
  const blocks = ((await read())['content_blocks'] as Fields[]).slice(0, 15)
  const edits = blocks.map(({ id }) => ({ delete_block: id }))
  const { json } = await patch({ edits, base_revision: 1 })
  assert.is(json['removed_blocks'], undefined, 'edits name what they remove')
})

test('new_block_quote in two neighbouring blocks is ambiguous, also where one has the other’s text', async () => {
  const { say, patch } = await discussed(service, '# A\n\nGone words.\n\nOne two.\n\ntwo\n')
  const { comment_id: id } = await say({ quote: 'Gone words.', text: 'x' })
  const edits = [{ old_string: 'Gone words.', new_string: 'Other.' }]
  const outcome = { id, action: 'remap', new_block_quote: 'two' }
  assert.is(
    said(await patch({ edits, comment_outcomes: [outcome] })),
    '422 NEW_BLOCK_QUOTE_AMBIGUOUS',
  )
  const item = { ...outcome, new_block_quote: 'One two' }
  assert.is((await patch({ edits, comment_outcomes: [item] })).status, 200)
})

test('a quote in a nested block names that one, not those that hold it', async () => {
  const { say, patch, threads, read } = await discussed(service, 'Gone.\n\n- a\n  - deep\n- b\n')
  const { comment_id: id } = await say({ quote: 'Gone.', text: 'x' })
  const outcome = { id, action: 'remap', new_block_quote: 'deep' }
  const edits = [{ old_string: 'Gone.', new_string: 'Other.' }]
  assert.is((await patch({ edits, comment_outcomes: [outcome] })).status, 200)
  const [thread] = await threads()
  const blocks = (await read('?include=block_quotes'))['content_blocks'] as Fields[]
  assert.is(blocks.find((block) => block['id'] === thread?.['block_id'])?.['quote'], 'deep')
})

test('a comment goes along with text that is deleted here and inserted there', async () => {
  const { say, patch, threads, read } = await discussed(
    service,
    '# A\n\nMove this one.\n\nB\n\nC\n',
  )
  const { comment_id: id } = await say({ quote: 'this', text: 'x' })
  const edits = [
    { old_string: 'Move this one.\n\n', new_string: '' },
    { after: 'C', new_string: '\n\nNow this stands here.' },
  ]
  const body = { edits, base_revision: 1 }
  const refused = await patch(body)
  assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
  const [affected] = refused.json['affected_comments'] as { candidate_blocks: Fields[] }[]
  const [first] = affected?.candidate_blocks ?? []
  assert.equal([first?.['idx'], first?.['block_id']], [3, null])
  assert.equal(refused.json['suggested_outcomes'], [{ id, action: 'remap', new_block_idx: 3 }])
  const quote = { id, action: 'remap', new_block_quote: 'Now this' }
  const made = await patch({ ...body, comment_outcomes: [quote] })
  assert.is(made.status, 200, made.text)
  const [thread] = await threads()
  const blocks = (await read())['content_blocks'] as Fields[]
  assert.equal([thread?.['quote'], thread?.['block_id']], ['this', blocks[3]?.['id']])
})

/** Strict readers refuse half a surrogate pair. */
const isWhole = (text: unknown): boolean => String(text).isWellFormed()

test('no text is cut inside a character', async () => {
  const faces = '😀'.repeat(6_000)
  for (const lead of ['', 'x']) {
    const { say, patch, read } = await discussed(service, `${lead}${faces}\n\nEnd.\n`)
    const [block] = (await read())['content_blocks'] as Fields[]
    const made = await say({
      block_id: block?.['id'],
      text: `${lead}${faces}`.slice(0, 4_001 - (lead === '' ? 1 : 0)),
    })
    const anchor = made['anchor'] as { quote: string; segments: { quote: string }[] }
    assert.ok(isWhole(anchor.quote) && isWhole(anchor.segments[0]?.quote))
    assert.ok(anchor.quote.length > 1_000)
    const refused = await patch({ edits: [{ delete_block: block?.['id'] }], base_revision: 2 })
    assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
    const [affected] = refused.json['affected_comments'] as (Fields & {
      candidate_blocks: Fields[]
    })[]
    assert.ok(isWhole(affected?.['quote']) && isWhole(affected?.['text']))
    const more = await say({ quote: 'End.', text: 'y' })
    const edits = [{ old_string: 'End.', new_string: 'Z' }]
    const again = await patch({ edits })
    const rows = again.json['affected_comments'] as (Fields & { candidate_blocks: Fields[] })[]
    const own = rows.find((row) => row['id'] === more['comment_id'])
    assert.ok(own?.candidate_blocks.every(({ quote }) => isWhole(quote)))
    assert.ok(own?.candidate_blocks.some(({ quote }) => String(quote).length > 400))
  }
})

const commented = [
  ['alpha bravo charlie', [['alpha bravo charlie', 'kilo bravo lima']]],
  [
    'alpha bravo charlie',
    [
      ['alpha', 'kilo'],
      ['charlie', 'lima'],
    ],
  ],
  ['alpha bravo charlie', [['alpha bravo charlie', 'bravo first']]],
  ['alpha bravo charlie', [['alpha bravo charlie', '**bravo** [x](y) *z*']]],
  ['alpha bravo charlie', [['alpha bravo charlie', 'a whole new brick of bravos here']]],
  ['the and bravo the and', [['the and bravo the and', 'bravo an bravery']]],
] as const

test('§2.5 a comment stays with its words while they stand in its block, however short', async () => {
  for (const [line, pairs] of commented) {
    const { say, patch, threads } = await discussed(service, `# A\n\n${line}\n`)
    await say({ quote: 'bravo', text: 'x' })
    const edits = pairs.map(([old_string, new_string]) => ({ old_string, new_string }))
    const made = await patch({ edits })
    assert.is(made.status, 200, `${line} ${JSON.stringify(pairs)} ${made.text}`)
    const [thread] = await threads()
    assert.equal([thread?.['quote'], thread?.['orphaned']], ['bravo', false])
  }
  const { say, patch } = await discussed(service, 'alpha bravo charlie\n')
  await say({ quote: 'bravo', text: 'x' })
  const gone = { old_string: 'alpha bravo charlie', new_string: 'kilo brave lima' }
  assert.is(said(await patch({ edits: [gone] })), '409 EDITS_AFFECT_COMMENTS')
})

/** Who wrote each word of the text, by the runs of a read. */
async function wordsBy(read: (query: string) => Promise<Fields>): Promise<Record<string, number>> {
  const { markdown, authorship } = await read('?include=authorship')
  const runs = authorship as { from: number; to: number; author: string }[]
  const words = String(markdown).matchAll(/[\p{L}\p{N}]+/gu)
  return Object.fromEntries(
    Array.from(words, ({ 0: word, index }) => {
      const authors = runs.filter(({ from, to }) => from < index + word.length && index < to)
      return [
        word,
        authors.length === 1 ? runs.findIndex(({ author }) => author === authors[0]?.author) : -1,
      ]
    }),
  )
}

test('a word that was replaced belongs to its new writer, in edits and accepted suggestions', async () => {
  const scene = await discussed(service, '# A\n\nalpha bravo charlie\n')
  const other = await agent(service, 'Other')
  const { slug, token } = scene
  const give = { handle: other.handle, role: 'editor' }
  const given = await scene.ask('POST', '/access', give)
  assert.ok(given.status < 300, given.text)
  const edit = { edits: [{ old_string: 'bravo', new_string: 'kilo' }] }
  const made = await service.call('PATCH', `/docs/${slug}`, { token: other.token, body: edit })
  assert.is(made.status, 200, made.text)
  assert.equal(await wordsBy(scene.read), { A: 0, alpha: 0, kilo: 1, charlie: 0 })
  const body = { quote: 'charlie', suggestion: { new_string: 'charlies' } }
  const proposal = await service.call('POST', `/docs/${slug}/comments`, {
    token: other.token,
    body,
  })
  assert.is(proposal.status, 201, proposal.text)
  const path = `/comments/${proposal.json['comment_id']}/accept`
  const accepted = await scene.ask('POST', path, {}, token)
  assert.is(accepted.status, 200, accepted.text)
  assert.equal(await wordsBy(scene.read), { A: 0, alpha: 0, kilo: 1, charlies: 1 })
})

test('§7 a request of the wrong shape is told in one sentence what to send', async () => {
  const { patch, ask } = await discussed(service, 'one two\n')
  const edit = { old_string: 'one', new_string: '1' }
  const cases: readonly (readonly [Fields, RegExp])[] = [
    [{ edits: JSON.stringify([edit]) }, /^Send edits as a JSON array, not as a string/],
    [{ edits: edit }, /^Send edits as an array: put the object in brackets/],
    [{ edits: [JSON.stringify(edit)] }, /^Send edits\[0\] as a JSON object/],
    [{ edits: [edit], base_revision: '1' }, /^Send base_revision as the number 1/],
    [{ edits: [{ ...edit, at: '0' }], base_revision: 1 }, /^Send at as the number 0/],
    [{ edits: [{ oldString: 'one', newString: '1' }] }, /^Send old_string in place of oldString/],
    [{ edits: [{ find: 'one', replace: '1' }] }, /^Send old_string in place of find/],
    [{ edits: [edit], baseRevision: 1 }, /^Send base_revision in place of baseRevision/],
  ]
  for (const [body, sentence] of cases) {
    const { json } = await patch(body)
    assert.is(json['code'], 'INVALID_REQUEST', JSON.stringify(body))
    assert.match(String(json['error']), sentence)
    const [issue] = json['issues'] as { message: string }[]
    assert.match(String(issue?.message), sentence)
  }
  const general = await ask('POST', '/comments', { text: 'x', general: 'true' })
  assert.match(String(general.json['error']), /^Send general as true without quotes/)
})

test('a value with \\n as two characters and no line break is stored, with a warning', async () => {
  const made = await service.create('# A\\n\\nText', 'Ada')
  assert.match(String(made.answer.json['warning']), /two characters/)
  assert.is(made.answer.json['title'], 'A\\n\\nText')
  const { patch, ask } = await discussed(service, 'one two\n')
  const body = { edits: [{ old_string: 'one', new_string: 'a\\nb\\nc' }] }
  assert.match(String((await ask('PATCH', '?dryRun=true', body)).json['warning']), /two characters/)
  assert.match(String((await patch(body)).json['warning']), /two characters/)
  for (const new_string of ['a\\nb', 'a\nb\\nc\\n', 'plain']) {
    const { json } = await patch({
      edits: [{ old_string: 'two', new_string: `two ${new_string}` }],
    })
    assert.is(json['warning'], undefined)
  }
})

test('tables rule 5: a refusal says how to get there, and that way works', async () => {
  const table = (...rows: readonly string[]) => `| a | b |\n| --- | --- |\n${rows.join('\n')}\n`
  const [one, two] = ['| 1 | x |', '| 2 | y |']
  const { patch, read } = await discussed(service, table(one, two))
  const both = { old_string: `${one}\n${two}`, new_string: `| 1 | z |\n${two}\n| 3 | w |` }
  const mixed = await patch({ edits: [both] })
  assert.is(said(mixed), '422 AMBIGUOUS_STRUCTURE')
  assert.equal(
    [mixed.json['reason'], mixed.json['error']],
    ['rows_and_cells_changed', mixed.json['instruction']],
  )
  assert.match(String(mixed.json['instruction']), /two edits in one request/)
  const edits = [
    { old_string: 'x', new_string: 'z' },
    { after: two, new_string: '\n| 3 | w |' },
  ]
  const made = await patch({ edits, base_revision: 1 })
  assert.is(made.json['markdown'], table('| 1 | z |', two, '| 3 | w |'))
  const swap = { old_string: `| 1 | z |\n${two}`, new_string: `${two}\n| 1 | z |` }
  const swapped = await patch({ edits: [swap] })
  assert.is(said(swapped), '422 AMBIGUOUS_STRUCTURE')
  assert.match(String(swapped.json['instruction']), /move_block[^.]*replace_document/)
  const blocks = (await read('?include=block_quotes'))['content_blocks'] as Fields[]
  const idOf = (quote: string) => blocks.find((block) => block['quote'] === quote)?.['id']
  const move = { move_block: idOf(two), before_block: idOf('| 1 | z |') }
  const moved = await patch({ edits: [move], base_revision: 2 })
  assert.is(moved.json['markdown'], table(two, '| 1 | z |', '| 3 | w |'), moved.text)
  const whole = table('| 3 | w |', two, '| 1 | z |')
  const replaced = await patch({ replace_document: whole, base_revision: 3 })
  assert.is(replaced.json['markdown'], whole)
})

test.run()
