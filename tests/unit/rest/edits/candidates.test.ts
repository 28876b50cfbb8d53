/** Interface §7: EDIT_NOT_FOUND says where the text may have been meant, over real sockets. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Created, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const patch = ({ slug, token }: Created, body: object) =>
  service.call('PATCH', `/docs/${slug}`, { token, body })

const replace = (oldString: string) => ({ old_string: oldString, new_string: 'x' })

const markdown = '# Plan\n\nThe quick brown fox.\n\nA lazy dog.\n'

interface Candidate {
  readonly offset: number
  readonly block_id: string | null
  readonly text: string
  readonly difference: string
}

test('a single failing edit carries its candidates, and nothing is written', async () => {
  const made = await service.create(markdown, 'Ada')
  const { status, json } = await patch(made, { edits: [replace('the quick  brown fox')] })
  assert.is(`${status} ${json['code']}`, '409 EDIT_NOT_FOUND')
  const [candidate, ...others] = json['candidates'] as Candidate[]
  assert.equal(others, [])
  assert.is(candidate?.text, 'The quick brown fox')
  assert.is(candidate?.difference, 'several')
  assert.is(json['markdown'], markdown)
  assert.is(markdown.slice(candidate?.offset, Number(candidate?.offset) + 19), candidate?.text)
  assert.equal((json['edits'] as { candidates: unknown }[])[0]?.candidates, json['candidates'])
  const block = await service.call('GET', `/docs/${made.slug}/blocks/${candidate?.block_id}`)
  assert.is(block.json['quote'], 'The quick brown fox.')
})

test('an anchor that is not there carries candidates, whatever the base', async () => {
  const made = await service.create(markdown, 'Ada')
  const insert = (base: number) =>
    patch(made, { edits: [{ after: 'a lazy  dog', new_string: '!' }], base_revision: base })
  const current = await insert(1)
  assert.is(current.json['code'], 'ANCHOR_NOT_FOUND')
  assert.is((current.json['candidates'] as Candidate[])[0]?.text, 'A lazy dog')
  await patch(made, { edits: [replace('Plan')] })
  const stale = await insert(1)
  assert.is(stale.json['code'], 'EDIT_NOT_FOUND')
  assert.is((stale.json['candidates'] as Candidate[])[0]?.text, 'A lazy dog')
})

test('quoting a candidate works', async () => {
  const made = await service.create(markdown, 'Ada')
  const { json } = await patch(made, { edits: [replace('a lazy dog')] })
  const [candidate] = json['candidates'] as Candidate[]
  const again = await patch(made, { edits: [replace(String(candidate?.text))] })
  assert.is(again.json['markdown'], markdown.replace('A lazy dog', 'x'))
})

test('in a batch each failed edit carries its own, in the text that comes back', async () => {
  const made = await service.create(markdown, 'Ada')
  const edits = [replace('Plan'), replace('the quick brown'), replace('nothing of the kind')]
  const { status, json } = await patch(made, { edits })
  assert.is(status, 200)
  const outcomes = json['edits'] as { ok: boolean; candidates?: Candidate[] }[]
  assert.equal(
    outcomes.map(({ ok, candidates }) => [ok, candidates?.map(({ text }) => text)]),
    [
      [true, undefined],
      [false, ['The quick brown']],
      [false, undefined],
    ],
  )
  const text = String(json['markdown'])
  const candidate = outcomes[1]?.candidates?.[0]
  assert.ok(text.startsWith('The quick brown', candidate?.offset))
})

test('only the first failed edits of a large batch are searched for', async () => {
  const made = await service.create(markdown, 'Ada')
  const { json } = await patch(made, {
    edits: Array.from({ length: 100 }, () => replace('the quick brown')),
  })
  assert.is(json['code'], 'ALL_EDITS_FAILED')
  const outcomes = json['edits'] as { candidates?: unknown }[]
  assert.is(outcomes.filter(({ candidates }) => candidates !== undefined).length, 5)
  assert.is(json['candidates'], undefined)
})

test('a text without anything near has no candidates', async () => {
  const made = await service.create(markdown, 'Ada')
  const { json } = await patch(made, { edits: [replace('zzz yyy www')] })
  assert.is(json['code'], 'EDIT_NOT_FOUND')
  assert.is(json['candidates'], undefined)
})

test.run()
