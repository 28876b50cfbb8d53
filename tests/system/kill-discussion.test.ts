/**
 * Law: a service that is killed amid a discussion keeps each comment it answered with 201, once,
 * and whoever it mentions hears of it, once; a suggestion that was accepted is applied exactly
 * once, and none is applied whose status does not say so. SEED=n repeats another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../chance.ts'
import { type Answer, asList, asText, type Fields, Service } from '../client.ts'
import { becomes, pause, until } from '../waiting.ts'

const seed = Number(process.env['SEED'] ?? 1)
const kills = process.env['LONG'] === undefined ? 4 : 60
const suggestionsPerLife = 12
const service = new Service({ RATE_INVITE: '0' })
test.after(() => service.remove())

interface Said {
  readonly word: string
  readonly key: string | undefined
  readonly body: Fields
  answer: Answer | undefined
}

/** What an agent says and another accepts, while a third is mentioned in all of it. */
class Talk {
  readonly said: Said[] = []
  /** By the word that the suggestion puts in: undefined where no answer came. */
  readonly accepted = new Map<string, Answer | undefined>()
  readonly #writer: string
  readonly #author: string
  readonly path: string
  #isOver = false
  #words = 0

  constructor(parts: { readonly writer: string; readonly author: string; readonly path: string }) {
    this.#writer = parts.writer
    this.#author = parts.author
    this.path = parts.path
  }

  get answered(): number {
    return this.said.filter(({ answer }) => answer !== undefined).length
  }

  /** Until the service is gone. */
  async run(life: number): Promise<void> {
    this.#isOver = false
    await Promise.all([this.#comment(life), this.#comment(life), this.#suggest(life)])
  }

  over(): void {
    this.#isOver = true
  }

  async #comment(life: number): Promise<void> {
    while (!this.#isOver) {
      const word = `w${life}n${this.#words++}e`
      const notify = { kind: 'heads_up', line: 'Plan — look at it' }
      const body = { general: true, text: `@listener ${word}`, notify }
      const key = this.#words % 2 === 0 ? `key-${word}` : undefined
      const said: Said = { word, key, body, answer: undefined }
      this.said.push(said)
      said.answer = await this.ask(said)
      if (said.answer === undefined) return
    }
  }

  async ask({ key, body }: Said): Promise<Answer | undefined> {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    const call = { token: this.#writer, headers }
    const answer = await service.post(`${this.path}/comments`, body, call).catch(() => undefined)
    if (answer === undefined || answer.status === 503) return undefined
    assert.is(answer.status, 201, answer.text)
    return answer
  }

  async #suggest(life: number): Promise<void> {
    for (let n = 0; n < suggestionsPerLife && !this.#isOver; n++) {
      const word = `done${life}n${n}e`
      const quote = `slot${life}n${n}e`
      const body = { quote, suggestion: { new_string: `${quote} ${word}` } }
      const path = `${this.path}/comments`
      const made = await service.post(path, body, { token: this.#writer }).catch(() => undefined)
      if (made === undefined || made.status === 503) return
      assert.is(made.status, 201, made.text)
      this.accepted.set(word, undefined)
      const cid = asText(made.body['comment_id'])
      const answer = await service
        .ask('POST', `${path}/${cid}/accept`, { token: this.#author })
        .catch(() => undefined)
      if (answer === undefined || answer.status === 503) return
      assert.is(answer.status, 200, answer.text)
      this.accepted.set(word, answer)
    }
  }
}

async function threadsOf(path: string, token: string): Promise<readonly Fields[]> {
  const threads: Fields[] = []
  for (let next: unknown = `${path}?resolved=all`; typeof next === 'string'; ) {
    const { body } = await service.get(next, token)
    threads.push(...asList(body['threads']))
    next = (body['threads_info'] as Fields)['next']
  }
  return threads
}

/** How often the inbox mentions each comment. */
async function mentions(token: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let after = '0'; ; ) {
    const { body } = await service.get(`/agents/me/inbox?after=${after}&limit=200`, token)
    const entries = asList(body['entries'])
    for (const { event, comment } of entries) {
      if (event !== 'mention') continue
      const id = asText((comment as Fields)['id'])
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    if (entries.length === 0) return counts
    after = asText(body['next'])
  }
}

test(`kill -9 amid a discussion, ${kills} times: what was answered is there once`, async () => {
  const chance = new Chance(seed)
  await service.start()
  const agent = async (handle: string) => {
    const registered = await service.post('/agents/register', { name: handle, handle })
    return asText(registered.body['agent_secret'])
  }
  const author = await agent('author')
  const [writer, listener] = [await agent('writer'), await agent('listener')]
  const slots = Array.from({ length: kills }, (_, life) =>
    Array.from({ length: suggestionsPerLife }, (__, n) => `slot${life}n${n}e`).join(' '),
  )
  const body = { markdown: `# Plan\n\n${slots.join('\n\n')}\n` }
  const created = await service.post('/docs', body, { token: author })
  const path = `/docs/${created.body['id']}`
  for (const [handle, role] of [
    ['writer', 'commenter'],
    ['listener', 'commenter'],
  ]) {
    const invited = await service.post(`${path}/access`, { handle, role }, { token: author })
    assert.is(invited.status, 201, invited.text)
  }
  const talk = new Talk({ writer, author, path })
  for (let life = 0; life < kills; life++) {
    const least = talk.answered + 6
    const running = talk.run(life)
    await until(
      20_000,
      () => (talk.answered >= least ? true : undefined),
      () => 'so few are answered',
    )
    await pause(chance.below(120))
    await service.end('SIGKILL')
    talk.over()
    await running
    await service.start()
    await assertKept(talk, { author, listener })
  }
  const applied = [...talk.accepted.values()].filter((answer) => answer !== undefined).length
  assert.ok(applied > 0, 'nothing was accepted')
  console.log(
    `\nseed ${seed} kills amid a discussion: ${kills}, comments ${talk.answered} of ` +
      `${talk.said.length}, accepted ${applied} of ${talk.accepted.size}, lost 0`,
  )
})

async function assertKept(
  talk: Talk,
  { author, listener }: { readonly author: string; readonly listener: string },
): Promise<void> {
  // A key answers as the first time; what got no answer is tried again, and then it counts.
  for (const said of talk.said) {
    if (said.key === undefined) continue
    const again = await talk.ask(said)
    assert.ok(again, said.word)
    if (said.answer === undefined) said.answer = again
    else assert.equal(again?.body, said.answer.body)
  }
  const threads = await threadsOf(talk.path, author)
  const comments = threads.flatMap((thread) => asList(thread['comments']))
  const texts = comments.map(({ text }) => asText(text))
  for (const { word, answer } of talk.said) {
    const times = texts.filter((text) => text.endsWith(` ${word}`)).length
    assert.ok(answer === undefined ? times <= 1 : times === 1, `${word} is there ${times} times`)
  }
  const expected = comments.filter(({ text }) => asText(text).startsWith('@listener'))
  await becomes(async () => (await mentions(listener)).size >= expected.length)
  const heard = await mentions(listener)
  for (const { id, text } of expected) assert.is(heard.get(asText(id)), 1, asText(text))
  assert.is(heard.size, expected.length)
  const { body } = await service.get(talk.path, author)
  const markdown = asText(body['markdown'])
  for (const [word, answer] of talk.accepted) {
    const times = markdown.split(word).length - 1
    const suggestion = comments
      .map((comment) => comment['suggestion'] as Fields | undefined)
      .find((one) => asText(one?.['new_string'] ?? '').endsWith(word))
    const isAccepted = suggestion?.['status'] === 'accepted'
    assert.is(times, isAccepted ? 1 : 0, `${word}: ${suggestion?.['status']}`)
    assert.ok(answer === undefined || isAccepted, `${word} was answered as accepted`)
  }
}

test.run()
