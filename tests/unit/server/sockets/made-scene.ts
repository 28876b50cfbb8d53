/**
 * A document of Ada's, somebody who makes links of it, and what stands on those links: the tests of
 * what a link is worth once its maker changed.
 */
import * as assert from 'uvu/assert'
import type { Runtime } from '../../../../schema/runtime.ts'
import { Copy, type Wire } from '../wire.ts'
import type { World } from '../world.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Party {
  readonly actor: string
  readonly handle: string
  readonly headers: Readonly<Record<string, string>>
  call(method: string, path: string, body?: unknown): Promise<Said>
}

export interface Said {
  readonly status: number
  readonly body: Fields
}

export interface Made {
  readonly code: string
  /** The token at the end of the link. */
  readonly shared: string
  /** The token that a read through it minted. */
  readonly own: string
}

export class MadeScene {
  readonly world: World<Runtime>
  readonly #open: Wire[] = []
  #marks = 0

  constructor(world: World<Runtime>) {
    this.world = world
  }

  stop(): void {
    for (const one of this.#open.splice(0)) one.stop()
  }

  async send(
    headers: Readonly<Record<string, string>>,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Said> {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const answer = await fetch(`http://${this.world.address}${path}`, {
      method,
      headers: { ...headers, ...type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
  }

  party(fields: Fields, headers: Readonly<Record<string, string>>): Party {
    const call: Party['call'] = (method, path, body) => this.send(headers, method, path, body)
    return { actor: String(fields['actor_id']), handle: String(fields['handle']), headers, call }
  }

  async person(name: string): Promise<Party> {
    const origin = `http://${this.world.address}`
    const answer = await fetch(`${origin}/auth/guest`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    const headers = { Cookie: cookies.join('; '), Origin: origin }
    return this.party((await answer.json()) as Fields, headers)
  }

  /** A person whose account is a full one. */
  async account(name: string): Promise<Party> {
    const person = await this.person(name)
    const read = async (key: string) =>
      JSON.parse(Buffer.from((await this.world.store.get(key))?.value ?? []).toString())
    const { accountId } = await read(`actor/${encodeURIComponent(person.actor)}`)
    const key = `account/${accountId}`
    const value = Buffer.from(JSON.stringify({ ...(await read(key)), guest: false }))
    await this.world.store.commit({ puts: [{ key, value }] })
    return person
  }

  async agent(name: string): Promise<Party> {
    const { body } = await this.send({}, 'POST', '/agents/register', { name })
    return this.party(body, { Authorization: `Bearer ${body['agent_secret']}` })
  }

  /** Restricted, in Ada's team. */
  async owned() {
    const ada = await this.person('Ada')
    const markdown = 'words\n'
    const made = await ada.call('POST', '/docs', { markdown, library_target: { kind: 'team' } })
    assert.is(made.status, 201, JSON.stringify(made.body))
    const at = `/docs/${made.body['id']}`
    const restrict = { mode: 'restricted', role: 'viewer' }
    assert.is((await ada.call('PATCH', `${at}/link-access`, restrict)).status, 200)
    return { ada, at }
  }

  async invite(by: Party, at: string, whom: Party, role = 'editor'): Promise<void> {
    const invited = await by.call('POST', `${at}/access`, { handle: whom.handle, role })
    assert.is(invited.status, 201, JSON.stringify(invited.body))
  }

  take(by: Party, at: string, id: string, keeps = false): Promise<Said> {
    return by.call('DELETE', `${at}/access/${encodeURIComponent(id)}?keep_links=${keeps}`)
  }

  /** A link by this maker, its token, and a named token that a read through it minted. */
  async link(maker: Pick<Party, 'headers'>, at: string, body: object = {}): Promise<Made> {
    const link = await this.send(maker.headers, 'POST', `${at}/links`, body)
    assert.is(link.status, 201, JSON.stringify(link.body))
    const code = String(link.body['code'])
    const shared = await this.tokenBy(code)
    return { code, shared, own: await this.mint(at, shared) }
  }

  /** The token that a read by a shared one minted, named. */
  async mint(at: string, shared: string): Promise<string> {
    const read = await this.send(bearer(shared), 'GET', `${at}?docs`)
    const own = String(read.body['your_token'])
    const slug = at.slice('/docs/'.length)
    const name = { display_name: 'Guest', slug }
    const named = await this.send(bearer(own), 'POST', '/agents/identify', name)
    assert.is(named.status, 200, JSON.stringify(named.body))
    return own
  }

  async tokenBy(code: string): Promise<string> {
    const { body } = await this.send({}, 'GET', `/s/${code}`)
    const { pathname } = new URL(String(body['confirmation_url']))
    const url = `http://${this.world.address}${pathname}`
    const answer = await fetch(url, { redirect: 'manual' })
    return new URL(String(answer.headers.get('location'))).searchParams.get('token') ?? ''
  }

  /** What this token may do: `write`, `read`, or the status of the refusal. */
  async may(at: string, token: string): Promise<'write' | 'read' | number> {
    const read = await this.send(bearer(token), 'GET', at)
    if (read.status !== 200) return read.status
    const edits = [{ old_string: 'words', new_string: 'words' }]
    const body = { edits, display_name: 'Somebody' }
    const written = await this.send(bearer(token), 'PATCH', at, body)
    if (written.status === 200) return 'write'
    assert.is(written.status, 403, JSON.stringify(written.body))
    return 'read'
  }

  /** An editor that is open by this token. */
  async editor(at: string, token: string): Promise<Copy> {
    const copy = new Copy(this.world.address, `${at}/live`, { headers: bearer(token) })
    this.#open.push(copy)
    return copy.synced()
  }

  /** Fails unless this editor still writes. */
  async stillWrites(copy: Copy, at: string, by: Party): Promise<void> {
    const mark = `mark${this.#marks++}`
    copy.type('words', mark)
    await copy.handled()
    assert.is(copy.closeCode, undefined)
    const { body } = await by.call('GET', at)
    assert.match(String(body['markdown']), mark)
  }
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
