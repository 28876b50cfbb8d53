/** Interface §4.7 and §3: who a token is, and how it gets a name. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, type Fields, type Made, pick, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const nameless = (markdown = 'one two\n'): Promise<Made> => service.nameless(markdown)

function identify(made: Made, name: unknown, token = made.token) {
  return service.post('/agents/identify', { display_name: name, slug: made.slug }, { token })
}

const edits = [{ old_string: 'one', new_string: '1' }]

test('interface §7: an unidentified write is 412 with next and slug', async () => {
  const made = await nameless()
  const answer = await made.patch({ edits })
  refused(answer, 412, 'IDENTIFY_REQUIRED')
  assert.is(answer.body['next'], 'POST /agents/identify')
  assert.is(answer.body['slug'], made.slug)
  assert.is(await made.revision(), 1)
})

test('interface §3: an unidentified token reads', async () => {
  const made = await nameless()
  assert.is(succeeded(await made.read())['your_role'], 'editor')
})

test('interface §4.7: identify answers 200 {actor_id, display_name}', async () => {
  const made = await nameless()
  const body = succeeded(await identify(made, 'Ada'))
  assert.is(body['actor_id'], made.actorId)
  assert.is(body['display_name'], 'Ada')
  succeeded(await made.patch({ edits }))
})

test('interface §4.7: identify again renames, in every read at once', async () => {
  const made = await nameless()
  succeeded(await identify(made, 'Ada'))
  succeeded(await identify(made, 'Ada'))
  succeeded(await identify(made, 'Grace'))
  const body = succeeded(await made.read('?include=authorship'))
  assert.is(body['display_name'], 'Grace')
  assert.is(pick(body, 'actors', made.actorId, 'name'), 'Grace')
  assert.is(body['revision'], 1, 'a rename bumps no revision')
})

test('interface §4.7: inline display_name on the first write is equivalent', async () => {
  const made = await nameless()
  succeeded(await made.patch({ edits, display_name: 'Inline' }))
  const body = succeeded(await made.read())
  assert.is(body['display_name'], 'Inline')
  assert.is(pick(body, 'actors', made.actorId, 'name'), 'Inline')
})

test('interface §4.7: an identified personal token ignores inline display_name', async () => {
  const made = await nameless()
  succeeded(await identify(made, 'First'))
  succeeded(await made.patch({ edits, display_name: 'Second' }))
  assert.is(succeeded(await made.read())['display_name'], 'First')
})

test('interface §4.7: inline display_name names its sender, also when the edit fails', async () => {
  const made = await nameless()
  const absent = [{ old_string: 'absent', new_string: 'x' }]
  refused(await made.patch({ edits: absent, display_name: 'Early' }), 409, 'EDIT_NOT_FOUND')
  assert.is(succeeded(await made.read())['display_name'], 'Early')
  succeeded(await made.patch({ edits }))
})

test('interface §4.7: inline display_name on a dry run or in a bad body names nobody', async () => {
  const made = await nameless()
  succeeded(await made.patch({ edits, display_name: 'Dry' }, { query: '?dryRun=true' }))
  refused(await made.patch({ edits, display_name: 'Bad', wish: 1 }), 400, 'INVALID_REQUEST')
  assert.is(succeeded(await made.read())['display_name'], undefined)
  refused(await made.patch({ edits }), 412, 'IDENTIFY_REQUIRED')
})

test('interface §7: an identified shared token refuses a different inline name', async () => {
  const made = await nameless()
  const ask = { token: made.shareToken }
  succeeded(await service.patch(made.path, { edits, display_name: 'Shared' }, ask))
  const more = [{ old_string: 'two', new_string: '2' }]
  const other = await service.patch(made.path, { edits: more, display_name: 'Other' }, ask)
  refused(other, 409, 'IDENTITY_MISMATCH')
  assert.is(await made.markdown(), '1 two\n')
  succeeded(await service.patch(made.path, { edits: more, display_name: 'Shared' }, ask))
})

test('interface §7: of several first inline names of a shared token one is taken', async () => {
  const made = await nameless('a b c d\n')
  const ask = { token: made.shareToken }
  const write = (word: string) => {
    const swap = { old_string: word, new_string: word.toUpperCase() }
    return service.patch(made.path, { edits: [swap], display_name: `Name ${word}` }, ask)
  }
  const words = ['a', 'b', 'c', 'd']
  const answers = await Promise.all(words.map(write))
  const taken = words.filter((_, index) => answers[index]?.status === 200)
  assert.is(taken.length, 1)
  for (const answer of answers) if (answer.status !== 200) refused(answer, 409, 'IDENTITY_MISMATCH')
  assert.is(
    await made.markdown(),
    `a b c d\n`.replace(taken[0] ?? '', (taken[0] ?? '').toUpperCase()),
  )
  const read = succeeded(await service.get(made.path, made.shareToken))
  assert.is(read['display_name'], `Name ${taken[0]}`)
})

test('interface §4.7: of several first inline names of a personal token the first stays', async () => {
  const made = await nameless('a b c d\n')
  const write = (word: string) => {
    const swap = { old_string: word, new_string: word.toUpperCase() }
    return made.patch({ edits: [swap], display_name: `Name ${word}` })
  }
  const names = async () => succeeded(await made.read())['display_name']
  for (const answer of await Promise.all(['a', 'b', 'c'].map(write))) succeeded(answer)
  const first = await names()
  succeeded(await write('d'))
  assert.is(await names(), first)
})

const bodies: Readonly<Record<string, (slug: string) => Fields>> = {
  'no slug': () => ({ display_name: 'A' }),
  'no display_name': (slug) => ({ slug }),
  'a display_name that is empty': (slug) => ({ slug, display_name: '' }),
  'a display_name of blanks': (slug) => ({ slug, display_name: '  \t ' }),
  'a display_name that is a number': (slug) => ({ slug, display_name: 1 }),
  'an unknown field': (slug) => ({ slug, display_name: 'A', role: 'owner' }),
  'a display_name of 10,000 characters': (slug) => ({ slug, display_name: 'x'.repeat(10_000) }),
}
for (const [name, body] of Object.entries(bodies)) {
  test(`extensions §2: identify with ${name} is INVALID_REQUEST`, async () => {
    const made = await nameless()
    const answer = await service.post('/agents/identify', body(made.slug), { token: made.token })
    refused(answer, 400, 'INVALID_REQUEST')
  })
}

test('interface §5: a `by` field on identify is UNEXPECTED_FIELD', async () => {
  const made = await nameless()
  const body = { slug: made.slug, display_name: 'A', by: 'human:root' }
  const answer = await service.post('/agents/identify', body, { token: made.token })
  refused(answer, 400, 'UNEXPECTED_FIELD')
})

test('interface §4.7: a token identifies on its own document only', async () => {
  const [made, other] = [await nameless(), await nameless()]
  refused(await identify(other, 'Intruder', made.token), 403, 'FORBIDDEN')
  const gone = { display_name: 'A', slug: 'nowhere' }
  const answer = await service.post('/agents/identify', gone, { token: made.token })
  refused(answer, 404, 'DOC_NOT_FOUND')
})

test('interface §4.7: identify needs a Bearer', async () => {
  const made = await nameless()
  const body = { display_name: 'A', slug: made.slug }
  refused(await service.post('/agents/identify', body), 401, 'AUTH_REQUIRED')
})

test('interface §4.7: a name may hold any letters; control characters do not survive', async () => {
  const made = await nameless()
  const body = succeeded(await identify(made, 'Zo\u00eb \u{1F600} \u5317'))
  assert.is(body['display_name'], 'Zo\u00eb \u{1F600} \u5317')
  const answer = await identify(made, 'a\u0000b\nc\u202e')
  if (answer.status === 200) assert.not.match(asText(answer.body['display_name']), /[\0\n\u202e]/)
  else refused(answer, 400, 'INVALID_REQUEST')
})

test('extensions §3: a share token without the header works as one shared identity', async () => {
  const made = await nameless()
  const first = succeeded(await identify(made, 'Crowd', made.shareToken))
  const second = succeeded(await identify(made, 'Crowd', made.shareToken))
  assert.is(first['actor_id'], second['actor_id'])
  assert.is.not(first['actor_id'], made.actorId)
  succeeded(await service.patch(made.path, { edits }, { token: made.shareToken }))
  const body = succeeded(await made.read('?include=authorship'))
  assert.is(pick(body, 'authorship', 0, 'author'), first['actor_id'])
})

test('interface §3: the name survives kill -9 and restart', async () => {
  const made = await nameless()
  succeeded(await identify(made, 'Kept'))
  await service.end('SIGKILL')
  await service.start()
  assert.is(succeeded(await made.read())['display_name'], 'Kept')
  succeeded(await made.patch({ edits }))
})

test.run()
