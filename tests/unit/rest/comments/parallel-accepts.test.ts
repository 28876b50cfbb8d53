/** Interface §3: suggestions that are accepted in one moment, one of them often or many of them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

type Fields = Readonly<Record<string, unknown>>

const words = ['One', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

async function scene() {
  const { slug, token } = await service.create(`${words.join(' ')}.\n`, 'Quill')
  const at = `/docs/${slug}`
  const call = (method: string, path = '', body?: Fields) =>
    service.call(method, at + path, { token, ...(body && { body }) })
  const suggest = async (word: string) => {
    const suggestion = { new_string: `${word}-${word}` }
    const { status, json, text } = await call('POST', '/comments', { quote: word, suggestion })
    assert.is(status, 201, text)
    return String(json['comment_id'])
  }
  const accept = (id: string) => call('POST', `/comments/${id}/accept`)
  const read = async () => (await call('GET')).json
  return { suggest, accept, read }
}

test('§3 ten parallel accepts of one apply it once, in one revision', async () => {
  const { suggest, accept, read } = await scene()
  const id = await suggest('three')
  const { revision: before } = await read()
  const answers = await Promise.all(words.map(() => accept(id)))
  assert.equal([...new Set(answers.map(({ status }) => status))], [200])
  assert.is(new Set(answers.map(({ json }) => json['revision'])).size, 1)
  const { revision, markdown, suggestions_info: left } = await read()
  assert.is(revision, Number(before) + 1)
  assert.is(markdown, `${words.join(' ').replace('three', 'three-three')}.\n`)
  assert.equal(left, { pending: 0, stale: 0 })
})

test('§3 parallel accepts of different ones all land, each a revision', async () => {
  const { suggest, accept, read } = await scene()
  const ids: string[] = []
  for (const word of words) ids.push(await suggest(word))
  const { revision: before } = await read()
  const answers = await Promise.all(ids.map(accept))
  assert.equal([...new Set(answers.map(({ status }) => status))], [200])
  const { revision, markdown, suggestions_info: left } = await read()
  assert.is(revision, Number(before) + words.length)
  assert.is(markdown, `${words.map((word) => `${word}-${word}`).join(' ')}.\n`)
  assert.equal(left, { pending: 0, stale: 0 })
})

test.run()
