/** One case of the matrix: makes the request of a row as a caller would, reads what came back. */
import { type Answer, type Fields, refused, type Service, succeeded } from '../../client.ts'
import { Bare } from '../acceptance/sockets.ts'
import { CALLERS, type Caller, type Outcome, type Row } from './rules.ts'
import {
  type Agent,
  type Cast,
  type Credential,
  ephemeralAgent,
  freshHandle,
  makeDocument,
  mintToken,
  PASSWORD,
  registerAgent,
  type Scene,
  signUp,
  TOKEN_NAME,
} from './scenes.ts'

/** Ids that name nothing, of the shape that is looked for. */
const NOTHING: Readonly<Record<string, string>> = {
  n: '1',
  thread_id: 'thr_AAAAAAAAAAAAAAAAAAAAAA',
  code: 'AAAAAAAAAAAAAAAAAAAAAA',
  agent_id: 'ag_AAAAAAAAAAAAAAAAAAAAAA',
  actor: 'human:nobody-at-all',
  handle: 'bnd_AAAAAAAAAAAAAAAAAAAAAA',
  file: 'nothing.js',
}
const NO_ID = '00000000-0000-4000-8000-000000000000'

const NAMES: Partial<Record<Caller, string>> = {
  ownerSession: 'Owner',
  editorSession: 'Editor',
  strangerSession: 'Stranger',
  crossSite: 'Owner',
  grantedAgent: 'Granted',
  strangerAgent: 'Strange',
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const HTML = '<!doctype html><title>A chart</title><p>alpha'

export interface Stage {
  readonly service: Service
  readonly cast: Cast
}

export interface Case {
  readonly row: Row
  readonly caller: Caller
  readonly scene: Scene
  readonly outcome: Outcome
}

/** What came back, as `200`, `403 FORBIDDEN` or `101`. */
export async function play(stage: Stage, given: Case): Promise<string> {
  const { row, scene, outcome } = given
  const isTried = outcome === 'ok' || outcome === 'silent'
  const own = isTried && row.spends ? await ownThings(stage, given) : {}
  const slug = own.slug ?? scene.slug
  const [method = '', pattern = ''] = row.route.split(' ')
  const path = fillPath(pattern, { slug, bid: scene.block })
  const { token, headers, query } = (own.credential ?? credentialOf(given))(path)
  const queries = [row.query, query].filter((one) => one !== undefined)
  const address = queries.length > 0 ? `${path}?${queries.join('&')}` : path
  const sent = { ...(token !== undefined && { token }), headers: headers ?? {} }
  if (method === 'WS') return upgrade(stage.service, address, sent)
  const payload = await payloadOf(stage, given)
  const answer = await stage.service.ask(method, address, {
    ...sent,
    ...payload,
    headers: { ...sent.headers, ...('raw' in payload && payload.headers) },
  })
  const { status, body } = answer
  if (status < 400) {
    await undo(stage, given, answer)
    return `${status}`
  }
  const code = String(body['code'])
  refused(answer, status, code)
  return `${status} ${code}`
}

function credentialOf({ caller, scene }: Case): Credential {
  const credential = scene.credentials.get(caller)
  if (credential === undefined) throw new Error(`no ${caller} in ${scene.state} ${scene.access}`)
  return credential
}

const fillPath = (pattern: string, known: Readonly<Record<string, string>>): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(known[name] ?? NOTHING[name] ?? NO_ID),
  )

async function payloadOf(stage: Stage, given: Case) {
  const { row } = given
  if (row.raw !== undefined) {
    const raw = row.raw.bytes === 'png' ? Buffer.from(PNG, 'base64') : HTML
    return { raw, headers: { 'content-type': row.raw.type } }
  }
  return row.body === undefined ? {} : { body: await filled(stage, given, row.body) }
}

/** The body with what stands for the `$word`s in it. */
async function filled(stage: Stage, given: Case, body: unknown): Promise<unknown> {
  if (typeof body === 'string' && body.startsWith('$')) return wordOf(stage, given, body.slice(1))
  if (Array.isArray(body)) return Promise.all(body.map((one) => filled(stage, given, one)))
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(
    async ([name, value]): Promise<[string, unknown]> => [name, await filled(stage, given, value)],
  )
  return Object.fromEntries(await Promise.all(entries))
}

async function wordOf({ cast }: Stage, { caller, scene }: Case, word: string): Promise<unknown> {
  const known: Fields = {
    name: NAMES[caller] ?? TOKEN_NAME,
    slug: scene.slug,
    agent: cast.granted.handle,
    heir: cast.heir.handle,
    fresh: freshHandle(),
    password: PASSWORD,
    read_only: scene.state === 'read_only',
  }
  if (word in known) return known[word]
  // Each invitation and each link is a revision, so that the present one is asked for. Nobody but
  // its archive is read of an archived document, and there any number does.
  const read = await cast.owner.person.get(`/docs/${scene.slug}`)
  return read.body['revision'] ?? 1
}

async function upgrade(
  service: Service,
  address: string,
  sent: { readonly token?: string; readonly headers: Readonly<Record<string, string>> },
): Promise<string> {
  const socket = new Bare(service, address, sent)
  const refusal = await socket.opened
  socket.stop()
  return refusal === undefined ? '101' : `${refusal.status} ${refusal.body['code']}`
}

interface Own {
  readonly slug?: string
  readonly credential?: Credential
}

/** A thing of the caller's kind that may be used up. */
async function ownThings(stage: Stage, { row, caller, scene }: Case): Promise<Own> {
  const { service, cast } = stage
  const owner = cast.owner.person
  if (row.spends === 'document') return { slug: await makeDocument(cast, scene.state) }
  if (row.spends === 'account' && CALLERS[caller].shows === 'session') {
    const { person } = await signUp(service, 'Passing')
    return { credential: (address) => ({ headers: person.headers(address) }) }
  }
  if (row.spends === 'agent' && CALLERS[caller].shows === 'agent') {
    const isEphemeral = caller === 'ephemeralAgent'
    const made: Promise<Agent> = isEphemeral
      ? ephemeralAgent(service, cast.ownerKey ?? '')
      : registerAgent(service, 'Passing')
    const { secret } = await made
    return { credential: () => ({ token: secret }) }
  }
  if (row.spends === 'token' && CALLERS[caller].shows === 'token') {
    const role = caller.replace('Token', '').replace('unnamed', 'editor')
    const token = String((await mintToken(owner, scene.slug, { role }))['access_token'])
    return { credential: () => ({ token }) }
  }
  return {}
}

/** The document as it was. */
async function undo({ cast }: Stage, { row, scene }: Case, { status }: Answer): Promise<void> {
  const isArchived = scene.state === 'archived'
  const isUndone = row.undo === (isArchived ? 'archive' : 'restore')
  if (row.undo === undefined || !isUndone || status >= 300) return
  succeeded(await cast.owner.person.post(`/docs/${scene.slug}/${row.undo}`))
}
