/** Interface §6.3, §6.4; extensions §13: what somebody should hear of, read as a durable inbox. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../../../waiting.ts'
import { Browser } from '../browser.ts'
import { type Answered, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

type Fields = Record<string, unknown>

async function agent(name: string) {
  const { json } = await service.call('POST', '/agents/register', { body: { name } })
  const token = String(json['agent_secret'])
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token, ...(body !== undefined && { body }) })
  const inbox = async (query = '') => {
    const read = await call('GET', `/agents/me/inbox${query}`)
    assert.is(read.status, 200, read.text)
    return read.json as { entries: Fields[]; next: string; unread: number }
  }
  /** Once there is something. */
  const arrived = async (query = '?wait=20') => (await inbox(query)).entries
  return { call, inbox, arrived, handle: String(json['handle']), actor: String(json['actor_id']) }
}

type Agent = Awaited<ReturnType<typeof agent>>

const events = (entries: readonly Fields[]) => entries.map(({ event }) => event)

async function scene() {
  const browser = new Browser(service)
  const account = { handle: `ada-${made++}`, name: 'Ada', password: 'a long password' }
  const signed = await browser.call('POST', '/auth/signup', { body: account })
  assert.is(signed.status, 201, signed.text)
  const created = await browser.call('POST', '/docs', {
    body: { markdown: '# Plan\n\nAt noon.\n' },
  })
  const slug = String(created.json['id'])
  const at = `/docs/${slug}`
  const restricted = { mode: 'restricted', role: 'viewer' }
  await browser.call('PATCH', `${at}/link-access`, { body: restricted })
  const invite = async ({ handle }: { handle: string }, role = 'commenter') => {
    const invited = await browser.call('POST', `${at}/access`, { body: { handle, role } })
    assert.is(invited.status, 201, invited.text)
  }
  const comment = async (body: Fields) => {
    const said = await browser.call('POST', `${at}/comments`, { body })
    assert.is(said.status, 201, said.text)
    return said.json
  }
  const inbox = async (query = '') =>
    (await browser.call('GET', `/inbox${query}`)).json as { entries: Fields[]; unread: number }
  return { browser, slug, at, invite, comment, inbox, handle: account.handle }
}
let made = 0

test('a mention reaches its agent with what it takes to act, and stays until it is acknowledged', async () => {
  const { comment, invite, slug } = await scene()
  const quill = await agent('Quill')
  await invite(quill)
  assert.equal(events(await quill.arrived()), ['doc.shared'])
  const { next } = await quill.inbox()
  const said = await comment({ quote: 'noon', text: `@${quill.handle} why noon?` })
  const [entry] = await quill.arrived(`?after=${next}&wait=20`)
  assert.is(entry?.['event'], 'mention')
  assert.equal(entry?.['document'], { id: slug, title: 'Plan', apiUrl: `/docs/${slug}` })
  assert.is(entry?.['thread_id'], said['thread_id'])
  assert.is((entry?.['comment'] as Fields)['text'], `@${quill.handle} why noon?`)
  assert.equal([entry?.['quote'], (entry?.['block'] as Fields)['quote']], ['noon', 'At noon.'])
  assert.equal(events((await quill.inbox()).entries), ['doc.shared', 'mention'])
  const acked = await quill.call('POST', '/agents/me/inbox/ack', { up_to: entry?.['id'] })
  assert.equal(acked.json, { acked: entry?.['id'], unread: 0 })
  assert.equal((await quill.inbox()).entries, [])
})

test('everybody with a part hears of comments, authors of replies and decisions; nobody of its own', async () => {
  const { comment, invite, at, inbox, browser } = await scene()
  const [one, two] = [await agent('One'), await agent('Two')]
  await invite(one, 'editor')
  await invite(two)
  const body = { quote: 'noon', suggestion: { new_string: 'nine' } }
  const made = await one.call('POST', `${at}/comments`, body)
  assert.is(made.status, 201, made.text)
  const { comment_id: cid } = made.json
  await comment({ reply_to: cid, text: 'Hm.' })
  const accepted = await browser.call('POST', `${at}/comments/${cid}/accept`)
  assert.is(accepted.status, 200, accepted.text)
  await becomes(async () => (await one.inbox()).entries.length === 3)
  await becomes(async () => (await two.inbox()).entries.length === 3)
  assert.equal(events((await one.inbox()).entries), [
    'doc.shared',
    'comment.replied',
    'suggestion.accepted',
  ])
  assert.equal(events((await two.inbox()).entries), [
    'doc.shared',
    'comment.created',
    'comment.created',
  ])
  assert.equal(events((await inbox()).entries), ['comment.created'])
})

test('§13 who is asked to review, whose suggestion is rejected, whose thread is resolved', async () => {
  const { comment, invite, at, browser } = await scene()
  const [one, two] = [await agent('Asked'), await agent('Beside')]
  await invite(one)
  await invite(two)
  const made = await one.call('POST', `${at}/comments`, {
    quote: 'noon',
    suggestion: { new_string: 'nine' },
  })
  assert.is(made.status, 201, made.text)
  const { comment_id: cid, thread_id: thread } = made.json
  const asked = { kind: 'blocked', line: 'noon - nine or noon' }
  await comment({ reply_to: cid, text: `@${one.handle} which?`, notify: asked })
  assert.is((await browser.call('POST', `${at}/comments/${cid}/reject`)).status, 200)
  const resolve = await browser.call('POST', `${at}/threads/${thread}/resolve`, {
    body: { text: 'Noon.' },
  })
  assert.is(resolve.status, 200, resolve.text)
  const heard = async () => events((await one.inbox()).entries)
  await becomes(async () => (await heard()).includes('thread.resolved'))
  assert.equal([...(await heard())].sort(), [
    'comment.replied',
    'doc.review_requested',
    'doc.shared',
    'mention',
    'suggestion.rejected',
    'thread.resolved',
  ])
  assert.equal([...new Set(events((await two.inbox()).entries))], ['doc.shared', 'comment.created'])
})

test('acts of one in one thread within a minute are one entry, with a higher id and their count', async () => {
  const { comment, invite, at } = await scene()
  const [one, two] = [await agent('Busy'), await agent('Other')]
  await invite(one)
  await invite(two)
  const root = await comment({ quote: 'noon', text: 'Why?' })
  const ids: string[] = []
  for (let n = 1; n <= 3; n++) {
    const reply = { reply_to: root['comment_id'], text: `Answer ${n}` }
    assert.is((await one.call('POST', `${at}/comments`, reply)).status, 201)
    const said = async () => (await two.inbox()).entries.filter(({ actor }) => isBy(actor, one))
    await becomes(async () => (await said())[0]?.['count'] === n)
    const [entry, more] = await said()
    assert.is(more, undefined)
    assert.is((entry?.['comment'] as Fields)['text'], `Answer ${n}`)
    ids.push(String(entry?.['id']))
  }
  assert.is(new Set(ids).size, 3)
})

const isBy = (actor: unknown, { actor: id }: { readonly actor: string }) =>
  (actor as Fields)['actor_id'] === id

test('a mute stops all but mentions; without access nothing is shown', async () => {
  const { comment, invite, at, browser } = await scene()
  const quill = await agent('Quiet')
  await invite(quill)
  assert.is((await quill.call('PUT', `${at}/mute`, { muted: true })).status, 200)
  await comment({ general: true, text: 'To all.' })
  await comment({ general: true, text: `@${quill.handle} to you.` })
  await becomes(async () => events((await quill.inbox()).entries).includes('mention'))
  assert.equal(events((await quill.inbox()).entries), ['mention'])
  await quill.call('PUT', `${at}/mute`, { muted: false })
  assert.is((await quill.inbox()).entries.length, 3)
  const taken = await browser.call('DELETE', `${at}/access/${encodeURIComponent(quill.actor)}`)
  assert.is(taken.status, 200, taken.text)
  assert.equal((await quill.inbox()).entries, [])
})

test('who waits is answered when its time is over, with nothing', async () => {
  const quill = await agent('Patient')
  const { entries, next } = await quill.inbox('?wait=1')
  assert.equal([entries, next], [[], '0'])
  for (const query of ['?wait=-1', '?wait=1.5', '?after=x', '?limit=0']) {
    assert.is((await quill.call('GET', `/agents/me/inbox${query}`)).status, 400, query)
  }
})

test('of many who wait for one, the first are answered at once', async () => {
  const quill = await agent('Impatient')
  const waits = Array.from({ length: 6 }, () => quill.call('GET', '/agents/me/inbox?wait=60'))
  const answered = await Promise.any(waits)
  assert.equal(answered.json['entries'], [])
  const { comment, invite } = await scene()
  await invite(quill)
  await comment({ general: true, text: 'To all.' })
  assert.ok((await Promise.all(waits)).some(({ json }) => (json['entries'] as Fields[]).length > 0))
})

test('who is let in hears of what is said from then on', async () => {
  const { comment, invite } = await scene()
  const first = await agent('First')
  await invite(first)
  for (let n = 0; n < 80; n++) await comment({ general: true, text: `before ${n}` })
  await becomes(async () => (await first.inbox()).unread === 81)
  service.ahead += 1_000
  const quill = await agent('Newcomer')
  await invite(quill)
  assert.equal(events(await quill.arrived()), ['doc.shared'])
  service.ahead += 1_000
  for (let n = 0; n < 3; n++) await comment({ general: true, text: `after ${n}` })
  await becomes(async () => (await quill.inbox()).unread === 4)
  const { entries } = await quill.inbox()
  assert.equal(
    entries.map((one) => (one['comment'] as Fields | null)?.['text']),
    [undefined, 'after 0', 'after 1', 'after 2'],
  )
})

test('feeds of many documents are read in one order, from where one has read to', async () => {
  const quill = await agent('Reader')
  const scenes = [await scene(), await scene(), await scene()]
  for (const one of scenes) await one.invite(quill)
  for (let n = 0; n < 40; n++) {
    for (const one of scenes) await one.comment({ general: true, text: `${n}` })
  }
  await becomes(async () => (await quill.inbox()).unread === 123)
  const seen: number[] = []
  const texts: unknown[] = []
  for (let after = '0'; ; ) {
    const { entries, next } = await quill.inbox(`?after=${after}&limit=50`)
    if (entries.length === 0) break
    seen.push(...entries.map(({ id }) => Number(id)))
    texts.push(...entries.map((one) => (one['comment'] as Fields | null)?.['text']))
    after = next
  }
  assert.is(seen.length, 123)
  assert.equal(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  assert.is(new Set(seen).size, 123)
  assert.is(texts.filter((text) => text === '39').length, 3)
})

/** Each answers the other as `answer` says, until somebody is not told; how often it was. */
async function ringing(
  { at }: { readonly at: string },
  agents: readonly [Agent, Agent],
  answer: (other: Agent, n: number) => Fields,
) {
  let answered = ''
  for (let n = 0; n < 20; n++) {
    const [by, other] = n % 2 === 0 ? agents : ([agents[1], agents[0]] as const)
    const said = await by.call('POST', `${at}/comments`, answer(other, n))
    assert.is(said.status, 201, said.text)
    const { warning, comment_id: id } = said.json
    if (warning !== undefined) return { told: n, warning, answered }
    answered = String(id)
  }
  return { told: 20, warning: undefined, answered }
}

const notify = { kind: 'heads_up', line: 'noon - why' }

test('§13 two agents that answer each other stop, in a thread or in new ones, called or not', async () => {
  const quote = 'noon'
  const answers: Record<string, (other: Agent, n: number) => Fields> = {
    'a new thread that calls': (other) => ({ quote, text: `@${other.handle}?`, notify }),
    'a new thread that calls nobody': () => ({ general: true, text: 'And?' }),
    'now this, now that': (other, n) =>
      n % 3 === 0 ? { quote, text: 'So?' } : { quote, text: `@${other.handle}?`, notify },
  }
  for (const [way, answer] of Object.entries(answers)) {
    const { invite, at, comment, inbox } = await scene()
    const agents = [await agent('Ping'), await agent('Pong')] as const
    const third = await agent('Third')
    for (const one of [...agents, third]) await invite(one)
    const { told, warning, answered } = await ringing({ at }, agents, answer)
    assert.ok(told >= 6 && told <= 8, `${way}: ${told}`)
    assert.match(String(warning), /replied to each other too often/)
    // Everybody else hears of all of it; the one who is not told of nothing more.
    await becomes(async () => (await inbox()).unread === told + 1)
    const unheard = agents[(told + 1) % 2] as Agent
    const heard = await unheard.inbox()
    await becomes(async () => (await third.inbox()).unread === told + 2)
    assert.is((await unheard.inbox()).unread, heard.unread)
    const done = { reply_to: answered, kind: 'resolution', text: 'Enough.' }
    const resolved = await agents[told % 2]?.call('POST', `${at}/comments`, done)
    // It calls by name whoever began the thread, and counts what called by name alone.
    const isToo = way === 'a new thread that calls'
    assert.is(resolved?.json['warning'] !== undefined, isToo, `${way}: ${resolved?.text}`)
    // A third one that is called is called; after a person's word they may go on.
    const calling = { quote, text: `@${third.handle}`, notify }
    assert.is((await agents[0].call('POST', `${at}/comments`, calling)).status, 201)
    await becomes(async () => events((await third.inbox()).entries).includes('mention'))
    await comment({ quote, text: 'Enough?' })
    const again = await agents[told % 2]?.call('POST', `${at}/comments`, answer(unheard, 0))
    assert.is(again?.json['warning'], undefined, way)
  }
})

test('§13 two agents that review at once go on calling each other', async () => {
  const { invite, at } = await scene()
  const agents = [await agent('Anna'), await agent('Otto')] as const
  for (const one of agents) await invite(one)
  for (let n = 0; n < 10; n++) {
    for (const one of agents) {
      const body = { quote: 'noon', suggestion: { new_string: `${n}` } }
      assert.is((await one.call('POST', `${at}/comments`, body)).status, 201)
    }
  }
  const [anna, otto] = agents
  const calling = { quote: 'noon', text: `@${otto.handle} yours or mine?`, notify }
  const called = await anna.call('POST', `${at}/comments`, calling)
  assert.is(called.json['warning'], undefined)
  await becomes(async () => events((await otto.inbox()).entries).includes('mention'))
})

test('extensions §13: who may be mentioned', async () => {
  const { at, invite, browser, handle } = await scene()
  const quill = await agent('Quillon')
  await invite(quill)
  const handlesOf = ({ json }: Answered) => (json['people'] as Fields[]).map((one) => one['handle'])
  const ask = async (q: string) => handlesOf(await browser.call('GET', `${at}/mentionable?q=${q}`))
  assert.equal(await ask('quil'), [quill.handle])
  assert.equal(handlesOf(await quill.call('GET', `${at}/mentionable?q=${handle}`)), [handle])
  assert.equal(await ask(handle), [], 'nobody is offered to themselves')
  assert.equal(await ask('nobody'), [])
})

test.run()
