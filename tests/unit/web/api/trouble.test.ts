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

test.run()
