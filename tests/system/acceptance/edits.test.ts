/** Interface §4.5: text replacements on the current revision, their matching and their refusals. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Answer,
  asList,
  asText,
  type Fields,
  pick,
  refused,
  Service,
  succeeded,
} from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

/** Interface §7: what each conflict of a PATCH tells; nothing was committed. */
function conflict(answer: Answer, code: string, now: Fields) {
  refused(answer, code === 'INVALID_MARKDOWN' ? 422 : 409, code)
  assert.is(answer.body['markdown'], now['markdown'])
  assert.is(answer.body['revision'], now['revision'])
  const feedback = new URL(asText(answer.body['feedback']), service.base)
  assert.is(feedback.pathname, `/docs/${now['id']}/feedback`)
  assert.is(feedback.searchParams.get('ref'), answer.body['request_id'])
}

test('interface §4.5: a single edit that succeeds answers 200 {markdown, revision}', async () => {
  const made = await service.document('# A\n\nold text\n')
  const body = succeeded(await made.swap('old', 'new'))
  assert.is(body['markdown'], '# A\n\nnew text\n')
  assert.is(body['revision'], 2)
  assert.is(await made.markdown(), '# A\n\nnew text\n')
})

test('interface §1: every write increments the revision by one', async () => {
  const made = await service.document('n0')
  for (const n of [1, 2, 3]) {
    assert.is(succeeded(await made.swap(`n${n - 1}`, `n${n}`))['revision'], n + 1)
  }
})

test('interface §4.5: an empty new_string deletes', async () => {
  const made = await service.document('# A\n\nkeep drop keep2\n')
  assert.is(succeeded(await made.swap(' drop', ''))['markdown'], '# A\n\nkeep keep2\n')
})

test('interface §4.5: a whole paragraph is deleted with its separator', async () => {
  const made = await service.document('# A\n\ndrop\n\nkeep\n')
  assert.is(succeeded(await made.swap('drop\n\n', ''))['markdown'], '# A\n\nkeep\n')
})

test('interface §2.2: the title follows an edit of the first non-empty line', async () => {
  const made = await service.document('# Old name\n\nx\n')
  succeeded(await made.swap('Old name', 'New name'))
  assert.is(succeeded(await made.read())['title'], 'New name')
})

test('interface §4.5: old_string matches through Markdown escapes, both ways', async () => {
  const made = await service.document('use vector\\<int\\> and a\\*b\n')
  succeeded(await made.swap('vector<int>', 'list'))
  assert.is(await made.markdown(), 'use list and a\\*b\n')
  succeeded(await made.swap('a*b', 'c'))
  assert.is(await made.markdown(), 'use list and c\n')
  const other = await service.document('plain 1 \\* 2\n')
  succeeded(await other.swap('1 * 2', 'two'))
  assert.is(await other.markdown(), 'plain two\n')
})

test('interface §4.5: the markdown of a read is matched as it was read', async () => {
  const made = await service.document('a\\_b \\<x\\> 1\\. \\# \\[l\\]\n')
  const line = (await made.markdown()).trimEnd()
  succeeded(await made.swap(line, 'clean'))
  assert.is(await made.markdown(), 'clean\n')
})

test('interface §7: an old_string that is nowhere is EDIT_NOT_FOUND', async () => {
  const made = await service.document('# A\n\ntext\n')
  const now = (await made.read()).body
  const answer = await made.swap('absent', 'x')
  conflict(answer, 'EDIT_NOT_FOUND', now)
  assert.equal(answer.body['failed_edit_indexes'], [0])
  assert.is(pick(answer.body, 'edits', 0, 'index'), 0)
})

test('interface §4.5: an ambiguous old_string tells occurrences and snippets', async () => {
  const made = await service.document('\u{1F600} cat\n\ncat e\u0301 cat\n')
  const now = (await made.read()).body
  const answer = await made.swap('cat', 'dog')
  conflict(answer, 'EDIT_AMBIGUOUS', now)
  assert.is(pick(answer.body, 'edits', 0, 'index'), 0)
  const source = pick(answer.body, 'edits', 0)
  assert.is(pick(source, 'occurrences'), 3)
  const snippets = asList(pick(source, 'snippets'))
  const offsets = snippets.map((snippet) => Number(snippet['offset']))
  assert.equal(offsets, [3, 8, 15])
  const markdown = asText(now['markdown'])
  for (const offset of offsets) assert.is(markdown.slice(offset, offset + 3), 'cat')
})

test('interface §4.5: a snippet shows whole characters and the text in question', async () => {
  const made = await service.document(
    `${'\u{1F600}'.repeat(101)}cat${'\u{1F680}'.repeat(101)}cat\n`,
  )
  const answer = await made.swap('cat', 'dog')
  for (const snippet of asList(pick(answer.body, 'edits', 0, 'snippets'))) {
    const text = asText(snippet['text'])
    assert.ok(text.includes('cat'), text)
    assert.is(Buffer.from(text, 'utf8').toString('utf8'), text)
  }
})

test('interface §4.5: a batch with one bad edit commits the rest or nothing, and says so', async () => {
  const made = await service.document('one two\n')
  const edits = [
    { old_string: 'one', new_string: '1' },
    { old_string: 'two', new_string: '<div>' },
  ]
  const answer = await made.patch({ base_revision: 1, edits })
  assert.equal(answer.body['failed_edit_indexes'], answer.status === 200 ? [1] : [0, 1])
  const markdown = answer.status === 200 ? '1 two\n' : 'one two\n'
  assert.equal([await made.markdown(), answer.body['markdown']], [markdown, markdown])
  const codes = [0, 1].map((index) => pick(answer.body, 'edits', index, 'code'))
  assert.equal(codes, [answer.status === 200 ? undefined : 'BATCH_ROLLED_BACK', 'INVALID_MARKDOWN'])
})

test('interface §4.5: overlapping occurrences count as several places', async () => {
  const made = await service.document('aaa\n')
  refused(await made.swap('aa', 'b'), 409, 'EDIT_AMBIGUOUS')
})

test('interface §4.5: `at` picks the occurrence by its snippet offset', async () => {
  const made = await service.document('\u{1F600} cat\n\ncat and cat\n')
  const ambiguous = await made.swap('cat', 'dog')
  const snippets = asList(pick(ambiguous.body, 'edits', 0, 'snippets'))
  const at = Number(snippets[1]?.['offset'])
  const edits = [{ old_string: 'cat', new_string: 'dog', at }]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['markdown'], '\u{1F600} cat\n\ndog and cat\n')
})

test('interface §4.5: `at` without base_revision is BASE_REVISION_REQUIRED', async () => {
  const made = await service.document('cat cat\n')
  const edits = [{ old_string: 'cat', new_string: 'dog', at: 4 }]
  refused(await made.patch({ edits }), 400, 'BASE_REVISION_REQUIRED')
})

test('interface §4.5: `at` where the text does not stand is EDIT_NOT_FOUND', async () => {
  const made = await service.document('cat cat\n')
  for (const at of [1, 5, 8, 10_000]) {
    const edits = [{ old_string: 'cat', new_string: 'dog', at }]
    const answer = await made.patch({ base_revision: 1, edits })
    refused(answer, 409, 'EDIT_NOT_FOUND')
  }
})

test('extensions §2: `at` that is no offset is INVALID_REQUEST', async () => {
  const made = await service.document('cat cat\n')
  for (const at of [-1, 1.5, '4']) {
    const edits = [{ old_string: 'cat', new_string: 'dog', at }]
    refused(await made.patch({ base_revision: 1, edits }), 400, 'INVALID_REQUEST')
  }
})

test('interface §4.5: `at` is taken on a repeated table cell', async () => {
  const made = await service.document('| a | b |\n| --- | --- |\n| x | x |\n')
  const ambiguous = await made.swap('x', 'y')
  refused(ambiguous, 409, 'EDIT_AMBIGUOUS')
  const at = pick(ambiguous.body, 'edits', 0, 'snippets', 1, 'offset')
  const edits = [{ old_string: 'x', new_string: 'y', at }]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['markdown'], '| a | b |\n| --- | --- |\n| x | y |\n')
})

test('interface §4.5: a raw | in a cell is refused with 422, an escaped one is text', async () => {
  const made = await service.document('| a | b |\n| --- | --- |\n| x | z |\n')
  const answer = await made.swap('x', 'p | q')
  assert.is(answer.status, 422, answer.text)
  assert.is(await made.revision(), 1)
  const body = succeeded(await made.swap('x', 'p \\| q'))
  assert.is(body['markdown'], '| a | b |\n| --- | --- |\n| p \\| q | z |\n')
})

test('interface §4.5: a whole table is deleted by all its rows', async () => {
  const table = '| a | b |\n| --- | --- |\n| x | z |'
  const made = await service.document(`# T\n\n${table}\n\nend\n`)
  assert.is(succeeded(await made.swap(table, ''))['markdown'], '# T\n\nend\n')
})

for (const html of ['<b>x</b>', '<!-- note -->', '<script>x</script>', 'a <img src=x> b']) {
  test(`interface §4.5: raw HTML ${html} is 422 INVALID_MARKDOWN`, async () => {
    const made = await service.document('# A\n\ntext\n')
    const now = (await made.read()).body
    conflict(await made.swap('text', html), 'INVALID_MARKDOWN', now)
  })
}

test('interface §4.5: HTML in code is no raw HTML', async () => {
  const made = await service.document('# A\n\ntext\n')
  assert.is(succeeded(await made.swap('text', '`<b>x</b>`'))['markdown'], '# A\n\n`<b>x</b>`\n')
})

test('interface §4.5: a standalone <br /> line is a spacer and allowed back', async () => {
  const made = await service.document('# A\n\ntext\n')
  const body = succeeded(await made.swap('text', 'text\n\n<br />\n\nmore'))
  assert.is(body['markdown'], '# A\n\ntext\n\n<br />\n\nmore\n')
})

test('extensions §4: an inline <br /> outside cells and headings is 422', async () => {
  const made = await service.document('# A\n\ntext\n')
  refused(await made.swap('text', 'one<br />two'), 422, 'INVALID_MARKDOWN')
})

test('interface §4.5: a current batch applies in order, later edits see earlier results', async () => {
  const made = await service.document('one\n')
  const edits = [
    { old_string: 'one', new_string: 'two' },
    { old_string: 'two', new_string: 'three' },
  ]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['markdown'], 'three\n')
  assert.is(body['revision'], 2)
  assert.equal(body['failed_edit_indexes'], [])
  assert.equal(body['edits'], [
    { ok: true, index: 0 },
    { ok: true, index: 1 },
  ])
})

test('interface §4.5: a partly failing batch is 200 and names the failed indexes', async () => {
  const made = await service.document('one two\n')
  const edits = [
    { old_string: 'absent', new_string: 'x' },
    { old_string: 'two', new_string: '2' },
  ]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['markdown'], 'one 2\n')
  assert.equal(body['failed_edit_indexes'], [0])
  assert.is(pick(body, 'edits', 0, 'ok'), false)
  assert.is(pick(body, 'edits', 0, 'code'), 'EDIT_NOT_FOUND')
  assert.is(pick(body, 'edits', 1, 'ok'), true)
})

test('extensions §4: several failing edits are ALL_EDITS_FAILED, a single one keeps its code', async () => {
  const made = await service.document('one one\n')
  const now = (await made.read()).body
  const edits = [
    { old_string: 'absent', new_string: 'x' },
    { old_string: 'one', new_string: '1' },
  ]
  const answer = await made.patch({ edits })
  conflict(answer, 'ALL_EDITS_FAILED', now)
  assert.equal(answer.body['failed_edit_indexes'], [0, 1])
  assert.is(pick(answer.body, 'edits', 1, 'code'), 'EDIT_AMBIGUOUS')
})

test('interface §8: 100 edits are taken', async () => {
  const words = Array.from({ length: 100 }, (_, n) => `w${n}e`)
  const made = await service.document(`${words.join(' ')}\n`)
  const edits = words.map((word) => ({ old_string: word, new_string: word.toUpperCase() }))
  const body = succeeded(await made.patch({ edits }))
  assert.is(body['markdown'], `${words.join(' ').toUpperCase()}\n`)
  assert.is(asList(body['edits']).length, 100)
})

test('extensions §2: 101 edits are INVALID_REQUEST', async () => {
  const made = await service.document('a\n')
  const edits = Array.from({ length: 101 }, () => ({ old_string: 'a', new_string: 'a' }))
  const answer = await made.patch({ edits })
  refused(answer, 400, 'INVALID_REQUEST')
  assert.is(await made.revision(), 1)
})

test('extensions §4: an edit that changes nothing is 200 with the revision unchanged', async () => {
  const made = await service.document('same\n')
  const body = succeeded(await made.swap('same', 'same'))
  assert.is(body['revision'], 1)
  assert.is(await made.revision(), 1)
})

test('interface §4.5: CRLF in old_string and new_string means a line end', async () => {
  const made = await service.document('# A\r\n\r\none\r\n\r\ntwo\r\n')
  assert.is(await made.markdown(), '# A\n\none\n\ntwo\n')
  const body = succeeded(await made.swap('one\r\n\r\ntwo', 'three\r\n\r\nfour'))
  assert.is(body['markdown'], '# A\n\nthree\n\nfour\n')
})

test('interface §4.5: half of a surrogate pair never splits a character', async () => {
  const made = await service.document('a \u{1F600} b\n')
  const answer = await made.swap('\ud83d', 'x')
  assert.ok([400, 409, 422].includes(answer.status), answer.text)
  assert.is(await made.markdown(), 'a \u{1F600} b\n')
  const other = await made.swap('b', '\ud83d')
  assert.ok([200, 400, 422].includes(other.status), other.text)
  const markdown = await made.markdown()
  assert.is(Buffer.from(markdown, 'utf8').toString('utf8'), markdown)
})

test('interface §4.5: combining characters match exactly as written', async () => {
  const made = await service.document('cafe\u0301 caf\u00e9\n')
  succeeded(await made.swap('caf\u00e9', 'tea'))
  assert.is(await made.markdown(), 'cafe\u0301 tea\n')
})

test('interface §4.5: dryRun answers the resulting markdown and commits nothing', async () => {
  const made = await service.document('one\n')
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const body = succeeded(await made.patch({ edits }, { query: '?dryRun=true' }))
  assert.is(body['markdown'], 'two\n')
  assert.equal([await made.markdown(), await made.revision()], ['one\n', 1])
  const bad = { edits: [{ old_string: 'zzz', new_string: 'two' }] }
  refused(await made.patch(bad, { query: '?dryRun=true' }), 409, 'EDIT_NOT_FOUND')
})

test('interface §4.5: dryRun=false commits, another value is refused', async () => {
  const made = await service.document('one\n')
  const edits = [{ old_string: 'one', new_string: 'two' }]
  refused(await made.patch({ edits }, { query: '?dryRun=maybe' }), 400, 'INVALID_REQUEST')
  assert.is(succeeded(await made.patch({ edits }, { query: '?dryRun=false' }))['revision'], 2)
})

test('extensions §8: an edit past 4 MiB of markdown is PAYLOAD_TOO_LARGE', async () => {
  const made = await service.document('x\n')
  const answer = await made.swap('x', 'word '.repeat(900_000))
  refused(answer, 413, 'PAYLOAD_TOO_LARGE')
  assert.is(await made.revision(), 1)
})

test.run()
