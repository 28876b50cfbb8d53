/** Interface §5 rule 2 and extensions §2: routes that take no body, sent one all the same. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, type Ask, type Made, refused, Service } from '../../client.ts'
import { Person } from './person.ts'

const service = new Service()
let made: Made
let person: Person
test.before(async () => {
  await service.start()
  made = await service.document('one\n')
  person = new Person(service)
  await person.open(made)
  await person.becomes('Ada')
})
test.after(() => service.remove())

const routes: Readonly<Record<string, (ask: Ask) => Promise<Answer>>> = {
  'share-link': (ask) =>
    service.ask('POST', `${made.path}/share-link`, { token: made.token, ...ask }),
  claim: (ask) => person.ask('POST', `${made.path}/claim`, ask),
  logout: (ask) => service.ask('POST', '/auth/logout', ask),
}

for (const [name, send] of Object.entries(routes)) {
  test(`interface §5: a by field on ${name} is UNEXPECTED_FIELD`, async () => {
    refused(await send({ body: { by: 'ai:x' } }), 400, 'UNEXPECTED_FIELD')
  })

  test(`extensions §2: a body that ${name} does not take is refused`, async () => {
    refused(await send({ body: { wish: 1 } }), 400, 'INVALID_REQUEST')
    refused(await send({ body: ['x'] }), 400, 'INVALID_REQUEST')
    refused(await send({ raw: '{' }), 400, 'INVALID_JSON')
    const text = { 'content-type': 'text/plain' }
    refused(await send({ raw: 'x', headers: text }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test(`interface §4.1: ${name} takes nothing, an empty body and an empty object`, async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const ask of [{}, { body: {} }, { raw: '' }, { raw: '', headers: form }]) {
      const answer = await send(ask)
      assert.ok(answer.status === 200 || answer.status === 201, answer.text)
    }
  })
}

test.run()
