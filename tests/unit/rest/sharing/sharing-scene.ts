/** A service with documents, their owners, people and agents, for the tests of sharing. */
import * as assert from 'uvu/assert'
import { accountKey, handleKey } from '../../../../persistence/keys.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { Browser } from '../browser.ts'
import { type Answered, type ServiceSettings, startService } from '../service.ts'

export type Fields = Record<string, unknown>

export const hour = 3_600_000
export const said = ({ status, json }: Answered) => `${status} ${json['code'] ?? ''}`.trim()
export const list = (answer: Answered, name: string) => answer.json[name] as Fields[]

/** Everything of one service of its own. */
export async function openScene(settings: ServiceSettings = {}) {
  const service = await startService(settings)
  const soon = (ms = hour) => new Date(Date.now() + service.ahead + ms).toISOString()

  /** A document that Ada owns in her browser. */
  async function owned(markdown = '# One\n\ntext\n') {
    const made = await service.create(markdown, 'Maker')
    const ada = new Browser(service)
    await ada.open(`/d/${made.slug}?token=${made.shareToken}`)
    await ada.guest('Ada')
    assert.is((await ada.call('POST', `/docs/${made.slug}/claim`)).status, 200)
    const at = `/docs/${made.slug}`
    const restrict = () =>
      ada.call('PATCH', `${at}/link-access`, { body: { mode: 'restricted', role: 'viewer' } })
    return { ...made, ada, at, restrict }
  }

  async function agent(name: string) {
    const { json } = await service.call('POST', '/agents/register', { body: { name } })
    return {
      token: String(json['agent_secret']),
      handle: String(json['handle']),
      actor: String(json['actor_id']),
    }
  }

  /** An account as it is after sign-up. */
  async function person(name: string) {
    const browser = new Browser(service)
    const { json } = await browser.guest(name)
    const handle = String(json['handle'])
    const home = await service.store.get(handleKey(handle))
    const { accountId } = JSON.parse(Buffer.from(home?.value ?? []).toString())
    const stored = await service.store.get(accountKey(accountId))
    const account = { ...JSON.parse(Buffer.from(stored?.value ?? []).toString()), guest: false }
    const value = Buffer.from(JSON.stringify(account))
    await service.store.commit({ puts: [{ key: accountKey(accountId), value }] })
    return { browser, handle, actor: String(json['actor_id']) }
  }

  const role = async (slug: string, token: string) => {
    const answer = await service.call('GET', `/docs/${slug}`, { token })
    return answer.status === 200 ? answer.json['your_role'] : said(answer)
  }

  const revisionOf = async (slug: string) =>
    (await service.documents.read(slug as Slug, {})).revision
  return { service, soon, owned, agent, person, role, revisionOf }
}
