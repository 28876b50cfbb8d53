/** What the page says where something did not work. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../../../../web/api/http.ts'
import { troubleWords } from '../../../../web/api/trouble.ts'

const told = { FORBIDDEN: 'You no longer have permission to do this.' }

test('§13 an Origin that is refused is told by its setting, not as what a person may not', () => {
  const message = 'This came from https://a.example, and the service is known as http://b.example.'
  const body = { setting: 'BASE_URL', origin: 'https://a.example', expected: 'http://b.example' }
  assert.is(troubleWords(new ApiError(403, 'FORBIDDEN', message, { body }), told), message)
  assert.is(troubleWords(new ApiError(403, 'FORBIDDEN', 'No.'), told), told.FORBIDDEN)
})

test('a request of the wrong form is not told in the words of the API', () => {
  const body = { issues: [{ path: '/text', message: 'is too long' }] }
  const message = 'The request does not have the documented form.'
  const words = 'The server could not read this request. Reload the page and try again.'
  assert.is(troubleWords(new ApiError(400, 'INVALID_REQUEST', message, { body })), words)
  assert.is(troubleWords(new ApiError(400, 'UNEXPECTED_FIELD', 'The body has a field.')), words)
  const own = new ApiError(400, 'INVALID_REQUEST', 'This link has no role.')
  assert.is(troubleWords(own), 'This link has no role.')
})

test.run()
