/**
 * What a revert stores (extensions §12): a reference to the text that it brings
 * back, however long that is; and the past is told as before.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { copiedChange, storedChars, wholeOf } from '../../../core/commit/copied-text.ts'
import {
  decodeHistoryRow,
  encodeHistoryRow,
  openHistoryRow,
} from '../../../core/commit/history-row.ts'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { applyChange } from '../../../core/text/text-change.ts'
import { diffStrings } from '../../../core/text/text-diff.ts'
import { docHistory, docSectionRange, docText } from '../../../persistence/keys.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import { Chance } from '../../chance.ts'
import { type Created, startService } from '../../unit/rest/service.ts'

const service = await startService()
test.after(() => service.close())

const bytesOf = async (slug: string, section: 'history' | 'text') => {
  let bytes = 0
  for await (const { value } of service.store.scan(docSectionRange(slug as Slug, section))) {
    bytes += value.length
  }
  return bytes
}

async function replaced({ slug, token }: Created, base: number, markdown: string) {
  const body = { replace_document: markdown, base_revision: base }
  const answer = await service.call('PATCH', `/docs/${slug}`, { token, body })
  assert.is(answer.status, 200, answer.text.slice(0, 200))
  return Number(answer.json['revision'])
}

async function reverted({ slug, token }: Created, base: number, revision: number) {
  const body = { revision, base_revision: base }
  const answer = await service.call('POST', `/docs/${slug}/revert`, { token, body })
  assert.is(answer.status, 200, answer.text.slice(0, 200))
  return Number(answer.json['revision'])
}

const textAt = async ({ slug, token }: Created, revision: number) => {
  const { json } = await service.call('GET', `/docs/${slug}?revision=${revision}`, { token })
  return String(json['markdown'])
}

const paragraphs = (count: number, word: string) =>
  `${Array.from({ length: count }, (_, at) => `${word} ${at} of a long text.`).join('\n\n')}\n`

test('extensions §12: a revert stores a reference, not the text', async () => {
  const long = `\`\`\`\n${'A line of a long text.\n'.repeat(8_000)}\`\`\`\n`
  const made = await service.create(long, 'Quill')
  let newest = 1
  const before = await bytesOf(made.slug, 'text')
  for (let round = 0; round < 10; round++) {
    newest = await replaced(made, newest, 'x\n')
    newest = await reverted(made, newest, 1)
  }
  assert.is(await textAt(made, newest), long)
  assert.is(await textAt(made, newest - 2), long)
  assert.ok((await bytesOf(made.slug, 'history')) < 10_000)
  assert.is(await bytesOf(made.slug, 'text'), before)
  assert.is(await verifyDocument(service.store, made.slug as Slug, service.runtime), undefined)
})

test('a revision that is far from a stored text is stored whole, once', async () => {
  const made = await service.create('x\n', 'Quill')
  const long = paragraphs(1_000, 'Sentence')
  const far = await replaced(made, 1, long)
  let newest = far
  for (let round = 0; round < 3; round++) {
    newest = await replaced(made, newest, 'x\n')
    newest = await reverted(made, newest, far)
  }
  const near = await replaced(made, newest, `${long}\nMore.\n`)
  newest = await replaced(made, near, 'x\n')
  newest = await reverted(made, newest, near)
  assert.is(await textAt(made, newest), `${long}\nMore.\n`)
  const stored = (revision: number) => service.store.get(docText(made.slug as Slug, revision))
  assert.is(Buffer.from((await stored(far))?.value ?? []).toString(), long)
  assert.is(await stored(near), undefined)
  const row = await service.store.get(docHistory(made.slug as Slug, newest))
  const opened = openHistoryRow(row?.value ?? new Uint8Array())
  assert.ok(opened.original !== undefined && opened.original >= far && opened.original < near)
  assert.is(await verifyDocument(service.store, made.slug as Slug, service.runtime), undefined)
})

test('the history of reverts is told like that of other edits: hashes and diff', async () => {
  const long = paragraphs(100, 'Word')
  const made = await service.create(long, 'Quill')
  let newest = await replaced(made, 1, 'x\n')
  newest = await reverted(made, newest, 1)
  const { token } = made
  const path = `/docs/${made.slug}`
  const { json: page } = await service.call('GET', `${path}/history`, { token })
  const [last, , first] = page['entries'] as Record<string, string>[]
  assert.is(last?.['markdown_sha256_after'], first?.['markdown_sha256_after'])
  assert.is(last?.['event'], 'revert')
  const { json: same } = await service.call('GET', `${path}/diff?from=1&to=${newest}`, { token })
  assert.equal(same['changes'], [])
  const { json: came } = await service.call('GET', `${path}/diff?from=2&to=${newest}`, { token })
  const inserted = (came['changes'] as { kind: string; text: string }[])
    .filter(({ kind }) => kind === 'insert')
    .map(({ text }) => text)
  assert.ok(inserted.join('').length > long.length / 2)
})

test('a lost original is damage, never another text', async () => {
  const made = await service.create(paragraphs(20, 'Sentence'), 'Quill')
  let newest = await replaced(made, 1, 'x\n')
  newest = await reverted(made, newest, 1)
  const kept = await service.store.get(docText(made.slug as Slug, 1))
  await service.store.commit({ deletes: [docText(made.slug as Slug, 1)] })
  const found = await verifyDocument(service.store, made.slug as Slug, service.runtime)
  assert.match(found ?? '', /the text of revision 1/)
  const value = kept?.value ?? new Uint8Array()
  await service.store.commit({ puts: [{ key: docText(made.slug as Slug, 1), value }] })
})

test('law: a copied change is the change, whatever became of the original', () => {
  const chance = new Chance(11)
  const drawn = () =>
    Array.from({ length: chance.below(12) }, () => 'word and more of it é '.repeat(chance.below(4)))
      .map((text, at) => `${at}${text}`)
      .join('\n')
  let copies = 0
  for (let round = 0; round < 500; round++) {
    const [original, text, now] = [drawn(), drawn(), drawn()]
    const former = { revision: 5, original: 3, text, change: changeBetween(original, text) }
    const splices = changeBetween(now, text)
    const rowOf = (copied: ReturnType<typeof copiedChange>) => ({
      revision: 9,
      at: 0,
      event: 'revert',
      actors: ['actor' as ActorId],
      authMethod: 'token',
      ipHash: undefined,
      splices,
      copied,
    })
    const copied = copiedChange(splices, former)
    const opened = openHistoryRow(encodeHistoryRow(rowOf(copied)))
    assert.is(opened.original, 3)
    assert.is(applyChange(now, opened.row(original).splices), text)
    const whole = openHistoryRow(encodeHistoryRow(rowOf(copiedChange(splices, wholeOf(former)))))
    assert.is(whole.original, 5)
    assert.is(applyChange(now, whole.row(text).splices), text)
    assert.throws(() => decodeHistoryRow(encodeHistoryRow(rowOf(copied))), TypeError)
    if (storedChars(copied) < text.length) copies += 1
  }
  assert.ok(copies > 50, `${copies}`)
})

/** From the first difference to the last. */
function changeBetween(from: string, to: string) {
  const splice = diffStrings(from, to, 0)
  return splice === undefined ? [] : [splice]
}

test.run()
