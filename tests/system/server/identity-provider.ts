/**
 * A real provider of identities for tests, and a browser that goes back and forth between it and
 * the service. Who sits at the browser is said by the test.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors, Provider } from 'oidc-provider'

export interface Person {
  readonly subject: string
  readonly preferred_username?: string
  readonly name?: string
}

export class TestProvider {
  /** Who signs in next; `undefined`: somebody who changes their mind. */
  person: Person | undefined
  readonly #people = new Map<string, Person>()
  readonly #server: Server
  readonly #provider: Provider
  readonly issuer: string

  private constructor(server: Server, issuer: string, client: ProviderClient) {
    this.#server = server
    this.issuer = issuer
    this.#provider = new Provider(issuer, this.#configuration(client))
    this.#provider.on('server_error', (_, error) => console.error(error))
    const answer = this.#provider.callback()
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/sign-in/') !== true) return void answer(request, response)
      const { person } = this
      if (person !== undefined) this.#people.set(person.subject, person)
      const result = person
        ? { login: { accountId: person.subject } }
        : { error: 'access_denied', error_description: 'changed their mind' }
      this.#provider.interactionFinished(request, response, result).catch(console.error)
    })
  }

  static async start(client: ProviderClient, port = 0): Promise<TestProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const { port: given } = server.address() as AddressInfo
    return new TestProvider(server, `http://127.0.0.1:${given}`, client)
  }

  get port(): number {
    return Number(new URL(this.issuer).port)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #configuration(client: ProviderClient): ConstructorParameters<typeof Provider>[1] {
    return {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [...client.returnAddresses],
        },
      ],
      claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
      pkce: { required: () => true },
      cookies: { keys: ['of a test'] },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        Grant: 60,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
      },
      findAccount: (_, subject) => {
        const { subject: sub, ...claims } = this.#people.get(subject) ?? { subject }
        return { accountId: sub, claims: async () => ({ sub, ...claims }) }
      },
      async loadExistingGrant({ oidc }) {
        const { client: forClient, session } = oidc
        const accountId = session?.accountId
        if (forClient === undefined || accountId === undefined) throw new errors.AccessDenied()
        const grant = new oidc.provider.Grant({ clientId: forClient.clientId, accountId })
        grant.addOIDCScope('openid profile')
        await grant.save()
        return grant
      },
    }
  }
}

export interface ProviderClient {
  readonly id: string
  readonly secret: string
  readonly returnAddresses: readonly string[]
}

interface Cookie {
  readonly value: string
  readonly path: string
}

/** Keeps the cookies of each origin; stands still where it is told to. */
export class Wanderer {
  readonly #cookies = new Map<string, Map<string, Cookie>>()

  cookie(address: string, name: string): string | undefined {
    return this.#cookies.get(new URL(address).origin)?.get(name)?.value
  }

  /** What it has of one origin is forgotten: somebody else sits there, or came in private. */
  forget(address: string): void {
    this.#cookies.delete(new URL(address).origin)
  }

  async visit(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname } = new URL(address)
    const kept = this.#cookies.get(origin) ?? new Map<string, Cookie>()
    this.#cookies.set(origin, kept)
    const cookie = [...kept]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const headers = { Origin: origin, ...(cookie && { cookie }), ...init.headers }
    const answer = await fetch(address, { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
      if (value === '' || /max-age=0/i.test(line)) kept.delete(name)
      else kept.set(name, { value, path })
    }
    return answer
  }

  /** Follows redirects until one leads to what is looked for; that address. */
  async walk(address: string, until: RegExp): Promise<string> {
    let at = address
    for (let hops = 0; hops < 12 && !until.test(at); hops++) {
      const answer = await this.visit(at)
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`${answer.status} at ${at}: ${await answer.text()}`)
      at = new URL(location, at).href
    }
    return at
  }

  json(address: string, method: string, body: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return this.visit(address, { method, headers, body: JSON.stringify(body) })
  }
}
