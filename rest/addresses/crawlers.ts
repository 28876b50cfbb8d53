/**
 * Programs that follow links nobody clicked: search engines, and chats that draw previews. They are
 * known by what they call themselves (the list is isbot's), so this keeps honest ones out and is no
 * protection. What fetches for somebody who asked for it is none of them.
 */
import { createIsbotFromList, list } from 'isbot'

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

/** Whether this is what a known crawler or unfurler calls itself. */
export const isCrawler = (userAgent: string | undefined): boolean => isKnown(userAgent ?? '')
