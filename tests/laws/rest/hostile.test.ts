/** Any JSON, query and header on any route: always a declared answer, never a bug. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../rest/all-routes.ts'
import { Tally } from '../../tally.ts'
import { startService } from '../../unit/rest/service.ts'

const seed = 20261121
const runs = process.env['LONG'] ? 20_000 : 300

const service = await startService()
test.after(() => service.close())
const made = await service.create('# One\n\ntwo three\n', 'Ada')
const nameless = await service.create('four')

const field = fc.constantFrom(
  ...['markdown', 'edits', 'old_string', 'new_string', 'at', 'after', 'before', 'after_block'],
  ...['delete_block', 'move_block', 'replace_document', 'base_revision', 'display_name', 'slug'],
  ...['name', 'handle', 'library_target', 'kind', 'comment_outcomes', 'id', 'action', '__proto__'],
)
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('one', 'two', 'One', made.slug, nameless.slug, 'default', 'bid_', null),
  fc.integer({ min: -3, max: 30 }),
  fc.double(),
  fc.boolean(),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(field, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}))
const insert = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '|', '- x'),
)
const edit = fc.record(
  {
    old_string: fc.constantFrom('two', 'One', 'three', '#', '\n\n', 'gone'),
    new_string: insert,
    at: fc.integer({ min: 0, max: 20 }),
  },
  { requiredKeys: ['old_string', 'new_string'] },
)
const patchBody = fc.record(
  {
    edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
    base_revision: fc.integer({ min: 0, max: 5 }),
    display_name: fc.oneof(fc.constant('Ada'), fc.string({ unit: 'binary', maxLength: 9 })),
  },
  { requiredKeys: ['edits'] },
)
const bodies = fc.oneof(
  value,
  { weight: 3, arbitrary: patchBody },
  fc.record({ markdown: fc.string({ unit: 'binary' }) }),
  fc.record({ name: fc.string() }),
)
const names = ['docs', 'include', 'format', 'resolved', 'since_revision', 'dryRun', 'token', 'x']
const query = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(fc.constantFrom('', 'true', 'all', 'authorship', 'okf', '1'), fc.string()),
  { maxKeys: 2, noNullPrototype: true },
)
/** But for those after which a document answers nothing else any more. */
const declared = routes
  .map(({ declaration }) => declaration)
  .filter(
    ({ method, path }) =>
      !/^(?:POST .*\/archive|DELETE \/docs\/:slug(?:\/forever)?)$/.test(`${method} ${path}`),
  )
const request = fc.record({
  route: fc.oneof(
    fc.constantFrom(...declared),
    fc.constantFrom(
      ...declared.filter(
        ({ method, path }) => method === 'PATCH' || path === '/docs' || path.endsWith('/live'),
      ),
    ),
  ),
  body: bodies,
  query: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: query }),
  slug: fc.constantFrom(made.slug, made.slug, nameless.slug, 'nowhere'),
  token: fc.constantFrom(made.token, made.token, made.shareToken, nameless.token, undefined, 'x'),
  key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
})

test('requests of any content are answered as declared, never with 500', async () => {
  const tally = new Tally()
  const property = fc.asyncProperty(request, async ({ route, body, slug, token, key, ...rest }) => {
    const search = new URLSearchParams(rest.query).toString()
    const path = `${route.path.replace(':slug', slug)}${search === '' ? '' : `?${search}`}`
    const { status, text } = await service.call(route.method, path, {
      token,
      ...(route.body !== undefined && { body }),
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    })
    assert.is.not(status, 500, text)
    tally.add(String(status))
  })
  await fc.assert(property, { seed, numRuns: runs })
  const each = [200, 201, 400, 401, 403, 404, 409, 426].map((status) => [status, 1])
  tally.tell(`${seed} hostile requests`, Object.fromEntries(each))
})

test.run()
