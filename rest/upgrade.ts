/**
 * Websocket upgrades, up to the moment a socket may open: which document, whose credential, what role.
 * The credential of the change stream may stand in `?token=` (interface §5 rule 1), that of a live
 * editor in the subprotocol pair `yjs`, `bearer.<token>`, since browsers can set no header there.
 * It opens no socket and speaks no protocol.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DocumentFacts } from '../core/documents/contract.ts'
import type { Credential } from '../core/people/identity.ts'
import { type Access, requireRole } from '../core/people/roles.ts'
import { Refusal } from '../schema/errors.ts'
import { isSlug, randomName, type Slug } from '../schema/ids.ts'
import { bearerOf } from './credentials.ts'
import { failureAnswer } from './failure.ts'
import type { Services } from './services.ts'

export type UpgradeKind = 'changes' | 'live'

/** An upgrade that may go ahead. */
export interface Admission {
  readonly kind: UpgradeKind
  readonly slug: Slug
  readonly credential: Credential
  readonly access: Access
  readonly query: URLSearchParams
  /** What the server answers as `Sec-WebSocket-Protocol`; `undefined`: nothing. */
  readonly protocol: string | undefined
  /** The caller's access as it is now. Refuses AUTH_REQUIRED, FORBIDDEN, DOC_NOT_FOUND. */
  refresh(): Promise<Access>
  /** A hint that `refresh` may say something else; returns how to stop. */
  watch(listener: () => void): () => void
}

type Needs = Pick<Services, 'documents' | 'people'>

const paths = /^\/docs\/([^/]+)\/(changes\/connect|live)$/

/** Refuses NOT_FOUND, DOC_NOT_FOUND, AUTH_HEADER_REQUIRED, AUTH_REQUIRED, FORBIDDEN, in this order. */
export async function admitUpgrade(request: IncomingMessage, needs: Needs): Promise<Admission> {
  const url = new URL(request.url ?? '/', 'http://upgrade.invalid')
  const match = paths.exec(url.pathname)
  const slug = match?.[1]
  if (slug === undefined) throw new Refusal('NOT_FOUND')
  if (!isSlug(slug)) throw new Refusal('DOC_NOT_FOUND')
  const kind: UpgradeKind = match?.[2] === 'live' ? 'live' : 'changes'
  const facts = await needs.documents.facts(slug)
  const offered = offeredProtocols(request)
  const secret = secretOf(request, kind, { query: url.searchParams, offered })
  const credential = secret === undefined ? undefined : await needs.people.authenticate(secret)
  if (credential === undefined) throw new Refusal('AUTH_REQUIRED')
  const fromQuery = kind === 'changes' && request.headers.authorization === undefined
  if (fromQuery && credential.kind !== 'token') throw new Refusal('AUTH_HEADER_REQUIRED')
  const access = await accessTo(facts, credential, needs)
  return {
    kind,
    slug,
    credential,
    access,
    query: url.searchParams,
    protocol: offered.includes('yjs') ? 'yjs' : undefined,
    async refresh() {
      const current = await needs.people.refresh(credential)
      const now = await needs.documents.facts(slug)
      if (current === undefined) throw new Refusal('AUTH_REQUIRED')
      return accessTo(now, current, needs)
    },
    watch: (listener) => needs.people.watch(credential, listener),
  }
}

const accessTo = async (facts: DocumentFacts, credential: Credential, { people }: Needs) =>
  requireRole(credential, await people.access(credential, facts), 'viewer')

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
  request: IncomingMessage,
  kind: UpgradeKind,
  from: { readonly query: URLSearchParams; readonly offered: readonly string[] },
): string | undefined {
  const token = from.query.get('token')
  if (kind === 'live' && token !== null) throw new Refusal('AUTH_HEADER_REQUIRED')
  const header = request.headers.authorization
  if (header !== undefined) return bearerOf(header)
  if (kind === 'changes') return token ?? undefined
  const pair = from.offered.find((protocol) => protocol.startsWith(protocolPrefix))
  return pair?.slice(protocolPrefix.length)
}

/** Answers a refused upgrade in HTTP and ends the connection. Returns what the log should be told. */
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
