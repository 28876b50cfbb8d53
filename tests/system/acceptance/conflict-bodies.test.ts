/** Interface §7: whatever conflict or judgement a PATCH ends with, its body has the document. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, type Fields, type Made, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const swap = (from: string, to: string): Fields => ({
  edits: [{ old_string: from, new_string: to }],
})

/** By the share address, as somebody who is called Shared already. */
async function asAnother(made: Made): Promise<Answer> {
  const ask = { token: made.shareToken }
  const named = { slug: made.slug, display_name: 'Shared' }
  succeeded(await service.post('/agents/identify', named, ask))
  return service.patch(made.path, { ...swap('one', '1'), display_name: 'Other' }, ask)
}

async function byTheSameKey(made: Made): Promise<Answer> {
  const ask = { headers: { 'idempotency-key': 'k' } }
  succeeded(await made.patch(swap('two', '2'), ask))
  return made.patch(swap('one', '1'), ask)
}

const outcome = { id: '11111111-1111-4111-8111-111111111111', action: 'keep' }

const conflicts: Readonly<
  Record<string, readonly [number, string, (made: Made) => Promise<Answer>]>
> = {
  'a key that was used': [409, 'IDEMPOTENCY_KEY_REUSED', byTheSameKey],
  'a name that is another': [409, 'IDENTITY_MISMATCH', asAnother],
  'a text that is nowhere': [409, 'EDIT_NOT_FOUND', (made) => made.patch(swap('absent', 'x'))],
  'a base to come': [
    409,
    'EDIT_STALE_FUTURE',
    (made) => made.patch({ ...swap('one', '1'), base_revision: 9 }),
  ],
  'a base that is gone': [
    409,
    'EDIT_STALE',
    (made) => made.patch({ replace_document: 'x', base_revision: 0 }),
  ],
  'a comment that is nowhere': [
    422,
    'COMMENT_NOT_FOUND',
    (made) => made.patch({ ...swap('one', '1'), comment_outcomes: [outcome] }),
  ],
  'raw HTML': [422, 'INVALID_MARKDOWN', (made) => made.patch(swap('one', '<b>1</b>'))],
}

for (const [name, [status, code, refusal]] of Object.entries(conflicts)) {
  test(`interface §7: ${name} is ${code} with markdown and revision`, async () => {
    const made = await service.document('one two\n')
    const answer = await refusal(made)
    refused(answer, status, code)
    const read = succeeded(await made.read())
    assert.is(answer.body['markdown'], read['markdown'])
    assert.is(answer.body['revision'], read['revision'])
  })
}

test('interface §4.7: a refusal for the comments names its sender too', async () => {
  const { path, token } = await service.nameless('one\n')
  const body = { ...swap('one', '1'), display_name: 'Ann', comment_outcomes: [outcome] }
  refused(await service.patch(path, body, { token }), 422, 'COMMENT_NOT_FOUND')
  assert.is(succeeded(await service.get(path, token))['display_name'], 'Ann')
})

test.run()
