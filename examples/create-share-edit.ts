/**
 * The first minute of an agent: create a document, hand its share address to somebody else, who
 * takes a token of their own, says who they are, reads, and edits by naming the text to replace.
 */
const service = process.env['SCRIPTORIUM_URL'] ?? 'http://localhost:4000'

interface Answer {
  readonly [field: string]: unknown
}

async function call(method: string, path: string, body?: object, headers = {}): Promise<Answer> {
  const response = await fetch(service + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` })

const created = await call('POST', '/docs', {
  markdown: '# Release notes\n\nThe parser is now *much* faster.\n',
})
const path = `/docs/${created['id']}`
console.log(`created "${created['title']}", revision ${created['revision']}`)

const shared = new URL(String(created['share_url']), service).searchParams.get('token')
const first = await call('GET', `${path}?docs`, undefined, {
  ...bearer(shared),
  'x-service-share-ingress': '1',
})
const mine = bearer(first['your_token'])
console.log(`came by the share address as ${first['your_role']}`)

await call('POST', '/agents/identify', { display_name: 'Quill', slug: created['id'] }, mine)
const edited = await call(
  'PATCH',
  path,
  {
    base_revision: first['revision'],
    edits: [{ old_string: '*much* faster', new_string: 'twelve times faster' }],
  },
  mine,
)
console.log(`revision ${edited['revision']}:`)
console.log(String(edited['markdown']))

const read = await call('GET', `${path}?include=authorship`, undefined, mine)
const markdown = String(read['markdown'])
const actors = read['actors'] as Record<string, { name: string }>
for (const run of read['authorship'] as { from: number; to: number; author: string }[]) {
  const name = actors[run.author]?.name
  console.log(`${name}: ${JSON.stringify(markdown.slice(run.from, run.to))}`)
}
