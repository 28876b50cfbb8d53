/**
 * The callers and the documents of the matrix, made through public routes alone: one owner, who has
 * a document for each state and general access, and everybody who may ask for it.
 */
import { routes } from '../../../rest/all-routes.ts'
import { asText, call, type Fields, pick, type Service, succeeded } from '../../client.ts'
import { Person } from '../acceptance/person.ts'
import { until } from '../acceptance/sockets.ts'
import { ACCESSES, type Access, type Caller, STATES, type State } from './rules.ts'

/** A route whatever its parameters are called; a socket is asked for by a GET. */
export const shape = (route: string): string => route.replace(/^WS/, 'GET').replace(/:\w+/g, ':')

const mounted = routes.map(({ declaration: { method, path } }) => shape(`${method} ${path}`))
export const isThere = (route: string): boolean => mounted.includes(shape(route))

export const PASSWORD = 'correct horse battery'

/** What a caller sends along with a request for this address. */
export type Credential = (address: string) => {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

export interface Account {
  readonly person: Person
  readonly handle: string
  readonly name: string
}

export interface Agent {
  readonly secret: string
  readonly handle: string
}

/** Of the whole product. */
export interface Cast {
  readonly owner: Account
  readonly editor: Account
  readonly stranger: Account
  /** To whom documents are offered; none of the callers. */
  readonly heir: Account
  readonly ownerKey?: string
  readonly granted: Agent
  readonly strange: Agent
  readonly ephemeral?: Agent
  readonly foreignToken: string
}

export interface Scene {
  readonly state: State
  readonly access: Access
  readonly slug: string
  readonly block: string
  readonly credentials: ReadonlyMap<Caller, Credential>
}

let made = 0
export const freshHandle = (): string => `somebody-${++made}`

export async function signUp(service: Service, name: string): Promise<Account> {
  const person = new Person(service)
  if (!isThere('POST /auth/signup')) {
    const guest = await call(person, 'POST /auth/guest', [], { body: { name } })
    return { person, handle: guest.handle, name }
  }
  const body = { handle: freshHandle(), name, password: PASSWORD }
  const account = await call(person, 'POST /auth/signup', [], { body })
  return { person, handle: account.handle, name }
}

export async function registerAgent(service: Service, name: string): Promise<Agent> {
  const body = await service.agent(name)
  return { secret: body.agent_secret, handle: body.handle }
}

export async function ephemeralAgent(service: Service, ownerKey: string): Promise<Agent> {
  const body = await call(service, 'POST /agents/ephemeral', [], { token: ownerKey, body: {} })
  return { secret: body.agent_secret, handle: body.handle }
}

export async function makeCast(service: Service): Promise<Cast> {
  const [owner, editor, stranger, heir, granted, strange, foreign] = await Promise.all([
    signUp(service, 'Owner'),
    signUp(service, 'Editor'),
    signUp(service, 'Stranger'),
    signUp(service, 'Heir'),
    registerAgent(service, 'Granted'),
    registerAgent(service, 'Strange'),
    service.document('another document'),
  ])
  if (!isThere('POST /auth/owner-keys') || !isThere('POST /agents/ephemeral')) {
    const foreignToken = foreign.token
    return { owner, editor, stranger, heir, granted, strange, foreignToken }
  }
  const key = await owner.person.post('/auth/owner-keys', { name: 'matrix' })
  const ownerKey = asText(succeeded(key, 201)['key'])
  const ephemeral = await ephemeralAgent(service, ownerKey)
  const foreignToken = foreign.token
  return { owner, editor, stranger, heir, ownerKey, granted, strange, ephemeral, foreignToken }
}

/** The owner's document as it is before anybody is let in. */
export async function makeDocument({ owner }: Cast, state: State): Promise<string> {
  const markdown = 'alpha\n\nbeta\n'
  const slug = asText(succeeded(await owner.person.post('/docs', { markdown }), 201)['id'])
  await bring(owner.person, slug, state)
  return slug
}

async function bring(owner: Person, slug: string, state: State): Promise<void> {
  if (state === 'archived' && isThere('POST /docs/:slug/archive'))
    succeeded(await owner.post(`/docs/${slug}/archive`))
  if (!isThere('PATCH /docs/:slug/settings')) return
  if (state !== 'read_only' && state !== 'comments_disabled') return
  succeeded(await owner.ask('PATCH', `/docs/${slug}/settings`, { body: { [state]: true } }))
}

export async function mintToken(owner: Person, slug: string, grant: Fields): Promise<Fields> {
  return succeeded(await owner.post(`/docs/${slug}/access`, grant), 201)
}

/** What an identified token calls itself, wherever it does. */
export const TOKEN_NAME = 'Named'

/** A lock is the same whoever may read: one of the two has each. */
const accessesOf = (state: State): readonly Access[] =>
  state === 'read_only' ? ['anyone'] : state === 'comments_disabled' ? ['restricted'] : ACCESSES

export function makeScenes(service: Service, cast: Cast): Promise<readonly Scene[]> {
  const canArchive = isThere('POST /docs/:slug/archive')
  const canLock = isThere('PATCH /docs/:slug/settings')
  const states = STATES.filter((one) =>
    one === 'archived' ? canArchive : one === 'active' || canLock,
  )
  const all = states.flatMap((state) => accessesOf(state).map((access) => ({ state, access })))
  return Promise.all(all.map((one) => makeScene(service, cast, one)))
}

async function makeScene(
  service: Service,
  cast: Cast,
  { state, access }: { readonly state: State; readonly access: Access },
): Promise<Scene> {
  const owner = cast.owner.person
  const slug = await makeDocument(cast, 'active')
  const read = await service.get(`/docs/${slug}`, undefined, owner.headers(`/docs/${slug}`))
  const block = asText(pick(read.body, 'content_blocks', 0, 'id'))
  const general = { mode: access, role: 'viewer' }
  succeeded(await owner.ask('PATCH', `/docs/${slug}/link-access`, { body: general }))
  const canInvite = isThere('POST /docs/:slug/access')
  for (const { handle } of canInvite ? [cast.editor, cast.granted] : []) {
    succeeded(await owner.post(`/docs/${slug}/access`, { handle, role: 'editor' }), 201)
  }
  if (isThere('POST /docs/:slug/owner')) {
    succeeded(await owner.post(`/docs/${slug}/owner`, { handle: cast.heir.handle }), 201)
  }
  const shared = await owner.post(`/docs/${slug}/share-link`)
  if (shared.status !== 201 && shared.status !== 200) succeeded(shared, 201)
  const credentials = new Map([
    ...ofCast(cast),
    ...(canInvite ? await ofTokens(service, cast, slug) : []),
  ])
  if (isThere('POST /docs/:slug/links')) {
    credentials.set('linkCookie', await byLink(service, owner, slug))
  }
  if (!canInvite)
    for (const one of ['editorSession', 'grantedAgent'] as const) credentials.delete(one)
  await bring(owner, slug, state)
  return { state, access, slug, block, credentials }
}

const bearer =
  (token: string): Credential =>
  () => ({ token })

function ofCast(cast: Cast): (readonly [Caller, Credential])[] {
  const session =
    ({ person }: Account): Credential =>
    (address) => ({ headers: person.headers(address) })
  const elsewhere: Credential = (address) => ({
    headers: { ...cast.owner.person.headers(address), origin: 'http://elsewhere.example' },
  })
  return [
    ['nobody', () => ({})],
    ['foreignToken', bearer(cast.foreignToken)],
    ['ownerSession', session(cast.owner)],
    ['editorSession', session(cast.editor)],
    ['strangerSession', session(cast.stranger)],
    ['crossSite', elsewhere],
    ['grantedAgent', bearer(cast.granted.secret)],
    ['strangerAgent', bearer(cast.strange.secret)],
    ...(cast.ephemeral ? [['ephemeralAgent', bearer(cast.ephemeral.secret)] as const] : []),
    ...(cast.ownerKey ? [['ownerKey', bearer(cast.ownerKey)] as const] : []),
  ]
}

async function ofTokens(
  service: Service,
  { owner }: Cast,
  slug: string,
): Promise<[Caller, Credential][]> {
  const mint = async (role: string, more: Fields = {}) => {
    const body = await mintToken(owner.person, slug, { role, ...more })
    return { id: asText(body['token_id']), token: asText(body['access_token']) }
  }
  const viewer = (await mint('viewer')).token
  const commenter = (await mint('commenter')).token
  const editor = (await mint('editor')).token
  const unnamed = (await mint('editor')).token
  const revoked = await mint('editor')
  const soon = new Date(Date.now() + 1500).toISOString()
  const expired = (await mint('editor', { expires_at: soon })).token
  for (const token of [viewer, commenter, editor]) {
    const body = { display_name: TOKEN_NAME, slug }
    succeeded(await service.post('/agents/identify', body, { token }))
  }
  succeeded(await owner.person.ask('DELETE', `/docs/${slug}/access/${revoked.id}`))
  await until(async () => (await service.get(`/docs/${slug}`, expired)).status === 401)
  return [
    ['viewerToken', bearer(viewer)],
    ['commenterToken', bearer(commenter)],
    ['editorToken', bearer(editor)],
    ['unnamedToken', bearer(unnamed)],
    ['revokedToken', bearer(revoked.token)],
    ['expiredToken', bearer(expired)],
    ['tokenInQuery', () => ({ query: `token=${editor}` })],
  ]
}

/** A browser that opened an editor's short link and took no session. */
async function byLink(service: Service, owner: Person, slug: string): Promise<Credential> {
  const link = succeeded(await owner.post(`/docs/${slug}/links`, { role: 'editor' }), 201)
  const visitor = new Person(service)
  await visitor.visit(new URL(asText(link['url'])).pathname)
  return (address) => ({ headers: visitor.headers(address) })
}
