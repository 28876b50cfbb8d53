/** A list of documents in pages: each once, in order, and whole when the service says so. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../../../../web/api/http.ts'
import type { DocumentPage } from '../../../../web/api/library.ts'
import { DocumentList } from '../../../../web/home/document-list.ts'

const listed = (slug: string) => ({ slug, title: slug, at: 0, role: 'owner' })
const page = (slugs: string, next?: string): DocumentPage => ({
  documents: [...slugs].map(listed),
  folders: [],
  path: [],
  next,
})

/** Answers in the order asked; what is asked by is kept. */
function listOf(...pages: readonly (DocumentPage | ApiError)[]) {
  const asked: (string | undefined)[] = []
  const list = new DocumentList(async (after) => {
    const answer = pages[asked.push(after) - 1]
    if (answer === undefined) throw new TypeError('asked once too often')
    if (answer instanceof ApiError) throw answer
    return answer
  })
  const slugs = () =>
    list.state
      .get()
      .documents.map(({ slug }) => slug)
      .join('')
  return { list, asked, slugs }
}

test('page after page; what moved to a later page meanwhile stands once', async () => {
  const { list, asked, slugs } = listOf(page('abc', 'c'), page('cde', 'e'), page('f'))
  for (let turn = 0; turn < 5; turn++) await list.more()
  assert.equal([slugs(), asked], ['abcdef', [undefined, 'c', 'e']])
  assert.ok(list.state.get().isWhole)
})

test('a page that fails says why, and is asked for again where it was', async () => {
  const offline = new ApiError(0, 'OFFLINE', '')
  const { list, asked, slugs } = listOf(page('ab', 'b'), offline, page('c'))
  await list.more()
  await list.more()
  assert.match(list.state.get().problem ?? '', /Could not reach/)
  await list.more()
  assert.equal([slugs(), asked], ['abc', [undefined, 'b', 'b']])
  assert.is(list.state.get().problem, undefined)
})

test('what is taken out comes back where it was; a new beginning forgets an old page', async () => {
  const { list, slugs } = listOf(page('abc', 'c'), page('de'), page('xa'))
  await list.more()
  const putBack = list.take('b')
  assert.is(slugs(), 'ac')
  putBack()
  putBack()
  assert.is(slugs(), 'abc')
  const late = list.more()
  await list.refresh()
  await late
  assert.is(slugs(), 'xa')
  assert.ok(list.state.get().isWhole)
})

test('a search asks for as many as it looks through, and stops where nothing comes', async () => {
  const { list, asked } = listOf(page('ab', 'b'), page('cd', 'd'), new ApiError(429, 'BUSY', ''))
  await list.upTo(4)
  assert.is(asked.length, 2)
  await list.upTo(1_000)
  assert.is(asked.length, 3)
})

test.run()
