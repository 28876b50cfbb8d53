/**
 * Whether a person goes to an address with this request, or a page loads it, or a browser does so
 * on suspicion (extensions §3). Secure pages' browsers say what they fetch for, and no script can
 * say it for them; over plain HTTP, but for loopback, they say nothing.
 */
import { createIsbotFromList, list } from 'isbot'
import { Refusal } from '../../schema/errors.ts'

export interface Fetch {
  readonly method: string
  header(name: string): string | undefined
}

/**
 * For an address that changes what this browser may do: a page may load it as an image, a frame or
 * a script, but only a navigation counts. Whoever says nothing counts over plain HTTP alone, and
 * there a browser must show it by the one header that it sends when it navigates and never else.
 */
export function isNavigation({ method, header }: Fetch, baseUrl: string): boolean {
  if (method !== 'GET') return false
  const target = header('sec-fetch-dest')
  if (target !== undefined) return target === 'document'
  if (baseUrl.startsWith('https:')) return false
  return header('upgrade-insecure-requests') === '1' || !claimsToBeBrowser(header('user-agent'))
}

const claimsToBeBrowser = (agent: string | undefined): boolean => /\bMozilla\//.test(agent ?? '')

/** For an address that tells people and programs apart: only a person's browser says so. */
export function isPersonsNavigation({ method, header }: Fetch, baseUrl: string): boolean {
  if (method !== 'GET') return false
  const [mode, target] = [header('sec-fetch-mode'), header('sec-fetch-dest')]
  if (target !== undefined && target !== 'document') return false
  if (mode !== undefined || baseUrl.startsWith('https:')) return mode === 'navigate'
  return header('upgrade-insecure-requests') === '1'
}

/**
 * Refuses UNAVAILABLE to a browser that fetches ahead of its person: it forgets such an answer and
 * asks again when the person goes there.
 */
export function refusePrefetch({ header }: Pick<Fetch, 'header'>): void {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => header(name))
  if (!purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose ?? ''))) return
  throw new Refusal('UNAVAILABLE', { retry_after: 1 }, 'Prefetching is not supported here.')
}

/** Agents, what they are written with, and browsers that they drive: isbot counts them too. */
const clients = [
  ...['curl/8.5.0', 'Wget/1.21', 'HTTPie/3.2', 'PostmanRuntime/7.36', 'insomnia/8', 'node'],
  ...['undici', 'node-fetch/1.0', 'axios/1.6.0', 'Deno/1.40', 'Bun/1.0', 'python-requests/2.31'],
  ...['Python-urllib/3.11', 'python-httpx/0.27', 'aiohttp/3.9', 'Go-http-client/2.0', 'PHP/8'],
  ...['GuzzleHttp/7', 'Java/17', 'Apache-HttpClient/5', 'okhttp/4.9', 'reqwest/0.11', 'Ruby'],
  ...['Faraday v2', 'libwww-perl/6.7', 'ChatGPT-User/1.0', 'Claude-User/1.0', 'MyAgent/1.0'],
  ...['my-agent (https://example.com)', 'Mozilla/5.0 (compatible; SomeAgent/1.0)'],
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Claude/1.0 Chrome/131.0.0.0 Electron/33.0.0 Safari/537.36',
]

const isClients = (pattern: string): boolean => {
  const found = new RegExp(pattern, 'i')
  return clients.some((client) => found.test(client))
}

/** Those that isbot does not know, or knows only by what clients say too. */
const others = [
  ...['anthropic-ai', 'cardyb', 'embedly', 'iframely', 'kakaotalk-scrap', 'line-poker'],
  ...['mastodon', 'mattermost', 'meta-externalagent', 'pinterest', 'rocket\\.chat', 'tumblr'],
  ...['viber', 'vkshare', 'xing-contenttabreceiver'],
]

const isKnown = createIsbotFromList([...list.filter((one) => !isClients(one)), ...others])

/**
 * Whether this is what a known crawler or link preview calls itself: programs that follow links
 * nobody clicked. It keeps honest ones out and is no protection. What fetches for somebody who
 * asked for it is none of them.
 */
export const isCrawler = (userAgent: string | undefined): boolean => isKnown(userAgent ?? '')
