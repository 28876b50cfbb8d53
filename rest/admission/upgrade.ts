/**
 * Websocket upgrades, up to the moment a socket may open: which document, whose credential, what
 * role. The credential of the change stream may stand in `?token=` (interface §5 rule 1), that of a
 * live editor in the subprotocol pair `yjs`, `bearer.<token>`, since browsers can set no header
 * there. It opens no socket and speaks no protocol.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { anonymousBrowser } from '../../core/access/browsers.ts'
import type { Credential } from '../../core/access/credentials.ts'
import type { Access } from '../../core/access/roles.ts'
import type { Sources } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import { randomName, type Slug } from '../../schema/ids.ts'
import { callerAddress, networkOf } from '../addresses/caller-address.ts'
import { failureAnswer } from '../answers/failure.ts'
import type { Services } from '../services.ts'
import { bearerOf, browserOf, cookieOf, linkOf, ownOrigin, visitorCookie } from './credentials.ts'
import { enterDocument } from './document-access.ts'
import { isOwnOrigin } from './own-origin.ts'
import { refuseSecret } from './wrong-secrets.ts'

export type UpgradeKind = 'changes' | 'live'

/** What the caller is on the document, and where it comes from. */
export interface UpgradeAccess extends Access {
  readonly sources: Sources
}

/** An upgrade that may go ahead. */
export interface Admission {
  readonly kind: UpgradeKind
  readonly slug: Slug
  readonly credential: Credential
  readonly access: UpgradeAccess
  readonly query: URLSearchParams
  /** Nobody owns the document and this browser may (extensions §3). */
  readonly claimable: boolean
  /** A browser that did not come by a link which is still good. */
  readonly linkless: boolean
  /** What the server answers as `Sec-WebSocket-Protocol`; `undefined`: nothing. */
  readonly protocol: string | undefined
  /** The caller's access as it is now. Refuses AUTH_REQUIRED, FORBIDDEN, DOC_NOT_FOUND. */
  refresh(): Promise<UpgradeAccess>
  /** After a write by a link: the account keeps it (extensions §3). */
  keepLink(): Promise<void>
  /** A hint that `refresh` may say something else; returns how to stop. */
  watch(listener: () => void): () => void
}

type Needs = Pick<Services, 'documents' | 'people' | 'config' | 'quotas' | 'count' | 'hints'>

const paths = /^\/docs\/([^/]+)\/(changes\/connect|live)$/

/** Refuses NOT_FOUND, then like every request for a document. */
export async function admitUpgrade(request: IncomingMessage, needs: Needs): Promise<Admission> {
  const [path = '', search = ''] = (request.url ?? '').split('?', 2)
  const [, slug, address] = paths.exec(path) ?? []
  if (slug === undefined) throw new Refusal('NOT_FOUND')
  const kind: UpgradeKind = address === 'live' ? 'live' : 'changes'
  const query = new URLSearchParams(search)
  const from = { request, query, offered: offeredProtocols(request) }
  const visit = { slug, action: 'read', credentialRequired: true } as const
  const entered = await enterDocument(needs, {
    ...visit,
    credential: (known) => credentialOf(kind, { ...from, slug: known }, needs),
  })
  const { credential, document } = entered
  if (credential === undefined) throw new TypeError('an upgrade was admitted without a credential')
  const origin = originOf(request, credential, needs)
  return {
    kind,
    slug: document.slug,
    credential,
    access: comingFrom(origin, document.access),
    query,
    claimable:
      credential.kind === 'browser' &&
      (await needs.people.access.mayClaim(credential, document.slug)),
    linkless: credential.kind === 'browser' && credential.link === undefined,
    protocol: from.offered.includes('yjs') ? 'yjs' : undefined,
    async refresh() {
      const again = () => needs.people.access.refresh(credential)
      const { document: now } = await enterDocument(needs, { ...visit, credential: again })
      return comingFrom(origin, now.access)
    },
    async keepLink() {
      if (credential.kind === 'browser')
        await needs.people.access.keepLink(credential, document.slug)
    },
    watch: (listener) => needs.people.access.watch(credential, document.slug, listener),
  }
}

interface CallerOrigin {
  readonly ipHash: string
  readonly sources: Sources
  /** Names a browser for as long as it keeps its cookies, whatever account it takes. */
  readonly browser: string | undefined
}

function originOf(
  request: IncomingMessage,
  credential: Credential,
  { people, config }: Needs,
): CallerOrigin {
  const address = callerAddress(request, config.trustProxy)
  const sources = { address: networkOf(address), link: linkOf(credential) }
  const ipHash = people.access.addressMark(address)
  if (credential.kind !== 'browser') return { ipHash, sources, browser: undefined }
  const visitor = people.access.visitor(cookieOf(request, visitorCookie))
  return { ipHash, sources, browser: visitor.isNew ? undefined : visitor.holder }
}

/**
 * History keeps where a write came from, also one over a socket. Field by field: each key asks what
 * is made here, and an object that was spread has a shape of its own, which no other socket's has.
 */
function comingFrom({ ipHash, sources, browser }: CallerOrigin, access: Access): UpgradeAccess {
  const { writer } = access
  return {
    role: access.role,
    through: access.through,
    actor: access.actor,
    displayName: access.displayName,
    identified: access.identified,
    writer: writer && { actor: writer.actor, authMethod: writer.authMethod, ipHash },
    holder: browser ?? access.holder,
    sharedToken: access.sharedToken,
    sources,
  }
}

interface Source {
  readonly slug: Slug
  readonly request: IncomingMessage
  readonly query: URLSearchParams
  readonly offered: readonly string[]
}

async function credentialOf(
  kind: UpgradeKind,
  from: Source,
  needs: Needs,
): Promise<Credential | undefined> {
  const secret = secretOf(kind, from)
  if (secret === undefined && from.request.headers.authorization === undefined) {
    return (await browserOf(from.request, from.slug, needs)) ?? (await passingBy(kind, from, needs))
  }
  const credential =
    secret === undefined ? undefined : await needs.people.access.authenticate(secret)
  const inAddress = kind === 'changes' && from.request.headers.authorization === undefined
  if (credential === undefined) {
    refuseSecret({ address: callerAddress(from.request, needs.config.trustProxy) }, needs)
  }
  if (credential.kind === 'agent' && inAddress) throw new Refusal('AUTH_HEADER_REQUIRED')
  return credential
}

/** What everybody may read, the service's own page shows to everybody, live. */
async function passingBy(
  kind: UpgradeKind,
  { request, slug }: Source,
  needs: Needs,
): Promise<Credential | undefined> {
  const { documents } = needs
  if (kind !== 'live' || !isOwnOrigin(request, ownOrigin(request, needs))) return undefined
  const { linkAccess } = await documents.facts(slug)
  return linkAccess.mode === 'anyone' ? anonymousBrowser : undefined
}

function offeredProtocols(request: IncomingMessage): string[] {
  const header = request.headers['sec-websocket-protocol'] ?? ''
  return header
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')
}

const protocolPrefix = 'bearer.'

/** The header counts most; a live editor's address may never carry a token. */
function secretOf(
  kind: UpgradeKind,
  { request, query, offered }: Omit<Source, 'slug'>,
): string | undefined {
  const token = query.get('token')
  if (kind === 'live' && token !== null) throw new Refusal('AUTH_HEADER_REQUIRED')
  const header = request.headers.authorization
  if (header !== undefined) return bearerOf(header)
  if (kind === 'changes') return token ?? undefined
  const pair = offered.find((protocol) => protocol.startsWith(protocolPrefix))
  return pair?.slice(protocolPrefix.length)
}

/**
 * Answers a refused upgrade in HTTP and ends the connection. Returns what the log should be told.
 */
export function refuseUpgrade(
  socket: Duplex,
  thrown: unknown,
  runtime: Services['runtime'],
): { readonly requestId: string; readonly status: number; readonly unexpected: unknown } {
  const requestId = `req_${randomName(runtime, 20)}`
  const { answer, unexpected } = failureAnswer(thrown, { id: requestId, slug: undefined })
  const status = answer.status ?? 500
  const body = 'json' in answer.body ? JSON.stringify(answer.body.json) : ''
  const headers: Record<string, string> = {
    ...answer.headers,
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  )
  return { requestId, status, unexpected }
}
