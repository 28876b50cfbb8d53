/** People with libraries, for the tests of folders. */
import * as assert from 'uvu/assert'
import type { Browser } from '../browser.ts'
import type { Answered } from '../service.ts'
import { type Fields, list, type openScene } from '../sharing/sharing-scene.ts'

export const node = ({ json }: Answered) => json['node'] as Fields
export const folder = (browser: Browser, name: string, target: Fields = { kind: 'personal' }) =>
  browser.call('POST', '/docs/folders', { body: { name, library_target: target } })
export const made = async (browser: Browser, name: string, target?: Fields) =>
  String(node(await folder(browser, name, target))['id'])
export const document = async (browser: Browser, markdown: string, target: Fields) => {
  const answer = await browser.call('POST', '/docs', { body: { markdown, library_target: target } })
  assert.is(answer.status, 201, answer.text)
  return String(answer.json['id'])
}
export const library = (browser: Browser, query = '') =>
  browser.call('GET', `/workspace/library${query}`)
export const names = async (browser: Browser, query = '') =>
  list(await library(browser, query), 'nodes').map(({ name }) => name)

export async function household(scene: Awaited<ReturnType<typeof openScene>>) {
  const ada = await scene.person('Ada')
  const { json } = await ada.browser.call('GET', '/workspace')
  const [personal, team] = (json['containers'] as Fields[]).map(({ id }) => String(id))
  const bot = async (name: string) => {
    const { json } = await ada.browser.call('POST', '/workspace/bots', { body: { name } })
    const { agent_id: id, agent_secret: secret, bot_slug: slug, container_id: brain } = json
    return { id: String(id), secret: String(secret), slug: String(slug), brain: String(brain) }
  }
  return { ...ada, personal, team, bot }
}
