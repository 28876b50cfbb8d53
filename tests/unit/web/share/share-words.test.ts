/** Sharing in words: roles, times, and what went wrong. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../../../../web/api/http.ts'
import { expiryOf } from '../../../../web/share/expiry.ts'
import {
  agoWords,
  endWords,
  generalWords,
  handleWords,
  isMore,
  problemOf,
} from '../../../../web/share/words.ts'

const minute = 60_000
const day = 24 * 60 * minute
const now = Date.parse('2026-11-24T10:00:00Z')
const at = (ms: number) => new Date(now + ms).toISOString()

test('who may come by the link', () => {
  assert.is(generalWords({ mode: 'anyone', role: 'editor' }), 'Anyone with the link can edit.')
  const closed = generalWords({ mode: 'restricted', role: 'editor' })
  assert.is(closed, 'Only people with access can open it.')
  assert.ok(isMore('editor', 'commenter') && !isMore('viewer', 'viewer'))
})

test('a guest’s handle and a token’s are not shown', () => {
  assert.is(handleWords('ada'), '@ada')
  assert.is(handleWords('guest-k2j4h5'), 'guest')
  assert.is(handleWords('anon.tkn.x'), undefined)
})

test('when: how long ago, until when, over', () => {
  assert.is(agoWords(at(-20_000), now), 'just now')
  assert.is(agoWords(at(-5 * minute), now), '5 minutes ago')
  assert.is(agoWords(at(-day), now), 'yesterday')
  assert.is(endWords(null, now), undefined)
  assert.is(endWords(at(-1), now), 'expired')
  assert.match(endWords(at(10 * day), now) ?? '', /^until .*2026/)
})

test('an end is a while from now, or the end of a day here', () => {
  assert.is(expiryOf({ end: '', day: '' }), undefined)
  assert.is(expiryOf({ end: 'day', day: '' }), undefined)
  const last = new Date(expiryOf({ end: 'day', day: '2027-01-31' }) ?? '')
  assert.equal([last.getDate(), last.getHours(), last.getMinutes()], [31, 23, 59])
  const week = Date.parse(expiryOf({ end: '7', day: '' }) ?? '') - Date.now()
  assert.ok(Math.abs(week - 7 * day) < minute)
})

test('what went wrong, in words for the place where it did', () => {
  const refused = (status: number, code: string, more = {}) =>
    new ApiError(status, code, `message of ${code}`, more)
  const said = (path: string, message: string) =>
    problemOf(refused(400, 'INVALID_REQUEST', { body: { issues: [{ path, message }] } }))
  assert.match(said('/name', 'is reserved'), /is reserved/)
  assert.match(said('/name', 'takes 2 to 64 …'), /2 to 64 lowercase letters/)
  assert.match(said('/expires_at', 'must be in the future'), /past/)
  assert.match(said('/role', 'x'), /could not read this request/)
  assert.match(problemOf(refused(429, 'RATE_LIMITED', { retryAfterS: 600 })), /in 10 minutes/)
  assert.match(problemOf(refused(0, 'OFFLINE')), /Could not reach/)
  assert.is(problemOf(refused(409, 'NAME_TAKEN'), { NAME_TAKEN: 'Taken.' }), 'Taken.')
  assert.is(problemOf(refused(409, 'LIMIT_REACHED')), 'message of LIMIT_REACHED.')
})

test.run()
