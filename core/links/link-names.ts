/**
 * Names of short links (interface §4.10, extensions §3): flat ones are one namespace for the whole
 * service, `@handle/name` is everybody's own. A name belongs to the link that has it, is kept for
 * its document for a while when that ends, and is anybody's then.
 */
import {
  handleKey,
  indexKey,
  indexRange,
  linkNameKey,
  linkNameOfDocument,
  parseKey,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { type LinkName, readRecord, records } from '../records/records.ts'

/** The shape of a code; no name has it. */
export const looksLikeCode = (text: string): boolean => /^[0-9a-z]{20}$/.test(text)

const flat = /^[a-z0-9-]{2,64}$/
const ofHandle = /^@([a-z0-9][a-z0-9._-]{0,63})\/[a-z0-9-]{2,64}$/

/** Words that the service, or whoever runs it, may want for an address of its own. */
const reserved: ReadonlySet<string> = new Set([
  ...['about', 'access', 'account', 'accounts', 'actor', 'actors', 'admin', 'administrator'],
  ...['agent', 'agents', 'api', 'app', 'archive', 'artifact', 'artifacts', 'assets', 'auth'],
  ...[
    'billing',
    'blog',
    'bot',
    'bots',
    'bundle',
    'bundles',
    'callback',
    'claim',
    'code',
    'comment',
  ],
  ...['comments', 'connect', 'contact', 'create', 'default', 'delete', 'doc', 'docs', 'document'],
  ...['documents', 'edit', 'error', 'export', 'false', 'favicon', 'feedback', 'file', 'files'],
  ...['folder', 'folders', 'guest', 'health', 'healthz', 'help', 'history', 'home', 'icon', 'id'],
  ...['image', 'images', 'import', 'inbox', 'index', 'info', 'invite', 'legal', 'library', 'link'],
  ...['links', 'live', 'llms', 'login', 'logout', 'mail', 'me', 'metrics', 'name', 'new', 'news'],
  ...['null', 'oauth', 'oidc', 'official', 'okf', 'openapi', 'owner', 'page', 'password', 'ping'],
  ...['pricing', 'privacy', 'profile', 'public', 'readyz', 'reference', 'register', 'reserved'],
  ...['reset', 'robots', 'root', 'search', 'security', 'session', 'settings', 'share', 'shared'],
  ...['signin', 'signout', 'signup', 'sitemap', 'static', 'status', 'support', 'system', 'team'],
  ...[
    'teams',
    'terms',
    'test',
    'token',
    'tokens',
    'true',
    'undefined',
    'user',
    'users',
    'well-known',
  ],
  ...['worker', 'workspace', 'workspaces', 'www'],
])

/** Refuses INVALID_REQUEST what is no name, or a reserved one. */
export function requireName(name: string): void {
  const problem = problemOf(name)
  if (problem === undefined) return
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: '/name', message: problem }] })
}

function problemOf(name: string): string | undefined {
  if (ofHandle.test(name)) return undefined
  if (!flat.test(name)) {
    return 'takes 2 to 64 of a–z, 0–9 and -, alone or behind @your-handle/'
  }
  if (looksLikeCode(name)) return 'looks like a code'
  return reserved.has(name) ? 'is reserved' : undefined
}

/** Who wants a name for a link. */
export interface NameClaim {
  readonly name: string
  readonly slug: Slug
  /** Of an account or a registered agent; nobody else has one. */
  readonly handle: string | undefined
}

/**
 * Refuses FORBIDDEN to who has no handle, and for the name of another's; NAME_TAKEN what another
 * link has, had of late in another document, or a handle of somebody else.
 */
export async function assertFree(
  plan: RecordPlan,
  { name, slug, handle }: NameClaim,
  now: number,
): Promise<void> {
  const [, owner] = ofHandle.exec(name) ?? []
  if (handle === undefined || (owner !== undefined && owner !== handle)) {
    throw new Refusal('FORBIDDEN', { name }, 'This name is under another user’s handle.')
  }
  if (owner === undefined && name !== handle) {
    const taken = await plan.read(handleKey(name), records.handle)
    if (taken !== undefined) throw new Refusal('NAME_TAKEN', { name })
  }
  const known = await plan.read(linkNameKey(name), records.linkName)
  if (known === undefined) return
  const { endsAt = Number.POSITIVE_INFINITY } = known
  const isFree = endsAt + (known.slug === slug ? 0 : limits.linkNameHeldMs) <= now
  if (!isFree) throw new Refusal('NAME_TAKEN', { name })
  dropName(plan, name, known)
}

export const freeNameKey = (endsAt: number, name: string): string =>
  indexKey('free-link-name', Math.ceil((endsAt + limits.linkNameHeldMs) / 1000), name)

/** It is found by nothing any more. */
export function dropName(plan: RecordPlan, name: string, { slug, endsAt }: LinkName): void {
  plan.delete(linkNameKey(name), linkNameOfDocument(slug as Slug, name))
  if (endsAt !== undefined) plan.delete(freeNameKey(endsAt, name))
}

/** The name is this link's until it ends, and its document's for a while. */
export function takeName(plan: RecordPlan, name: string, { slug, linkId, endsAt }: LinkName): void {
  plan.put([{ key: linkNameOfDocument(slug as Slug, name), value: new Uint8Array() }])
  const record = { slug, linkId, ...(endsAt !== undefined && { endsAt }) }
  plan.write(linkNameKey(name), records.linkName, record)
  if (endsAt !== undefined) plan.put([{ key: freeNameKey(endsAt, name), value: new Uint8Array() }])
}

/** Deletes what is kept of names that are anybody's by now; returns how many. */
export async function sweepFreeNames(store: Store, runtime: Runtime): Promise<number> {
  const now = runtime.now()
  const range = {
    ...indexRange('free-link-name'),
    lt: freeNameKey(now - limits.linkNameHeldMs, '!'),
  }
  let swept = 0
  for await (const { key } of store.scan(range)) {
    const name = parseKey(key)?.path.at(-1) ?? ''
    const known = await readRecord(store, linkNameKey(name), records.linkName)
    const { endsAt = Number.POSITIVE_INFINITY } = known?.record ?? {}
    const isFree = endsAt + limits.linkNameHeldMs <= now
    const checks = [{ key: linkNameKey(name), version: known?.version }]
    const deletes = [key]
    if (isFree) deletes.push(linkNameKey(name))
    if (isFree && known) deletes.push(linkNameOfDocument(known.record.slug as Slug, name))
    if ((await store.commit({ checks, deletes })).ok && isFree) swept += 1
  }
  return swept
}
