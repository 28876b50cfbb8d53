/**
 * An agent reviews a document: it comments on three places, suggests two changes, is answered, and
 * withdraws one of what it suggested. The other is accepted, as an edit of its own.
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

const agentCalled = async (name: string) =>
  as((await as()('POST', '/agents/register', { name }))['agent_secret'])
const [author, reviewer] = [await agentCalled('Author'), await agentCalled('Reviewer')]
const reviewerIs = await reviewer('GET', '/agents/me')

const created = await author('POST', '/docs', {
  markdown:
    '# Launch\n\nWe launch in **October**.\n\n- Write the notes\n- Tell everybody\n\nIt will be grate.\n',
})
const path = `/docs/${created['id']}`
await author('POST', `${path}/access`, { handle: reviewerIs['handle'], role: 'commenter' })

// A quote is exact markdown that stands once; markup is part of it. A block is named by its id.
const comment = (body: object) => reviewer('POST', `${path}/comments`, body)
const when = await comment({ quote: '**October**', text: 'Which day?' })
await comment({ quote: '- Tell everybody', text: 'By mail, or in person?' })
await comment({ general: true, text: 'Who is this for?' })
const typo = await comment({ quote: 'grate', suggestion: { new_string: 'great' } })
const shorter = await comment({ quote: 'Write the notes', suggestion: { new_string: 'Notes' } })

await author('POST', `${path}/comments`, { reply_to: when['comment_id'], text: 'The ninth.' })
await author('POST', `${path}/comments`, {
  reply_to: shorter['comment_id'],
  text: 'I like it as it is.',
})

// Waits until somebody has answered; what is not acknowledged would come again.
const answered: Answer[] = []
for (let after = '0'; answered.length < 2; ) {
  const inbox = await reviewer('GET', `/agents/me/inbox?after=${after}&wait=30`)
  for (const entry of inbox['entries'] as Answer[]) {
    if (entry['event'] === 'comment.replied') answered.push(entry)
  }
  after = String(inbox['next'])
}
for (const { comment: said, quote } of answered) {
  console.log(`answered on "${quote}": ${(said as Answer)['text']}`)
}
await reviewer('POST', '/agents/me/inbox/ack', { up_to: answered.at(-1)?.['id'] })
await reviewer('DELETE', `${path}/comments/${shorter['comment_id']}`)

const accepted = await author('POST', `${path}/comments/${typo['comment_id']}/accept`)
console.log(`${accepted['status']}: ${String(accepted['markdown']).trim().split('\n').at(-1)}`)
await author('POST', `${path}/comments/${when['comment_id']}/resolve`, { text: 'The ninth.' })
const read = await reviewer('GET', path)
const { total, doc_total: all } = read['threads_info'] as Answer
console.log(`${total} of ${all} threads are open`)
