/** A service that sends webhooks to this machine, with an agent that receives them. */
import * as assert from 'uvu/assert'
import { becomes } from '../../../waiting.ts'
import { Browser } from '../browser.ts'
import { type ServiceSettings, startService } from '../service.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

export type Fields = Record<string, unknown>

export interface Delivery extends Fields {
  readonly id: string
  readonly event: string
  readonly state: string
  readonly attempts: readonly {
    readonly at: string
    readonly status: number | null
    readonly error: string | null
    readonly ms: number
  }[]
  readonly next_attempt_at: string | null
}

export const allEvents = [
  'mention',
  'doc.review_requested',
  'comment.created',
  'comment.replied',
  'suggestion.accepted',
  'suggestion.rejected',
  'thread.resolved',
  'doc.shared',
]

export async function webhookScene(settings: ServiceSettings = {}) {
  const service = await startService({ webhooksAllowPrivate: true, ...settings })
  const receivers: Receiver[] = []
  let made = 0

  async function receiver(): Promise<Receiver> {
    const one = await startReceiver()
    receivers.push(one)
    return one
  }

  /** With a webhook where events are named. */
  async function agent(name: string, events?: readonly string[], by?: Browser) {
    const body = { name }
    const registered =
      by === undefined
        ? await service.call('POST', '/agents/register', { body })
        : await by.call('POST', '/agents/register', { body })
    const token = String(registered.json['agent_secret'])
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, path, { token, ...(body !== undefined && { body }) })
    const hook = await receiver()
    const set = async (body: Fields) => {
      const changed = await call('PATCH', '/agents/me', body)
      assert.is(changed.status, 200, changed.text)
      return changed.json
    }
    const profile =
      events === undefined ? {} : await set({ webhook_url: hook.url, webhook_events: events })
    const status = async () => (await call('GET', '/agents/me')).json['webhook_status'] as Fields
    const deliveries = async (query = '') =>
      (await call('GET', `/agents/me/webhook-deliveries${query}`)).json['deliveries'] as Delivery[]
    const settles = async (count: number, state = 'delivered') => {
      await becomes(async () => (await deliveries(`?state=${state}`)).length >= count)
      return deliveries(`?state=${state}`)
    }
    return {
      token,
      call,
      hook,
      set,
      status,
      deliveries,
      settles,
      secret: String(profile['webhook_secret']),
      id: String(registered.json['agent_id']),
      handle: String(registered.json['handle']),
      actor: String(registered.json['actor_id']),
    }
  }

  /** A restricted document of a person who talks in it. */
  async function talk(markdown = '# Plan\n\nAt noon.\n') {
    const browser = new Browser(service)
    const account = { handle: `ada-${made++}`, name: 'Ada', password: 'a long password' }
    assert.is((await browser.call('POST', '/auth/signup', { body: account })).status, 201)
    const created = await browser.call('POST', '/docs', { body: { markdown } })
    const slug = String(created.json['id'])
    const at = `/docs/${slug}`
    const ok = async (method: string, path: string, body?: unknown) => {
      const answer = await browser.call(method, path, body === undefined ? {} : { body })
      assert.ok(answer.status >= 200 && answer.status < 300, answer.text)
      return answer.json
    }
    const invite = ({ handle }: { handle: string }, role = 'editor') =>
      ok('POST', `${at}/access`, { handle, role })
    const comment = (body: Fields) => ok('POST', `${at}/comments`, body)
    return { browser, slug, at, ok, invite, comment, actor: `human:${account.handle}` }
  }

  return {
    service,
    agent,
    talk,
    receiver,
    async close() {
      await service.close()
      for (const one of receivers) await one.close()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof webhookScene>>
export type HookedAgent = Awaited<ReturnType<Scene['agent']>>
