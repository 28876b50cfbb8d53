/** What the page takes for an answer of the service, and what it says of one that is none. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, ApiError, isPassing, successOf } from '../../../../web/api/http.ts'

interface Made {
  readonly id: string
  readonly url: string
}

const json = 'application/json; charset=utf-8'
const page = { type: 'text/html', text: '<title>Sign in</title>' }

const taken = (answer: Partial<Answer>): Made =>
  successOf<Made>({ status: 200, type: json, text: '', retryAfter: null, ...answer }, ['id', 'url'])

function failure(answer: Partial<Answer>): ApiError {
  try {
    taken(answer)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('this was taken for a success')
}

test('a success has the fields that it is asked for', () => {
  const made = { id: 'a', url: '/a', more: true }
  assert.equal(taken({ text: JSON.stringify(made) }), made)
  assert.equal(successOf({ status: 204, type: '', text: '', retryAfter: null }, []), {})
})

test('a page to sign in, or the way to it, is no success, nor a refusal of the service', () => {
  for (const answer of [
    page,
    { status: 0, type: '' },
    { status: 302, type: '' },
    { ...page, status: 401 },
    { ...page, status: 403 },
    { status: 401, text: '{"error":"unauthenticated"}' },
    { status: 401, type: '' },
    { ...page, isHead: true },
  ]) {
    const { code, status, message } = failure(answer)
    assert.equal([code, status], ['SIGN_IN_ENDED', 0], JSON.stringify(answer))
    assert.is(message, 'Your sign-in at the proxy has ended. Reload the page to sign in.')
  }
})

test('neither is what is not JSON, is broken off, or lacks what it should have', () => {
  const whole = JSON.stringify({ id: 'a', url: '/a' })
  for (const answer of [
    { text: '' },
    { text: '{"id":' },
    { text: 'null' },
    { text: '[]' },
    { text: '{"id":"a"}' },
    { text: whole, type: 'text/plain' },
    { ...page, status: 404 },
  ]) {
    assert.is(failure(answer).code, 'NOT_OF_SERVICE', JSON.stringify(answer))
    assert.is(failure(answer).status, 0)
    assert.ok(isPassing(failure(answer)))
  }
})

test('what a proxy refuses is told in words, also where the status has none', () => {
  const words = [413, 502, 503, 504].map((status) => failure({ ...page, status }))
  assert.equal(
    words.map(({ message }) => message),
    [
      'This exceeds the upload limit of the proxy in front of the server. Ask your administrator.',
      'The proxy could not reach the server. Try again in a moment.',
      'The server is unavailable. Try again in a moment.',
      'The server took too long to answer. Try again in a moment.',
    ],
  )
  assert.equal(
    words.map((error) => isPassing(error)),
    [false, true, true, true],
  )
})

test('a refusal of the service is its own words', () => {
  const body = { code: 'DOC_NOT_FOUND', error: 'No such document.' }
  const error = failure({ status: 404, text: JSON.stringify(body) })
  assert.equal([error.status, error.code, error.message], [404, body.code, body.error])
  const head = failure({ status: 401, isHead: true })
  assert.is(head.status, 401)
  const busy = { code: 'BUSY', error: 'Busy.' }
  const { retryAfterS } = failure({ status: 503, text: JSON.stringify(busy), retryAfter: '7' })
  assert.is(retryAfterS, 7)
})

test.run()
