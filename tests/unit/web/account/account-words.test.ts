/** What the page says of accounts: why a form was not taken, and how a sign-in elsewhere ended. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asHandle, suggestedHandle } from '../../../../web/account/handles.ts'
import { handleProblem, newPasswordProblem, problemOf } from '../../../../web/account/problems.ts'
import { ApiError } from '../../../../web/api/http.ts'
import { Trouble, troubleWords } from '../../../../web/api/trouble.ts'
import { failedWords } from '../../../../web/home/sign-in-outcome.ts'

const refused = (status: number, code: string, retryAfterS?: number) =>
  new ApiError(status, code, `message of ${code}`, retryAfterS === undefined ? {} : { retryAfterS })

test('a refusal is in words for its field, or says when to try again', () => {
  const taken = { field: 'handle', text: '@ada is taken. Try another handle.' } as const
  assert.equal(problemOf(refused(409, 'HANDLE_TAKEN'), { HANDLE_TAKEN: taken }), taken)
  const said: readonly (readonly [ApiError, string])[] = [
    [refused(429, 'RATE_LIMITED', 41), 'Too many requests. Try again in 41 seconds.'],
    [refused(429, 'RATE_LIMITED', 600), 'Too many requests. Try again in 10 minutes.'],
    [refused(429, 'BUSY', 1), 'The server is busy. Try again in a second.'],
    [refused(503, 'UNAVAILABLE', 5), 'The server is busy. Try again in 5 seconds.'],
    [refused(0, 'OFFLINE'), 'Could not reach the server. Check your connection and try again.'],
    [refused(401, 'AUTH_REQUIRED'), 'You were signed out. Reload the page and try again.'],
    [refused(418, 'NEW'), 'message of NEW.'],
  ]
  for (const [error, text] of said) assert.equal(problemOf(error), { text })
  assert.is(troubleWords(new Trouble('Not here.')), 'Not here.')
  assert.is(troubleWords(new TypeError('a.b is undefined')), 'Something went wrong. Try again.')
})

test('handles and passwords that the service would refuse are not sent', () => {
  for (const handle of ['ad', 'a-1_b', '0'.repeat(39)]) {
    assert.is(handleProblem(handle), undefined, handle)
  }
  for (const handle of ['', 'a', '-a', 'Ada', 'a b', 'ä1', '0'.repeat(40)]) {
    assert.is(handleProblem(handle)?.field, 'handle', handle)
  }
  // Characters, not code units.
  assert.is(newPasswordProblem('🙂'.repeat(8)), undefined)
  assert.match(newPasswordProblem('🙂'.repeat(7))?.text ?? '', /at least 8/)
  assert.match(newPasswordProblem('x'.repeat(201))?.text ?? '', /at most 200/)
})

test('a name suggests a handle; an @ before one is no part of it', () => {
  const suggested = ['Béa Lin', '  Dr. O’Neil ', '漢字', '-_x', 'a'.repeat(60)].map(suggestedHandle)
  assert.equal(suggested, ['bea-lin', 'dr-o-neil', '', 'x', 'a'.repeat(39)])
  assert.is(asHandle(' @Ada '), 'ada')
})

test('how a detour to the provider of identities ended, for each code', () => {
  const words = (code: string, more: { isCancelled?: boolean; isLinking?: boolean } = {}) => {
    const failed = failedWords({ code, isCancelled: false, isLinking: false, ...more })
    return `${failed.title}. ${failed.text}`
  }
  assert.is(
    words('LOGIN_FAILED', { isCancelled: true }),
    'You were not signed in. Signing in was cancelled.',
  )
  assert.match(words('LOGIN_FAILED'), /failed or took too long/)
  assert.match(words('FORBIDDEN'), /no account here/)
  assert.match(words('UNAVAILABLE'), /not responding/)
  assert.match(words('RATE_LIMITED'), /Too many attempts/)
  assert.match(words('IDENTITY_TAKEN', { isLinking: true }), /not linked.* another account/)
  assert.match(words('FORBIDDEN', { isLinking: true }), /from your account page/)
  assert.match(words('AUTH_REQUIRED', { isLinking: true }), /Sign in to the account/)
})

test.run()
