/** Reporting what goes wrong (interface §2.7, §4.9, §7, §8; extensions §11). */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withoutSecrets } from '../../../../core/feedback/feedback.ts'
import { errorCatalogue } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import { exportFeedback, listFeedback } from '../../../../server/feedback-export.ts'
import { png, pngChunk } from '../../../pictures.ts'
import { Browser } from '../browser.ts'
import { wholeStore } from '../documents/purge-scene.ts'
import { blobFiles, imageAs } from '../files/asset-scene.ts'
import { noRates, type ServiceSettings } from '../service.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'

const day = 24 * 3_600_000

async function scene(settings: ServiceSettings = {}) {
  const all = await openScene(settings)
  const owned = await all.owned()
  const feedback = `${owned.at}/feedback`
  const image = async (bytes = png()) => {
    const { ada } = owned
    const answer = await ada.call('POST', `${feedback}/images`, imageAs('image/png', bytes))
    assert.is(answer.status, 201, answer.text)
    return String(answer.json['url'])
  }
  const report = (body: unknown, query = '') =>
    owned.ada.call('POST', `${feedback}${query}`, { body })
  const stored = async () => {
    const found = []
    for await (const one of all.service.feedback.all()) found.push(one)
    return found
  }
  return { ...all, ...owned, feedback, image, report, stored }
}

test('interface §4.9: a report is stored with what it is about and who made it', async () => {
  const { service, report, stored, image, at } = await scene()
  const urls = [await image(), `https://docs.example${await image(png(pngChunk('prVt')))}`]
  const body = { message: 'It lost a word.', kind: 'bug', image_urls: urls }
  const answer = await report(body, '?ref=req_abc')
  assert.is(answer.status, 201, answer.text)
  assert.match(String(answer.json['feedback_id']), /^fb_[0-9a-z]{20}$/)
  assert.is((await report({ message: 'A wish' })).status, 201)
  const found = await stored()
  const full = found.find(({ report }) => report.kind === 'bug')
  assert.is(full?.report.message, 'It lost a word.')
  assert.is(full?.report.ref, 'req_abc')
  assert.match(String(full?.report.actor), /^human:/)
  assert.equal(
    full?.images.map(({ id }) => `${at}/feedback/images/${id}`),
    [urls[0], urls[1]?.slice('https://docs.example'.length)],
  )
  assert.is(found.length, 2)
  await service.close()
})

test('interface §4.9: `message` is required, `kind` one of three, at most five images, of this document', async () => {
  const { service, report, image, owned } = await scene()
  const other = await owned()
  const theirs = await other.ada.call(
    'POST',
    `${other.at}/feedback/images`,
    imageAs('image/png', png()),
  )
  const own = await image()
  const bad: readonly unknown[] = [
    ...[{}, { message: '' }, { message: '  \n' }, { message: 1 }, { kind: 'bug' }],
    ...[
      { message: 'x', kind: 'praise' },
      { message: 'x', image_urls: own },
    ],
    { message: 'x', more: 1 },
    { message: 'x', image_urls: Array(6).fill(own) },
    { message: 'x', image_urls: [theirs.json['url']] },
    { message: 'x', image_urls: [own, `${own}x`] },
    { message: 'x', image_urls: ['https://elsewhere.example/a.png'] },
    { message: 'x', image_urls: [`https://elsewhere.example${own}`] },
    { message: 'x', image_urls: [own.replace('/feedback', '')] },
  ]
  for (const body of bad) assert.is(said(await report(body)), '400 INVALID_REQUEST')
  assert.is(said(await report({ message: 'x', by: 'me' })), '400 UNEXPECTED_FIELD')
  assert.is(said(await report({ message: 'x' }, '?ref=a%20b')), '400 INVALID_REQUEST')
  const long = 'x'.repeat(limits.feedbackMessageMaxBytes)
  assert.is(said(await report({ message: `${long}x` })), '413 PAYLOAD_TOO_LARGE')
  assert.is((await report({ message: long, image_urls: Array(5).fill(own) })).status, 201)
  await service.close()
})

test('interface §4.9, extensions §11: whoever reads by a credential reports, named or not', async () => {
  const { service, ada, at, agent, shareToken, token, feedback } = await scene()
  const as = async (given?: string) =>
    said(await service.call('POST', feedback, { token: given, body: { message: 'x' } }))
  assert.is(await as(), '401 AUTH_REQUIRED')
  assert.is(await as(token), '201')
  assert.is(await as(shareToken), '201', 'it has no name')
  const quill = await agent('Quill')
  assert.is(await as(quill.token), '403 FORBIDDEN', 'general access is no part in it')
  await ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role: 'viewer' } })
  assert.is(await as(quill.token), '201')
  const visitor = new Browser(service)
  await visitor.open(`/d/${at.slice('/docs/'.length)}?token=${shareToken}`)
  assert.is((await visitor.call('POST', feedback, { body: { message: 'x' } })).status, 201)
  const send = imageAs('image/png', png())
  const made = await visitor.call('POST', `${feedback}/images`, send)
  assert.is(made.status, 201)
  const url = String(made.json['url'])
  const shown = await visitor.call('GET', url)
  assert.equal([shown.status, shown.headers['content-type']], [200, 'image/png'])
  assert.is(said(await ada.call('GET', url)), '404 NOT_FOUND', 'shown to who uploaded it')
  assert.is(said(await service.call('GET', url)), '404 NOT_FOUND')
  await ada.call('POST', `${at}/archive`)
  assert.is(await as(token), '423 DOC_ARCHIVED')
  await service.close()
})

test('interface §8: five a minute and token, with the headers of a timed quota', async () => {
  const rates = { ...noRates, feedback: 5 }
  const { service, token, feedback, report } = await scene({ config: { rates } })
  const send = () => service.call('POST', feedback, { token, body: { message: 'x' } })
  for (let left = 4; left >= 0; left--) {
    const answer = await send()
    assert.is(answer.status, 201)
    assert.is(answer.headers['ratelimit-limit'], '5')
    assert.is(answer.headers['ratelimit-remaining'], String(left))
  }
  const over = await send()
  assert.is(said(over), '429 RATE_LIMITED')
  assert.is(over.headers['retry-after'], over.headers['ratelimit-reset'])
  const wrong = await service.call('POST', feedback, { token, body: {} })
  assert.is(said(wrong), '429 RATE_LIMITED', 'before the body')
  assert.is((await report({ message: 'x' })).status, 201, 'another one’s')
  service.ahead += 61_000
  assert.is((await send()).status, 201)
  await service.close()
})

test('extensions §11: whatever documents they are for, and before anything is said of the body', async () => {
  const { service, ada, agent, at, owned } = await scene()
  const quill = await agent('Quill')
  const [first, second] = [{ ada, at }, await owned()]
  for (const one of [first, second]) {
    const body = { handle: quill.handle, role: 'viewer' }
    await one.ada.call('POST', `${one.at}/access`, { body })
  }
  const send = (document: string, n: number) => {
    const raw = png(pngChunk('prVt', Buffer.of(n)))
    const call = { ...imageAs('image/png', raw), token: quill.token }
    return service.call('POST', `${document}/feedback/images`, call)
  }
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, n) => send(n % 2 === 0 ? first.at : second.at, n)),
  )
  assert.is(answers.filter(({ status }) => status === 201).length, 25, 'also all at once')
  const others = answers.filter(({ status }) => status !== 201)
  assert.equal([...new Set(others.map(said))], ['429 RATE_LIMITED'])
  const text = { ...imageAs('text/plain', 'no picture'), token: quill.token }
  const over = await service.call('POST', `${second.at}/feedback/images`, text)
  assert.is(said(over), '429 RATE_LIMITED')
  assert.is(over.headers['ratelimit-limit'], '25')
  assert.is(over.headers['retry-after'], over.headers['ratelimit-reset'])
  await service.close()
})

test('extensions §11: 25 images a credential and day; those that no report names go after a day', async () => {
  const { service, ada, feedback, image, report, token, stored } = await scene()
  const urls: string[] = []
  for (let at = 0; at < 25; at++) urls.push(await image(png(pngChunk('prVt', Buffer.of(at)))))
  const send = imageAs('image/png', png())
  const others = await service.call('POST', `${feedback}/images`, { ...send, token })
  assert.is(others.status, 201, 'another one’s')
  assert.is(others.headers['ratelimit-remaining'], '24')
  await report({ message: 'x', image_urls: urls.slice(0, 2) })
  assert.is(blobFiles(service).length, 26)
  const twentySixth = await ada.call('POST', `${feedback}/images`, send)
  assert.is(said(twentySixth), '429 RATE_LIMITED')
  assert.ok(Number(twentySixth.headers['retry-after']) > 86_000)
  service.ahead += day - 60_000
  await service.feedback.sweep()
  assert.is(blobFiles(service).length, 26)
  service.ahead += 120_000
  await service.feedback.sweep()
  assert.is(blobFiles(service).length, 2)
  assert.is((await stored())[0]?.images.length, 2)
  await service.close()
})

test('interface §4.9: secrets are masked before anything is stored', async () => {
  const { service, report, token, shareToken, agent } = await scene()
  const quill = await agent('Quill')
  const secrets = [
    token,
    shareToken,
    quill.token,
    'hunter22hunter22',
    'eyJhbGciOi.eyJzdWIiOiIx.sig',
  ]
  const message =
    `I sent Authorization: Bearer ${secrets[0]} to /d/x?token=${secrets[1]} and ${secrets[2]}, ` +
    `password: ${secrets[3]}, ${secrets[4]}`
  assert.is((await report({ message })).status, 201)
  for (const [key, value] of await wholeStore(service.store)) {
    for (const secret of secrets) assert.not.ok(value.includes(secret), `${key} has ${secret}`)
  }
  await service.close()
})

test('interface §4.9: masking finds what is a secret and leaves words', () => {
  const long = 'A1b2C3d4E5f6G7h8I9j0'
  const masked: readonly [string, string][] = [
    [`as_${long}`, 'as_[masked]'],
    [`"access_token":"dtk_${long}"`, '"access_token":"dtk_[masked]"'],
    [`curl -H 'Authorization: Bearer ${long}' x`, "curl -H 'Authorization: Bearer [masked]' x"],
    [`?token=${long}&a=b`, '?token=[masked]&a=b'],
    [`https://me:${long}@x.y/z`, 'https://me:[masked]@x.y/z'],
    [`sk-${long} ghp_${long}`, '[masked] [masked]'],
    ['AKIAABCDEFGHIJKLMNOP', '[masked]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln and more.', '[masked] and more.'],
    ['host.example.org/x-eyJhbGciOiJIUzI1NiJ9.e30', 'host.example.org/x-[masked]'],
    [`-----BEGIN RSA PRIVATE KEY-----\n${long}\n-----END RSA PRIVATE KEY-----`, '[masked]'],
    ['Cookie: session=abcdefgh', 'Cookie: [masked]'],
  ]
  for (const [from, to] of masked) assert.is(withoutSecrets(from), to)
  const words =
    'The token was refused, my password is fine; see bid_0123456789abcdef in req_abc: as_is.'
  assert.is(withoutSecrets(words), words)
  const hostile = [
    'a'.repeat(16_384),
    '-----BEGIN PRIVATE KEY-----'.repeat(600),
    'eyJ'.repeat(5_000),
    'eyJaaaaaaaa-'.repeat(1_300),
    'eyJ-'.repeat(250_000),
    'token='.repeat(2_700),
    '://a:'.repeat(3_200),
    'Bearer '.repeat(2_300),
  ]
  for (const text of hostile) {
    const before = process.cpuUsage()
    withoutSecrets(text)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 200_000, `${text.slice(0, 20)}: ${user} µs`)
  }
})

test('interface §7: reportable errors say where and how to report them, others do not', async () => {
  const { service, ada, slug, at } = await scene()
  const stale = await ada.edit(slug, 'nowhere to be found', 'x')
  assert.is(said(stale), '409 EDIT_NOT_FOUND')
  const ref = String(stale.json['request_id'])
  assert.is(stale.json['feedback'], `${at}/feedback?ref=${ref}`)
  assert.match(String(stale.json['feedback_instruction']), /once/)
  const sent = await ada.call('POST', String(stale.json['feedback']), { body: { message: 'x' } })
  assert.is(sent.status, 201, 'as it stands')
  const other = await ada.call('PATCH', at, { body: {} })
  assert.ok(!('feedback' in other.json) && !('feedback_instruction' in other.json))
  assert.ok(Object.values(errorCatalogue).some(({ reportable }) => reportable))
  await service.close()
})

test('an operator lists and exports what came', async () => {
  const { service, report, image } = await scene()
  const url = await image()
  await report({ message: 'first\u001b[31m', image_urls: [url] })
  service.ahead += 1_000
  await report({ message: 'second', kind: 'wish' })
  const { feedback, more } = await listFeedback(service.feedback)
  assert.equal(
    [feedback.map(({ message }) => message), more],
    [['first\u001b[31m', 'second'], false],
  )
  const directory = await mkdtemp(join(tmpdir(), 'feedback-'))
  assert.is(await exportFeedback(service.feedback, directory), 2)
  const [first] = feedback
  const names = (await readdir(directory)).sort()
  assert.equal(names.length, 3)
  const shown = JSON.parse(await readFile(join(directory, `${first?.id}.json`), 'utf8'))
  assert.equal([shown.message, shown.images], ['first\u001b[31m', [`${first?.id}-1.png`]])
  assert.ok((await readFile(join(directory, shown.images[0]))).equals(png()))
  const again = await exportFeedback(service.feedback, directory).catch((error: Error) => error)
  assert.instance(again, Error, 'not into a directory with anything in it')
  await rm(directory, { recursive: true })
  await service.close()
})

test.run()
