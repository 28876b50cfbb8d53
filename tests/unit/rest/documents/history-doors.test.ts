/**
 * Who is told of the past and in which forms (interface §4.11; extensions §12): roles, pages of the
 * log, a revision as a file, and histories that older services wrote.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHistoryRow, encodeHistoryRow } from '../../../../core/commit/history-row.ts'
import type { Writer } from '../../../../core/documents/contract.ts'
import { docHistory } from '../../../../persistence/keys.ts'
import { logLinesPerPage } from '../../../../rest/documents/history.ts'
import type { ActorId, Slug } from '../../../../schema/ids.ts'
import type { Answered } from '../service.ts'
import { list, openScene, said } from '../sharing/sharing-scene.ts'

const { service, owned } = await openScene()
test.after(() => service.close())

type Sheet = Awaited<ReturnType<typeof owned>>

/** Answers the revision that it made. */
async function edit({ at, token }: Sheet, from: string, to: string): Promise<number> {
  const body = { edits: [{ old_string: from, new_string: to }] }
  const { status, json } = await service.call('PATCH', at, { token, body })
  assert.is(status, 200)
  return Number(json['revision'])
}

/** As a service wrote rows that kept neither authors nor blocks. */
async function asOfOld({ slug }: Sheet, revision: number, actors?: readonly string[]) {
  const key = docHistory(slug as Slug, revision)
  const stored = await service.store.get(key)
  const { credits: _, blocks: __, ...row } = decodeHistoryRow(stored?.value ?? new Uint8Array())
  const value = encodeHistoryRow({ ...row, actors: (actors as ActorId[]) ?? row.actors })
  await service.store.commit({ puts: [{ key, value }] })
}

test('§7 viewers and commenters: 403 on all of the history but since', async () => {
  const sheet = await owned()
  const { ada, at, restrict } = sheet
  await edit(sheet, 'text', 'words')
  for (const role of ['viewer', 'commenter']) {
    const { json } = await ada.call('POST', `${at}/access`, { body: { role } })
    const token = String(json['access_token'])
    const body = { display_name: 'Vic', slug: sheet.slug }
    await service.call('POST', '/agents/identify', { token, body })
    const calls = [
      ['GET', '/history'],
      ['GET', '/log.md'],
      ['GET', '?revision=1'],
      ['GET', '?revision=1&format=okf'],
      ['GET', '?revision=99'],
      ['GET', '/diff?from=1&to=2'],
      ['PUT', '/revisions/1/name', { name: 'Draft' }],
      ['POST', '/revert', { revision: 1, base_revision: 2 }],
      ['POST', '/revert?dryRun=true', { revision: 1, base_revision: 2 }],
    ] as const
    for (const [method, path, content] of calls) {
      const answer = await service.call(method, at + path, { token, body: content })
      assert.is(said(answer), '403 FORBIDDEN', `${role} ${method} ${path}`)
    }
    assert.is(said(await service.call('GET', `${at}/since?revision=1`, { token })), '200')
  }
  await restrict()
  for (const path of [
    '/history',
    '/log.md',
    '?revision=1',
    '/diff?from=1&to=2',
    '/since?revision=1',
  ])
    assert.is((await service.call('GET', at + path)).status, 401, path)
})

test('§4.11 log.md goes on where its Link leads, to the first revision', async () => {
  const { slug, token, at } = await owned('text0\n')
  const writer: Writer = { actor: 'ai:one' as ActorId, authMethod: 'token' }
  let [revision, dots] = [0, 0]
  while (revision < logLinesPerPage + 2) {
    const edits = [{ old_string: `text${dots}`, new_string: `text${++dots}` }]
    const wish = { edits, dryRun: false, writer }
    revision = (await service.documents.patch(slug as Slug, wish)).revision
  }
  const pages: number[][] = []
  for (let next: string | undefined = `${at}/log.md`; next !== undefined; ) {
    const { text, headers } = await service.call('GET', next, { token })
    pages.push([...text.matchAll(/\(revision (\d+)\)$/gm)].map(([, number]) => Number(number)))
    const link = String(headers['link'] ?? '')
    next = /^<https:\/\/docs\.example([^>]+)>; rel="next"$/.exec(link)?.[1]
    assert.is(next === undefined, link === '')
  }
  const told = pages.flat()
  assert.equal(
    told,
    Array.from({ length: revision }, (_, index) => revision - index),
  )
  assert.equal(
    pages.map(({ length }) => length),
    [logLinesPerPage, revision - logLinesPerPage],
  )
})

test('extensions §12: a revision as a file; nothing else of the present is told', async () => {
  const sheet = await owned('---\ntype: Note\n---\n\n# One\n\ntext\n')
  const { at, token } = sheet
  await edit(sheet, 'text', 'words')
  const file = await service.call('GET', `${at}?revision=1&format=okf`, { token })
  assert.match(file.headers['content-type'] ?? '', 'text/markdown')
  assert.match(file.text, /^---\ntype: Note\ntitle: One\n/)
  assert.match(file.text, /\n {2}revision: 1\n/)
  assert.ok(file.text.endsWith('# One\n\ntext\n'), file.text)
  const path = '?docs&revision=1&include=block_quotes,manifest,authorship&suggestions=open'
  const { json } = await service.call('GET', at + path, { token })
  const fields = ['at', 'actor_id', 'authorship', 'content_hash', 'id', 'markdown', 'revision']
  assert.equal(Object.keys(json).sort(), [...fields, 'title'].sort())
  const bad = await service.call('GET', `${at}?revision=1&suggestions=all`, { token })
  assert.is(said(bad), '400 INVALID_FILTER')
})

test('extensions §12: where several wrote and no author was kept, nobody is told', async () => {
  const sheet = await owned('one two\n')
  const { at, token } = sheet
  const revision = await edit(sheet, 'two', 'three')
  await edit(sheet, 'one', 'four')
  await asOfOld(sheet, revision, ['ai:one', 'ai:two'])
  const path = `${at}?revision=${revision}&include=authorship`
  const { json } = await service.call('GET', path, { token })
  const markdown = String(json['markdown'])
  assert.is(markdown, 'one three\n')
  const runs = list({ json } as Answered, 'authorship')
  const authorOf = (word: string) => {
    const at = markdown.indexOf(word)
    return runs.find(({ from, to }) => Number(from) <= at && at < Number(to))?.['author']
  }
  assert.is(authorOf('hree'), 'unknown:unattributed')
  assert.match(String(authorOf('one')), /^ai:/)
})

test('since a revision whose rows do not tell blocks: told by the lines of its text', async () => {
  const sheet = await owned('kept\n\nold\n\ngone\n')
  const { at, token } = sheet
  for (const [from, to] of [
    ['old', 'new'],
    ['\n\ngone', ''],
  ] as const) {
    await asOfOld(sheet, await edit(sheet, from, to))
  }
  const since = await service.call('GET', `${at}/since?revision=1`, { token })
  const { json } = await service.call('GET', `${at}?include=block_quotes`, { token })
  const blocks = new Map(
    list({ ...since, json }, 'content_blocks').map((b) => [b['id'], b['quote']]),
  )
  const changes = list(since, 'changes').map(({ block_id, kind }) => [blocks.get(block_id), kind])
  assert.equal(changes, [['new', 'changed']])
  for (const revision of ['0', 'x', '1e3', '']) {
    const refused = await service.call('GET', `${at}/since?revision=${revision}`, { token })
    assert.is(said(refused), '400 INVALID_REQUEST', revision)
  }
  const future = await service.call('GET', `${at}/since?revision=999`, { token })
  assert.is(said(future), '404 NOT_FOUND')
})

test.run()
