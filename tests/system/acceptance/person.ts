/**
 * A person in a browser, as the service sees one: keeps cookies by their paths, follows redirects,
 * sends its Origin. Knows the addresses and the names of the interface, nothing else.
 */
import { get, type IncomingMessage } from 'node:http'
import { type Answer, type Ask, call, type Made, parsed, type Service } from '../../client.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export class Person {
  readonly #service: Service
  #cookies: readonly Cookie[] = []

  constructor(service: Service) {
    this.#service = service
  }

  /** The headers that its browser would add to a request for this address. */
  headers(address: string): Record<string, string> {
    const path = address.split('?')[0] ?? ''
    const sent = this.#cookies.filter((one) => `${path}/`.startsWith(one.path.replace(/\/?$/, '/')))
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ')
    return { origin: this.#service.base, ...(cookie !== '' && { cookie }) }
  }

  async ask(method: string, address: string, ask: Ask = {}): Promise<Answer> {
    const headers = { ...this.headers(address), ...ask.headers }
    const answer = await this.#service.ask(method, address, { ...ask, headers })
    for (const text of answer.headers.getSetCookie()) this.#keep(text)
    return answer
  }

  get(address: string): Promise<Answer> {
    return this.ask('GET', address)
  }

  post(address: string, body?: unknown): Promise<Answer> {
    return this.ask('POST', address, body === undefined ? {} : { body })
  }

  /** Goes there as one follows a link; answers what the redirects end in. */
  async visit(address: string): Promise<Answer> {
    let answer = await this.#navigate(address)
    for (let left = 5; answer.status === 302 && left > 0; left--) {
      const next = new URL(answer.headers.get('location') ?? '', 'http://here')
      answer = await this.#navigate(next.pathname + next.search)
    }
    return answer
  }

  /** By a plain request: fetch says of itself that it is none of a browser's navigations. */
  async #navigate(address: string): Promise<Answer> {
    const headers = { ...this.headers(address), 'sec-fetch-mode': 'navigate' }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(this.#service.base + address, { headers }, resolve).on('error', reject)
    })
    let text = ''
    for await (const chunk of response) text += String(chunk)
    for (const cookie of response.headers['set-cookie'] ?? []) this.#keep(cookie)
    const { statusCode: status = 0, headers: heard } = response
    const known = Object.entries(heard).map(([name, value]): [string, string] => [name, `${value}`])
    return { status, headers: new Headers(known), text, body: parsed(text) }
  }

  /** Opens the document by its create's share address. */
  open(made: Made): Promise<Answer> {
    return this.visit(`/d/${made.slug}?token=${made.shareToken}`)
  }

  /** Takes a guest account; answers its actor id. */
  async becomes(name: string): Promise<string> {
    return (await call(this, 'POST /auth/guest', [], { body: { name } })).actor_id
  }

  edit(made: Made, from: string, to: string): Promise<Answer> {
    const body = { edits: [{ old_string: from, new_string: to }] }
    return this.ask('PATCH', made.path, { body })
  }

  #keep(text: string): void {
    const [pair = '', ...attributes] = text.split(/; */)
    const equals = pair.indexOf('=')
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    const others = this.#cookies.filter((one) => one.name !== name || one.path !== path)
    const isGone = attributes.some((one) => /^max-age=0$/i.test(one))
    this.#cookies = isGone ? others : [...others, { name, value, path }]
  }
}
