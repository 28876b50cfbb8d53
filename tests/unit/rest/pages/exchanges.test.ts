/**
 * Extensions §13: agents that answer each other stop wherever they do it, over several documents,
 * by decisions alone and by invitations; who is asked by a person goes on.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../../../waiting.ts'
import { Browser } from '../browser.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

type Fields = Record<string, unknown>

const notify = { kind: 'heads_up', line: 'noon - why' }
let made = 0

/** A person with an account. */
async function person() {
  const browser = new Browser(service)
  const account = { handle: `eve-${made++}`, name: 'Eve', password: 'a long password' }
  const signed = await browser.call('POST', '/auth/signup', { body: account })
  assert.is(signed.status, 201, signed.text)
  return browser
}

/** A document of a person's that only the invited see. */
async function documentOf(browser: Browser, agents: readonly Agent[]) {
  const body = { markdown: '# Plan\n\nAt noon.\n' }
  const at = `/docs/${String((await browser.call('POST', '/docs', { body })).json['id'])}`
  for (const { handle } of agents) {
    const invited = await browser.call('POST', `${at}/access`, { body: { handle, role: 'editor' } })
    assert.is(invited.status, 201, invited.text)
  }
  return at
}

class Agent {
  readonly handle: string
  readonly actor: string
  readonly #token: string
  #next = '0'

  constructor(json: Fields) {
    this.handle = String(json['handle'])
    this.actor = String(json['actor_id'])
    this.#token = String(json['agent_secret'])
  }

  static async make(name: string): Promise<Agent> {
    return new Agent((await service.call('POST', '/agents/register', { body: { name } })).json)
  }

  async call(method: string, path: string, body?: Fields): Promise<Fields> {
    const sent = { token: this.#token, ...(body !== undefined && { body }) }
    const answer = await service.call(method, path, sent)
    assert.ok(answer.status < 300, answer.text)
    return answer.json
  }

  /** What came since it looked last. */
  async news(): Promise<Fields[]> {
    const { entries, next } = await this.call('GET', `/agents/me/inbox?after=${this.#next}`)
    this.#next = String(next)
    return entries as Fields[]
  }

  /** Whether it has heard of the other, up to where it hears of a comment that came later. */
  async hears({ actor }: Agent, later: unknown): Promise<boolean> {
    const heard: Fields[] = []
    await becomes(async () => {
      heard.push(...(await this.news()))
      return heard.some(({ comment }) => (comment as Fields | null)?.['id'] === later)
    })
    return heard.some((entry) => (entry['actor'] as Fields)['actor_id'] === actor)
  }
}

/** Each acts once the other's act has reached it; how many acts did, 30 at most. */
async function ringing(
  agents: readonly [Agent, Agent],
  act: (by: Agent, other: Agent, n: number) => Promise<Fields>,
): Promise<{ readonly told: number; readonly warning: unknown }> {
  // An agent apart from them, in a document that both hear of, says that nothing is on its way.
  const clerk = await Agent.make('Clerk')
  const aside = await documentOf(await person(), [...agents, clerk])
  const said = async () => {
    const body = { general: true, text: 'Tick.' }
    return (await clerk.call('POST', `${aside}/comments`, body))['comment_id']
  }
  const first = await said()
  for (const one of agents) await one.hears(clerk, first)
  let warning: unknown
  for (let n = 0; n < 30; n++) {
    const [by, other] = n % 2 === 0 ? agents : ([agents[1], agents[0]] as const)
    warning = (await act(by, other, n))['warning']
    if (!(await other.hears(by, await said()))) return { told: n, warning }
  }
  return { told: 30, warning }
}

const ways: Record<string, (ats: readonly string[]) => Parameters<typeof ringing>[1]> = {
  'calling each other over two documents': (ats) => (by, other, n) =>
    by.call('POST', `${ats[n % 2]}/comments`, { general: true, text: `@${other.handle}?`, notify }),
  'calling nobody over two documents': (ats) => (by, _other, n) =>
    by.call('POST', `${ats[n % 2]}/comments`, { general: true, text: 'And?' }),
  'over many documents': (ats) => (by, _other, n) =>
    by.call('POST', `${ats[n % ats.length]}/comments`, { quote: 'noon', text: 'And?' }),
}

for (const [way, actIn] of Object.entries(ways)) {
  test(`two agents stop: ${way}`, async () => {
    const agents = [await Agent.make('Ping'), await Agent.make('Pong')] as const
    const browser = await person()
    const ats: string[] = []
    for (let n = 0; n < 5; n++) ats.push(await documentOf(browser, agents))
    const { told, warning } = await ringing(agents, actIn(ats))
    assert.ok(told >= 6 && told <= 8, `${told}`)
    assert.match(String(warning), /replied to each other too often/)
    // A person asks one of them: they go on.
    const asked = { quote: 'noon', text: 'Enough?' }
    await browser.call('POST', `${ats[0]}/comments`, { body: asked })
    const [first, second] = told % 2 === 0 ? agents : ([agents[1], agents[0]] as const)
    await becomes(async () => (await first.news()).some(({ event }) => event === 'comment.created'))
    const body = { quote: 'noon', text: `@${second.handle}?`, notify }
    assert.is((await first.call('POST', `${ats[0]}/comments`, body))['warning'], undefined)
  })
}

test('two agents stop that suggest and accept and say nothing', async () => {
  const agents = [await Agent.make('Writer'), await Agent.make('Editor')] as const
  const at = await documentOf(await person(), agents)
  let suggested = ''
  let word = 'noon'
  const { told } = await ringing(agents, async (by, _other, n) => {
    if (n % 2 === 1) return by.call('POST', `${at}/comments/${suggested}/accept`)
    const suggestion = { new_string: `noon${n}` }
    const answer = await by.call('POST', `${at}/comments`, { quote: word, suggestion })
    word = suggestion.new_string
    suggested = String(answer['comment_id'])
    return answer
  })
  assert.ok(told >= 6 && told <= 8, `${told}`)
})

test('two agents stop that invite each other', async () => {
  const agents = [await Agent.make('Host'), await Agent.make('Guest')] as const
  const { told } = await ringing(agents, async (by, other) => {
    const { id } = await by.call('POST', '/docs', { markdown: '# Mine\n' })
    const body = { handle: other.handle, role: 'editor' }
    return by.call('POST', `/docs/${String(id)}/access`, body)
  })
  assert.ok(told >= 6 && told <= 8, `${told}`)
})

test('a third one goes on hearing of both', async () => {
  const agents = [await Agent.make('One'), await Agent.make('Two')] as const
  const third = await Agent.make('Third')
  const browser = await person()
  const ats: string[] = []
  for (let n = 0; n < 2; n++) ats.push(await documentOf(browser, [...agents, third]))
  const { told } = await ringing(agents, (by, _other, n) =>
    by.call('POST', `${ats[n % 2]}/comments`, { general: true, text: 'And?' }),
  )
  assert.ok(told < 10)
  await becomes(async () => {
    const { entries } = await third.call('GET', '/agents/me/inbox')
    return (entries as Fields[]).filter(({ event }) => event === 'comment.created').length > told
  })
})

test.run()
