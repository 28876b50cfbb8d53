/**
 * Requests that meet in the same moment: one of them has what both wanted, and the other is told so
 * or has the next thing. No lost race is told as an outage (503), nor as a bug (500).
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { png } from '../../../pictures.ts'
import { Browser } from '../browser.ts'
import type { Answered } from '../service.ts'
import { openScene } from '../sharing/sharing-scene.ts'

const { agent, owned, person, service } = await openScene()
test.after(() => service.close())

const atOnce = (count: number) => Array.from({ length: count }, (_, index) => index)
const said = ({ status, json }: Answered) =>
  status < 400 ? `${status}` : `${status} ${json['code']}`
const outcomes = async (send: (index: number) => Promise<Answered>, count = 8) =>
  (await Promise.all(atOnce(count).map(send))).map(said).sort()

test('bots of one name are all made, each with a slug of its own', async () => {
  const { browser } = await person('Ada')
  const make = () => browser.call('POST', '/workspace/bots', { body: { name: 'Helper' } })
  const answers = await Promise.all(atOnce(8).map(make))
  assert.equal(new Set(answers.map(said)), new Set(['201']))
  assert.is(new Set(answers.map(({ json }) => json['bot_slug'])).size, 8)
})

test('of bots of one slug the first is made, the others are 409 HANDLE_TAKEN', async () => {
  const { browser } = await person('Ada')
  const body = { name: 'Helper', slug: 'one' }
  const make = () => browser.call('POST', '/workspace/bots', { body })
  assert.equal(await outcomes(make, 4), ['201', ...Array(3).fill('409 HANDLE_TAKEN')])
})

test('a bot that is made while its account takes another name is made', async () => {
  const { browser } = await person('Ada')
  const answers = await Promise.all(
    atOnce(12).map((index) =>
      index % 2 === 0
        ? browser.call('POST', '/workspace/bots', { body: { name: `Bot ${index}` } })
        : browser.call('PATCH', '/auth/me', { body: { name: `Ada ${index}` } }),
    ),
  )
  assert.equal(new Set(answers.map(said)), new Set(['200', '201']))
})

test('of agents of one handle the first is registered', async () => {
  const body = { name: 'Robo', handle: 'robo-race' }
  const register = () => service.call('POST', '/agents/register', { body })
  assert.equal(await outcomes(register, 4), ['201', ...Array(3).fill('409 HANDLE_TAKEN')])
  const many = () => service.call('POST', '/agents/register', { body: { name: 'Same' } })
  assert.equal(await outcomes(many), Array(8).fill('201'))
})

test('of sign-ups of one handle the first is made', async () => {
  const body = { handle: 'race-handle', name: 'Mia', password: 'correct horse' }
  const signUp = () => new Browser(service).call('POST', '/auth/signup', { body })
  assert.equal(await outcomes(signUp, 4), ['201', ...Array(3).fill('409 HANDLE_TAKEN')])
})

test('of folders of one name one is made, and the others are it', async () => {
  const { browser } = await person('Ada')
  const body = { name: 'Plans', library_target: { kind: 'personal' } }
  const make = () => browser.call('POST', '/docs/folders', { body })
  const answers = await Promise.all(atOnce(8).map(make))
  assert.equal(answers.map(said).sort(), [...Array(7).fill('200'), '201'])
  const ids = answers.map(({ json }) => (json['node'] as { id: string }).id)
  assert.is(new Set(ids).size, 1)
})

test('many documents, owner keys and links that one account makes at once are all made', async () => {
  const { browser } = await person('Ada')
  const create = (index: number) =>
    browser.call('POST', '/docs', { body: { markdown: `# ${index}\n` } })
  assert.equal(await outcomes(create, 24), Array(24).fill('201'))
  const key = () => browser.call('POST', '/auth/owner-keys', { body: {} })
  assert.equal(await outcomes(key, 12), Array(12).fill('201'))
  const { at, token } = await owned()
  const link = () => service.call('POST', `${at}/links`, { token, body: {} })
  assert.equal(await outcomes(link, 24), Array(24).fill('201'))
})

test('of links of one name the first has it, also across documents', async () => {
  const [one, other] = [await owned(), await owned()]
  const quill = await agent('Quill')
  for (const { at, token } of [one, other]) {
    const body = { handle: quill.handle, role: 'editor' }
    assert.is((await service.call('POST', `${at}/access`, { token, body })).status, 201)
  }
  const link = (index: number) =>
    service.call('POST', `${index % 2 === 0 ? one.at : other.at}/links`, {
      token: quill.token,
      body: { name: 'race-name' },
    })
  assert.equal(await outcomes(link), ['201', ...Array(7).fill('409 NAME_TAKEN')])
})

test('many images, artifacts and reports of one document at once are all kept', async () => {
  const { ada, at, token } = await owned()
  const image = () =>
    ada.call('POST', `${at}/images`, { raw: png(), headers: { 'Content-Type': 'image/png' } })
  assert.equal(await outcomes(image, 40), Array(40).fill('201'))
  const artifact = (index: number) =>
    ada.call('POST', `${at}/artifacts`, {
      raw: Buffer.from(`<!doctype html><title>${index}</title>`),
      headers: { 'Content-Type': 'text/html' },
    })
  assert.equal(await outcomes(artifact, 20), Array(20).fill('201'))
  const report = () => service.call('POST', `${at}/feedback`, { token, body: { message: 'x' } })
  assert.equal(await outcomes(report, 40), Array(40).fill('201'))
})

test('a claim that is asked for at once by many makes one owner', async () => {
  const made = await service.create('# One\n', 'Maker')
  const claims = atOnce(6).map(async (index) => {
    const browser = new Browser(service)
    await browser.open(`/d/${made.slug}?token=${made.shareToken}`)
    await browser.guest(`Guest ${index}`)
    return browser.call('POST', `/docs/${made.slug}/claim`)
  })
  const answers = (await Promise.all(claims)).map(said).sort()
  assert.equal(answers, ['200', ...Array(5).fill('409 ALREADY_OWNED')])
})

test.run()
