/** Pages of diffs and of changed blocks (extensions §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  diffPageChars,
  pageOf,
  sincePageChars,
} from '../../../core/documents/history/comparisons.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { type Created, startService } from '../../unit/rest/service.ts'

const service = await startService()
test.after(() => service.close())

interface Change {
  readonly kind: string
  readonly text: string
  readonly from?: number
  readonly to?: number
}

async function pagesOf<T>({ slug, token }: Created, path: string) {
  const pages: { readonly changes: readonly T[]; readonly bytes: number; readonly to: number }[] =
    []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const at = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await service.call('GET', `/docs/${slug}${path}${at}`, { token })
    assert.is(answer.status, 200)
    const { changes, next_cursor: next, to } = answer.json
    pages.push({ changes: changes as T[], bytes: answer.bytes.length, to: Number(to) })
    assert.ok(next === null || (next !== cursor && typeof next === 'string'))
    cursor = next
  }
  return pages
}

const block = (line: string, lines: number) => `\`\`\`\n${`${line}\n`.repeat(lines)}\`\`\`\n`

async function replaced({ slug, token }: Created, base: number, markdown: string) {
  const body = { replace_document: markdown, base_revision: base }
  const answer = await service.call('PATCH', `/docs/${slug}`, { token, body })
  assert.is(answer.status, 200, answer.text.slice(0, 200))
}

test('extensions §12: a long diff comes in pages that together are all of it', async () => {
  const [before, after] = [block('old 🦊 line', 60_000), block('entirely other', 50_000)]
  const made = await service.create(before, 'Quill')
  await replaced(made, 1, after)
  const pages = await pagesOf<Change>(made, '/diff?from=1&to=2')
  assert.ok(pages.length > 3, `${pages.length}`)
  for (const { bytes } of pages) assert.ok(bytes < 2 * diffPageChars, `${bytes}`)
  const changes = pages.flatMap((page) => page.changes)
  let [old, next] = [before, after]
  for (const { kind, text, from = 0, to = 0 } of changes.toReversed()) {
    if (kind === 'delete') {
      assert.is(old.slice(from, from + text.length), text)
      old = old.slice(0, from) + old.slice(from + text.length)
    } else {
      assert.is(next.slice(to, to + text.length), text)
      next = next.slice(0, to) + next.slice(to + text.length)
    }
  }
  assert.is(old, next, 'what neither took out nor put in is the same in both')
})

test('no page ends between the halves of a character', () => {
  const old = '🦊'.repeat(diffPageChars)
  const by = 'actor' as ActorId
  const stretches = [{ kind: 'delete' as const, from: 0, to: old.length, by }]
  let begin: { index: number; offset: number } | undefined = { index: 0, offset: 0 }
  let text = ''
  for (let pages = 0; begin !== undefined && pages < 10; pages++) {
    const page = pageOf({ old: `${old}`, next: '', stretches }, begin)
    for (const change of page.changes) {
      assert.ok(change.text.isWellFormed())
      text += change.text
    }
    begin = page.next
  }
  assert.is(text, old)
})

test('extensions §12: changed blocks come in pages', async () => {
  const paragraphs = (word: string) =>
    Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join('\n\n')
  const made = await service.create(`${paragraphs('one')}\n`, 'Quill')
  await replaced(made, 1, `${paragraphs('two')}\n`)
  interface Block {
    readonly block_id: string
  }
  const pages = await pagesOf<Block>(made, '/since?revision=1')
  assert.ok(pages.length > 1)
  for (const { bytes } of pages) assert.ok(bytes < sincePageChars, `${bytes}`)
  const ids = pages.flatMap(({ changes }) => changes.map((change) => change.block_id))
  assert.is(new Set(ids).size, ids.length)
  assert.ok(ids.length >= 3_000)
})

test('a page of changed blocks is of the revision of the first page, while that is known', async () => {
  const paragraphs = (word: string) =>
    Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join('\n\n')
  const made = await service.create(`${paragraphs('one')}\n`, 'Quill')
  await replaced(made, 1, `${paragraphs('two')}\n`)
  const { slug, token } = made
  const since = (cursor: unknown) => {
    const at = cursor === undefined ? '' : `&cursor=${cursor}`
    return service.call('GET', `/docs/${slug}/since?revision=1${at}`, { token })
  }
  const first = (await since(undefined)).json
  await replaced(made, 2, `${paragraphs('three')}\n`)
  const second = (await since(first['next_cursor'])).json
  assert.is(second['to'], 2)
  assert.is((await since(undefined)).json['to'], 3)
  const unknown = (await since('p999-5')).json
  assert.is(unknown['to'], 3)
  assert.equal(unknown['changes'], (await since(undefined)).json['changes'])
})

test('a cursor that is none is INVALID_REQUEST', async () => {
  const { slug, token } = await service.create('# Title\n', 'Quill')
  for (const path of ['/diff?from=1&to=1', '/since?revision=1']) {
    const answer = await service.call('GET', `/docs/${slug}${path}&cursor=x`, { token })
    assert.is(answer.json['code'], 'INVALID_REQUEST')
    const behind = await service.call('GET', `/docs/${slug}${path}&cursor=p900-900`, { token })
    assert.equal(behind.json['changes'], [])
  }
})

test.run()
