/**
 * A browser for the tests of the REST layer: it keeps cookies by their paths and has one origin.
 */
import type { Answered, Call, TestService } from './service.ts'

interface Kept {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** What a browser says of itself when a person goes somewhere. */
export const navigating = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }

export class Browser {
  readonly #service: TestService
  #kept: Kept[] = []
  origin: string | undefined = 'https://docs.example'

  constructor(service: TestService) {
    this.#service = service
  }

  /** What it would send along to this path. */
  cookies(path: string): string {
    return this.#kept
      .filter((one) => one.path === '/' || path === one.path || path.startsWith(`${one.path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  headers(path: string): Record<string, string> {
    const Cookie = this.cookies(path.split('?')[0] ?? path)
    const { origin } = this
    return { ...(Cookie && { Cookie }), ...(origin !== undefined && { Origin: origin }) }
  }

  async call(method: string, path: string, call: Call = {}): Promise<Answered> {
    const headers = { ...this.headers(path), ...call.headers }
    const answer = await this.#service.call(method, path, { ...call, headers })
    for (const cookie of answer.headers['set-cookie'] ?? []) this.#keep(cookie)
    return answer
  }

  /** Goes to an address as a person does, redirects followed. */
  async open(path: string): Promise<Answered> {
    let answer = await this.call('GET', path, { headers: navigating })
    for (let hops = 0; answer.status === 302 && hops < 5; hops++) {
      answer = await this.call('GET', String(answer.headers.location), { headers: navigating })
    }
    return answer
  }

  guest(name: string): Promise<Answered> {
    return this.call('POST', '/auth/guest', { body: { name } })
  }

  edit(slug: string, from: string, to: string): Promise<Answered> {
    const body = { edits: [{ old_string: from, new_string: to }] }
    return this.call('PATCH', `/docs/${slug}`, { body })
  }

  read(slug: string, query = ''): Promise<Answered> {
    return this.call('GET', `/docs/${slug}${query}`)
  }

  /** Forgets every cookie of this name. */
  forget(name: string): void {
    this.#kept = this.#kept.filter((one) => one.name !== name)
  }

  #keep(header: string): void {
    const [pair = '', ...attributes] = header.split('; ')
    const [name = '', value = ''] = pair.split('=')
    const path = attributes.find((one) => one.startsWith('Path='))?.slice('Path='.length) ?? '/'
    this.#kept = this.#kept.filter((one) => one.name !== name || one.path !== path)
    if (!attributes.includes('Max-Age=0')) this.#kept.push({ name, value, path })
  }
}
