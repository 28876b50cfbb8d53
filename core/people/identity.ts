/**
 * Who a bearer secret stands for (interface §5) and how a nameless token gets a name (§4.7). A
 * credential is what one look at the store said: ask again where time has passed. Names change in a
 * conditional commit of the token's record, the only place that holds them.
 */
import { agentKey, tokenBySha256, useKey } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Role } from '../documents/contract.ts'
import { agentById } from './agents.ts'
import { type Account, type DocumentToken, readRecord, records, type Versioned } from './records.ts'
import { looksLikeSecret, sha256Hex } from './secrets.ts'

/** The records that a credential would not be without, as they were when it was looked up. */
interface Resting {
  readonly rests: readonly Check[]
}

export interface TokenCredential extends Resting {
  readonly kind: 'token'
  readonly holder: string
  readonly tokenId: string
  readonly sha256: string
  readonly slug: Slug
  readonly role: Exclude<Role, 'owner'>
  readonly actor: ActorId
  readonly shared: boolean
  readonly origin: DocumentToken['origin']
  /** SHA-256 of the token it was minted through, with which it ends. */
  readonly parent: string | undefined
  /** Its role is that of the document's general access, not its own. */
  readonly follows: boolean
  readonly displayName: string | undefined
}

export interface AgentCredential extends Resting {
  readonly kind: 'agent'
  readonly holder: string
  readonly agentId: string
  readonly sha256: string
  readonly actor: ActorId
  readonly displayName: string
}

export interface BrowserSession extends Resting {
  readonly sha256: string
  readonly account: Account
}

/** A browser's cookies. Who came by a link and has no session stands for nobody yet. */
export interface BrowserCredential extends Resting {
  readonly kind: 'browser'
  readonly holder: string
  readonly session: BrowserSession | undefined
  /** The token of the link it came by; its role counts, its identity does not. */
  readonly link: TokenCredential | undefined
  readonly actor: ActorId | undefined
  readonly displayName: string | undefined
}

/** What a bearer secret can stand for. */
export type SecretCredential = TokenCredential | AgentCredential

export type Credential = SecretCredential | BrowserCredential

export interface PeopleContext {
  readonly store: Store
  readonly runtime: Runtime
}

/** The credential of a bearer secret; `undefined`: unknown, ended or revoked. */
export function authenticate(
  context: PeopleContext,
  secret: string,
): Promise<SecretCredential | undefined> {
  if (!looksLikeSecret(secret)) return Promise.resolve(undefined)
  return credentialOf(context, sha256Hex(secret))
}

/** As `authenticate`, for a secret that was seen before and only its hash kept. */
export async function credentialOf(
  context: PeopleContext,
  sha256: string,
): Promise<SecretCredential | undefined> {
  const found = await readRecord(context.store, tokenBySha256(sha256), records.secret)
  if (found === undefined) return undefined
  const { record } = found
  if (record.type === 'document') {
    const rests = await admitted(context, sha256, { record, version: found.version })
    return rests && tokenCredential(record, sha256, rests)
  }
  if (record.type === 'session') return undefined
  const known = await agentById(context.store, record.agentId)
  if (known === undefined) return undefined
  const { record: agent, version } = known
  return {
    kind: 'agent',
    rests: [
      { key: tokenBySha256(sha256), version: found.version },
      { key: agentKey(agent.agentId), version },
    ],
    holder: `agent:${agent.agentId}`,
    agentId: agent.agentId,
    sha256,
    actor: agent.actor as ActorId,
    displayName: agent.name,
  }
}

const tokenCredential = (
  record: DocumentToken,
  sha256: string,
  rests: readonly Check[],
): TokenCredential => ({
  kind: 'token',
  rests,
  holder: `token:${record.id}`,
  tokenId: record.id,
  sha256,
  slug: record.slug as Slug,
  role: record.role,
  actor: record.actor as ActorId,
  shared: record.kind === 'shared',
  origin: record.origin,
  parent: record.parent,
  follows: record.follows === true,
  displayName: record.displayName,
})

/**
 * What the token rests on; `undefined`: it does not count any more. Its first use is noted, since
 * an unused one ends.
 */
async function admitted(
  { store, runtime }: PeopleContext,
  sha256: string,
  { record, version }: Versioned<DocumentToken>,
): Promise<Check[] | undefined> {
  const now = runtime.now()
  const parents: Check[] = []
  if (record.parent !== undefined) {
    const key = tokenBySha256(record.parent)
    const parent = await readRecord(store, key, records.secret)
    if (parent === undefined) return undefined
    parents.push({ key, version: parent.version })
  }
  const rests = [{ key: tokenBySha256(sha256), version }, ...parents]
  if (record.unusedUntil === undefined || record.usedAt !== undefined) return rests
  if ((await store.get(useKey(sha256))) !== undefined) return rests
  if (record.unusedUntil <= now) return undefined
  const noted = await store.commit({
    checks: [{ key: tokenBySha256(sha256), version }],
    puts: [{ key: useKey(sha256), value: records.use.encode({ usedAt: now }) }],
  })
  // Named, or ended, in the same moment.
  if (!noted.ok && (await store.get(tokenBySha256(sha256))) === undefined) return undefined
  return rests
}

/**
 * Gives the holder of a document token this name, or another one (interface §4.7). Agents
 * and accounts keep the name of their profile. `name` has passed `displayNameFrom`. Refuses AUTH_REQUIRED when the
 * token ended.
 */
export async function identify(
  context: PeopleContext,
  credential: Credential,
  name: string,
): Promise<{ readonly actor: ActorId; readonly displayName: string }> {
  const { actor, displayName } = credential
  if (actor === undefined) throw new Refusal('AUTH_REQUIRED')
  if (credential.kind !== 'token') return { actor, displayName: displayName ?? name }
  await setName(context, credential, () => name)
  return { actor, displayName: name }
}

/**
 * What an inline `display_name` does (interface §4.7): it names a token that has no name yet, also
 * when others name it at the same time. Refuses what `inlineNameFor` refuses.
 */
export async function identifyInline(
  context: PeopleContext,
  credential: Credential,
  name: string,
): Promise<void> {
  if (credential.kind !== 'token' || inlineNameFor(credential, name) === undefined) return
  await setName(context, credential, (displayName) =>
    inlineNameFor({ ...credential, displayName }, name),
  )
}

/** `choose` is told the name as it is, and says which one to take; `undefined`: none. */
async function setName(
  { store, runtime }: PeopleContext,
  { sha256 }: TokenCredential,
  choose: (known: string | undefined) => string | undefined,
): Promise<void> {
  const key = tokenBySha256(sha256)
  for (;;) {
    const found = await readRecord(store, key, records.secret)
    if (found === undefined || found.record.type !== 'document') throw new Refusal('AUTH_REQUIRED')
    const name = choose(found.record.displayName)
    if (name === undefined || name === found.record.displayName) return
    const renamed: DocumentToken = { ...found.record, displayName: name }
    const result = await store.commit({
      checks: [{ key, version: found.version }],
      puts: [
        { key, value: records.secret.encode(renamed) },
        { key: useKey(sha256), value: records.use.encode({ usedAt: runtime.now() }) },
      ],
    })
    if (result.ok) return
  }
}

/**
 * What an inline `display_name` means for this caller (interface §4.7): the name to take now, or
 * `undefined` to leave everything as it is. Refuses IDENTITY_MISMATCH for a shared token that goes
 * by another name already.
 */
export function inlineNameFor(credential: Credential, name: string): string | undefined {
  if (credential.kind !== 'token' || credential.displayName === name) return undefined
  if (credential.displayName === undefined) return name
  if (credential.shared) {
    throw new Refusal('IDENTITY_MISMATCH', { display_name: credential.displayName })
  }
  return undefined
}

/**
 * Refuses IDENTIFY_REQUIRED unless the caller has a name, or brings one (interface §2.3, §7). A
 * browser takes its name with a session, never with a write (extensions §3).
 */
export function requireIdentity(
  { identified, isBrowser }: { readonly identified: boolean; readonly isBrowser: boolean },
  name: string | undefined,
  slug: Slug,
): void {
  if (identified || (name !== undefined && !isBrowser)) return
  const next = isBrowser ? 'POST /auth/guest' : 'POST /agents/identify'
  throw new Refusal('IDENTIFY_REQUIRED', { next, slug })
}
