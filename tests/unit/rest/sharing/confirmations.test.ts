/** Confirmations of short links in a browser (interface §4.10, extensions §4). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

/** A document’s short link, by its code. */
async function owned() {
  const { slug, token } = await service.create('# One\n', 'Maker')
  const { json } = await service.call('POST', `/docs/${slug}/share-link`, { token })
  return { code: String(json['code']) }
}

const get = (path: string) => service.call('GET', path)

test('§13 a navigation to a confirmation shows a button and spends nothing; its POST spends it', async () => {
  const { code } = await owned()
  const { json } = await get(`/s/${code}`)
  const { pathname } = new URL(String(json['confirmation_url']))
  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const people = [
    { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    { Accept: html },
    { Accept: 'text/html' },
  ]
  for (const headers of people) {
    const page = await service.call('GET', pathname, { headers })
    assert.is(page.status, 200)
    assert.match(page.text, /<form method="post"><button/)
    assert.not.match(page.text, /token|http/)
    assert.match(String(page.headers['content-security-policy']), "form-action 'self' https://docs")
  }
  const scanner = { Accept: html, 'User-Agent': 'Slackbot 1.0' }
  const seen = await service.call('GET', pathname, { headers: scanner })
  assert.equal([seen.status, /<form/.test(seen.text)], [200, false])
  const pressed = await service.call('POST', pathname, {
    raw: '',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  assert.is(pressed.status, 303)
  assert.match(String(pressed.headers.location), /^https:\/\/docs\.example\/d\/\w+\?token=shr_/)
  assert.is((await service.call('POST', pathname)).status, 410)
  assert.is((await service.call('GET', pathname, { headers: { Accept: html } })).status, 410)
  assert.is((await get(pathname)).json['code'], 'CONFIRMATION_SPENT')
})

test('§13 a client that does not navigate spends a confirmation, whatever it accepts', async () => {
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5,*/*', 'text/html,*/*', '']) {
    const { code } = await owned()
    const { json } = await get(`/s/${code}`)
    const { pathname } = new URL(String(json['confirmation_url']))
    const headers = accept === '' ? {} : { Accept: accept }
    assert.is((await service.call('GET', pathname, { headers })).status, 302, accept)
  }
})

test.run()
