/**
 * Somebody sets the clock on the wall, an hour back or a day forward: no window of time opens or
 * closes by that (extensions §2, §4), only by time that goes by.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { idempotencyTtlMs } from '../../../../core/documents/front/idempotency.ts'
import { confirmationTtlMs } from '../../../../core/links/confirmations.ts'
import { clockJumpTrustedAfterMs } from '../../../../core/runtime/steady-runtime.ts'
import { quotaWindowMs } from '../../../../rest/quotas/quotas.ts'
import { noRates, startService } from '../service.ts'

const hourMs = 3_600_000
const jumps: readonly (readonly [what: string, ms: number])[] = [
  ['an hour back', -hourMs],
  ['a day forward', 24 * hourMs + 1],
]

for (const [what, ms] of jumps) {
  test(`${what}: a retry is still the same request, and no longer than 24 hours`, async () => {
    const service = await startService()
    const { slug, token } = await service.create('one two', 'Quill')
    const body = { edits: [{ old_string: 'one', new_string: 'one one' }] }
    const headers = { 'Idempotency-Key': 'k' }
    const edit = () => service.call('PATCH', `/docs/${slug}`, { token, body, headers })
    const create = () => service.call('POST', '/docs', { token, body: { markdown: 'x' }, headers })
    const [edited, created] = [await edit(), await create()]
    service.wallAhead = ms
    assert.equal((await edit()).json, edited.json)
    assert.is((await create()).json['id'], created.json['id'])
    service.ahead = clockJumpTrustedAfterMs - 60_000
    assert.equal((await edit()).json, edited.json)
    service.wallAhead = 0
    service.ahead = idempotencyTtlMs - 60_000
    assert.equal((await edit()).json, edited.json)
    service.ahead = idempotencyTtlMs + 60_000
    assert.is((await edit()).json['code'], 'EDIT_AMBIGUOUS')
    assert.is.not((await create()).json['id'], created.json['id'])
    await service.close()
  })

  test(`${what}: a confirmation is good for five minutes, once, and says until when`, async () => {
    const service = await startService()
    const { slug, token } = await service.create('one', 'Quill')
    const { json } = await service.call('POST', `/docs/${slug}/share-link`, { token })
    const ticket = async () => {
      const answer = await service.call('GET', `/s/${json['code']}`)
      const left = Date.parse(String(answer.json['expires_at'])) - Date.now() - service.wallAhead
      assert.ok(Math.abs(left - service.ahead - confirmationTtlMs) < 10_000, `${left}`)
      return new URL(String(answer.json['confirmation_url'])).pathname
    }
    const follow = async (path: string) => (await service.call('GET', path)).status
    const [spent, fresh, late] = [await ticket(), await ticket(), await ticket()]
    assert.is(await follow(spent), 302)
    service.wallAhead = ms
    const after = await ticket()
    assert.equal([await follow(spent), await follow(fresh), await follow(fresh)], [410, 302, 410])
    service.wallAhead = 0
    assert.equal([await follow(spent), await follow(fresh)], [410, 410])
    service.wallAhead = ms
    service.ahead = confirmationTtlMs + 1_000
    assert.equal([await follow(late), await follow(after)], [410, 410])
    await service.close()
  })

  test(`${what}: a quota is what it was`, async () => {
    const service = await startService({ config: { rates: { ...noRates, create: 1 } } })
    const create = () => service.call('POST', '/docs', { body: { markdown: 'x' } })
    assert.is((await create()).status, 201)
    service.wallAhead = ms
    const refused = await create()
    assert.is(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) <= 60)
    service.wallAhead = 0
    assert.is((await create()).status, 429)
    service.ahead = quotaWindowMs
    assert.is((await create()).status, 201)
    await service.close()
  })
}

test.run()
