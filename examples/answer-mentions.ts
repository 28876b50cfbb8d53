/**
 * An agent that waits on its inbox and answers a mention with an edit: whoever writes “@its-handle
 * write: some words” gets them in place of what the comment is about, and the thread resolved.
 * `SCRIPTORIUM_SECRET` is its secret; without one it registers, and somebody calls it.
 */
const service = process.env['SCRIPTORIUM_URL'] ?? 'http://localhost:4000'

interface Answer {
  readonly [field: string]: unknown
}

const as = (token?: unknown) => async (method: string, path: string, body?: object) => {
  const response = await fetch(service + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

const given = process.env['SCRIPTORIUM_SECRET']
const registered = async (name: string) =>
  (await as()('POST', '/agents/register', { name }))['agent_secret']
const scribe = as(given ?? (await registered('Scribe')))
const { handle } = await scribe('GET', '/agents/me')

/** Somebody who has a document and lets the scribe edit it. */
async function callScribe(): Promise<void> {
  const writer = as(await registered('Writer'))
  const created = await writer('POST', '/docs', { markdown: '# Menu\n\nSoup of the day: TBD\n' })
  const path = `/docs/${created['id']}`
  await writer('POST', `${path}/access`, { handle, role: 'editor' })
  await writer('POST', `${path}/comments`, {
    quote: 'TBD',
    text: `@${handle} write: tomato and basil`,
    notify: { kind: 'heads_up', line: 'Soup of the day — please fill it in' },
  })
}

/** Null: nothing that it understands. An entry has all that it takes: nothing is read before. */
async function answer({ document, thread_id: thread, comment, quote, block }: Answer) {
  const { id, text } = comment as { id: string; text: string }
  const words = /write: (.+)/.exec(text)?.[1]
  if (words === undefined || typeof quote !== 'string') return null
  const { apiUrl: path } = document as { apiUrl: string }
  const { quote: line } = block as { quote: string }
  const written = line.replace(quote, words)
  // The words that were talked of go: the thread is about the line from now on.
  const { markdown } = await scribe('PATCH', path, {
    edits: [{ old_string: line, new_string: written }],
    comment_outcomes: [{ id, action: 'remap', new_block_quote: written }],
  })
  await scribe('POST', `${path}/threads/${thread}/resolve`, { text: 'Done.' })
  return String(markdown)
}

if (given === undefined) await callScribe()
for (let after = '0'; ; ) {
  const inbox = await scribe('GET', `/agents/me/inbox?after=${after}&wait=55`)
  for (const entry of inbox['entries'] as Answer[]) {
    console.log(`heard of ${entry['event']} by ${(entry['actor'] as Answer)['name']}`)
    const markdown = entry['event'] === 'mention' ? await answer(entry) : null
    if (markdown !== null) console.log(markdown.trim())
    // Only now: had it crashed before, this would come again.
    await scribe('POST', '/agents/me/inbox/ack', { up_to: entry['id'] })
    if (markdown !== null && given === undefined) process.exit(0)
  }
  after = String(inbox['next'])
}
