/** Interface §4.5: replacements with a base that is behind or ahead, and what a rebase reports. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, type Made, pick, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const sha256 = (text: unknown) => createHash('sha256').update(asText(text), 'utf8').digest('hex')

/** A document at revision 2 whose second edit turned `word` into `other`. */
async function moved(markdown: string): Promise<Made> {
  const made = await service.document(`${markdown}\n\nmoving word\n`)
  succeeded(await made.swap('moving word', 'moved on'))
  return made
}

test('interface §4.5: a stale replacement whose target stands once is rebased', async () => {
  const made = await moved('# A\n\none target here')
  const before = await made.markdown()
  const edits = [{ old_string: 'target', new_string: 'goal' }]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['rebased'], true)
  assert.is(body['base_revision'], 1)
  assert.is(body['applied_to_revision'], 2)
  assert.is(body['applied_to_markdown_sha256'], sha256(before))
  assert.is(body['revision'], 3)
  assert.is(body['markdown'], '# A\n\none goal here\n\nmoved on\n')
  assert.ok(Array.isArray(body['edits']) && 'applied' in body && 'failed' in body)
})

test('interface §4.5: a rebased target is matched canonically', async () => {
  const made = await moved('use vector\\<int\\> now')
  const edits = [{ old_string: 'vector<int>', new_string: 'list' }]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['rebased'], true)
  assert.is(body['markdown'], 'use list now\n\nmoved on\n')
})

test('interface §4.5: a current base is not called rebased', async () => {
  const made = await service.document('one\n')
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is.not(body['rebased'], true)
})

test('interface §4.5: a stale target that is gone is EDIT_NOT_FOUND with the document', async () => {
  const made = await moved('# A')
  const edits = [{ old_string: 'moving word', new_string: 'x' }]
  const answer = await made.patch({ base_revision: 1, edits })
  refused(answer, 409, 'EDIT_NOT_FOUND')
  assert.is(answer.body['revision'], 2)
  assert.is(answer.body['markdown'], '# A\n\nmoved on\n')
  assert.equal(answer.body['failed_edit_indexes'], [0])
})

test('interface §4.5: a stale target that stands twice is EDIT_AMBIGUOUS', async () => {
  const made = await moved('twin twin')
  const edits = [{ old_string: 'twin', new_string: 'x' }]
  refused(await made.patch({ base_revision: 1, edits }), 409, 'EDIT_AMBIGUOUS')
  assert.is(await made.revision(), 2)
})

test('interface §4.5: `at` needs a current revision: EDIT_STALE with the document', async () => {
  const made = await moved('# A\n\ntarget')
  const edits = [{ old_string: 'target', new_string: 'x', at: 5 }]
  const answer = await made.patch({ base_revision: 1, edits })
  refused(answer, 409, 'EDIT_STALE')
  assert.is(answer.body['revision'], 2)
  assert.is(answer.body['markdown'], '# A\n\ntarget\n\nmoved on\n')
})

test('interface §4.5: a stale batch with one `at` edit is EDIT_STALE as a whole', async () => {
  const made = await moved('one target')
  const edits = [
    { old_string: 'one', new_string: '1' },
    { old_string: 'target', new_string: 'x', at: 4 },
  ]
  refused(await made.patch({ base_revision: 1, edits }), 409, 'EDIT_STALE')
  assert.is(await made.revision(), 2)
})

test('interface §7: a base ahead of the document is EDIT_STALE_FUTURE', async () => {
  const made = await service.document('one\n')
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const answer = await made.patch({ base_revision: 2, edits })
  refused(answer, 409, 'EDIT_STALE_FUTURE')
  assert.is(answer.body['revision'], 1)
  assert.is(answer.body['markdown'], 'one\n')
})

test('interface §7: EDIT_STALE_FUTURE also refuses a dry run and a batch', async () => {
  const made = await service.document('one\n')
  const edit = { old_string: 'one', new_string: 'two' }
  const body = { base_revision: 9, edits: [edit, edit] }
  refused(await made.patch(body, { query: '?dryRun=true' }), 409, 'EDIT_STALE_FUTURE')
})

test('interface §4.5: a stale batch matches against the captured current markdown', async () => {
  const made = await moved('alpha beta')
  const edits = [
    { old_string: 'alpha', new_string: 'gamma' },
    { old_string: 'gamma', new_string: 'never' },
  ]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['markdown'], 'gamma beta\n\nmoved on\n')
  assert.equal(body['failed_edit_indexes'], [1])
  assert.is(pick(body, 'edits', 1, 'code'), 'EDIT_NOT_FOUND')
})

test('interface §7: overlapping stale edits: one applies, the other is EDIT_OVERLAP', async () => {
  const made = await moved('alpha beta gamma')
  const edits = [
    { old_string: 'alpha beta', new_string: 'x' },
    { old_string: 'beta gamma', new_string: 'y' },
  ]
  const answer = await made.patch({ base_revision: 1, edits })
  assert.ok([200, 409].includes(answer.status), answer.text)
  const codes = [0, 1].map((index) => pick(answer.body, 'edits', index, 'code'))
  assert.ok(codes.includes('EDIT_OVERLAP'), answer.text)
})

test('interface §4.5: a stale batch of good replacements is rebased in one revision', async () => {
  const made = await moved('alpha beta gamma')
  const edits = [
    { old_string: 'gamma', new_string: 'c' },
    { old_string: 'alpha', new_string: 'a' },
  ]
  const body = succeeded(await made.patch({ base_revision: 1, edits }))
  assert.is(body['rebased'], true)
  assert.is(body['revision'], 3)
  assert.is(body['markdown'], 'a beta c\n\nmoved on\n')
  assert.equal(body['failed_edit_indexes'], [])
})

test('interface §4.5: a stale dry run is rebased too and commits nothing', async () => {
  const made = await moved('target')
  const edits = [{ old_string: 'target', new_string: 'goal' }]
  const body = succeeded(await made.patch({ base_revision: 1, edits }, { query: '?dryRun=true' }))
  assert.is(body['markdown'], 'goal\n\nmoved on\n')
  assert.is(await made.markdown(), 'target\n\nmoved on\n')
})

test('interface §4.5: concurrent writers with one base all land when their targets differ', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `writer${n}x`)
  const made = await service.document(`${names.join('\n\n')}\n`)
  const answers = await Promise.all(
    names.map((name) =>
      made.patch({
        base_revision: 1,
        edits: [{ old_string: name, new_string: name.toUpperCase() }],
      }),
    ),
  )
  for (const answer of answers) assert.is(answer.status, 200, answer.text)
  const revisions = answers.map((answer) => Number(answer.body['revision']))
  assert.equal(
    revisions.sort((a, b) => a - b),
    names.map((_, n) => n + 2),
  )
  assert.is(await made.markdown(), `${names.join('\n\n').toUpperCase()}\n`)
})

test('interface §4.5: of concurrent writers of one word exactly one wins', async () => {
  const made = await service.document('prize\n')
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      made.patch({ base_revision: 1, edits: [{ old_string: 'prize', new_string: `won${n}` }] }),
    ),
  )
  const winners = answers.filter((answer) => answer.status === 200)
  assert.is(winners.length, 1)
  for (const answer of answers) if (answer.status !== 200) refused(answer, 409, 'EDIT_NOT_FOUND')
  assert.is(await made.revision(), 2)
})

test('interface §4.5: a stale target that stands once bare and once escaped is not rebased', async () => {
  const made = await moved('use vector\\<int\\> or `vector<int>`')
  const before = await made.markdown()
  const edits = [{ old_string: 'vector<int>', new_string: 'list' }]
  refused(await made.patch({ base_revision: 1, edits }), 409, 'EDIT_AMBIGUOUS')
  assert.equal([await made.markdown(), await made.revision()], [before, 2])
})

test.run()
