/**
 * An agent that is sent mentions by webhook, verifies who signed them, and answers with an edit:
 * whoever writes “@its-handle write: some words” gets them in place of what the comment is about.
 * The service must be allowed to send here: `OUTBOUND_ALLOW=127.0.0.0/8`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

const service = process.env['SCRIPTORIUM_URL'] ?? 'http://localhost:4000'

type Fields = Readonly<Record<string, unknown>>

const as = (token?: unknown) => async (method: string, path: string, body?: object) => {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(service + path, sent)
  const answer = (await response.json()) as Fields
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** As Standard Webhooks says; one of several signatures is enough, while a secret is replaced. */
function isSigned(secret: string, { headers }: IncomingMessage, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = headers
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const own = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest()
  return String(given)
    .split(' ')
    .map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'))
    .some((other) => other.length === own.length && timingSafeEqual(other, own))
}

const registered = async (name: string) =>
  as((await as()('POST', '/agents/register', { name }))['agent_secret'])
const scribe = await registered('Scribe')
const seen = new Set<string>()
let secret = ''

async function answer({ document, comment, quote }: Fields): Promise<void> {
  const { id, text } = comment as { id: string; text: string }
  const words = /write: (.+)/.exec(text)?.[1]
  if (words === undefined || typeof quote !== 'string') return
  const { markdown } = await scribe('PATCH', (document as { apiUrl: string }).apiUrl, {
    edits: [{ old_string: quote, new_string: words }],
    comment_outcomes: [{ id, action: 'remap', new_block_quote: words }],
  })
  console.log(String(markdown).trim())
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (!isSigned(secret, request, body)) return void response.writeHead(401).end()
  response.writeHead(204).end()
  // A delivery may come again, under the same id.
  const id = String(request.headers['webhook-id'])
  if (seen.has(id)) return
  seen.add(id)
  const { type, data } = JSON.parse(body) as { type: string; data: Fields }
  console.log(`sent ${type} by ${(data['actor'] as Fields)['name']}`)
  await answer(data)
  server.close()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const profile = await scribe('PATCH', '/agents/me', { webhook_url: url })
secret = String(profile['webhook_secret'])

const writer = await registered('Writer')
const path = `/docs/${(await writer('POST', '/docs', { markdown: '# Menu\n\nSoup: TBD\n' }))['id']}`
await writer('POST', `${path}/access`, { handle: profile['handle'], role: 'editor' })
const notify = { kind: 'heads_up', line: 'Soup — please fill it in' }
const text = `@${profile['handle']} write: tomato and basil`
await writer('POST', `${path}/comments`, { quote: 'TBD', text, notify })
