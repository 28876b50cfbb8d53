/**
 * Who a bearer secret stands for (interface §5). A credential is what one look at the store said:
 * ask again where time has passed.
 */
import { accountKey, agentKey, tokenBySha256, useKey } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import { assertNever } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { accountById, isInUse } from '../accounts/account-records.ts'
import { hasEnded } from '../agents/idle-life.ts'
import { agentById } from '../agents/registration.ts'
import type { Role } from '../documents/contract.ts'
import {
  type Account,
  type Agent,
  type AgentSecret,
  type DocumentToken,
  type OwnerKeySecret,
  readRecord,
  records,
  type Versioned,
} from '../records/records.ts'
import { looksLikeSecret, sha256Hex } from '../records/secrets.ts'
import { agentUse, tokenUse, type Uses } from '../records/uses.ts'
import type { PartInLibrary } from './place-grants.ts'
import { judgeTokens, type Worth } from './worth.ts'

/** The records that a credential would not be without, as they were when it was looked up. */
interface Resting {
  readonly checks: readonly Check[]
}

export interface TokenCredential extends Resting {
  readonly kind: 'token'
  readonly holder: string
  readonly tokenId: string
  readonly sha256: string
  readonly slug: Slug
  /** What it was given; what it is worth may be less. */
  readonly role: Exclude<Role, 'owner'>
  readonly worth: Worth
  readonly actor: ActorId
  readonly shared: boolean
  readonly origin: DocumentToken['origin']
  /** SHA-256 of the token it was made through. */
  readonly parent: string | undefined
  /** Its role is that of the document's general access, not its own. */
  readonly follows: boolean
  /** When it may be worth less by time alone; milliseconds since the epoch. */
  readonly ends: readonly number[]
  /** How many tokens and makers its worth rests on, itself among them. */
  readonly size: number
  readonly displayName: string | undefined
}

export interface AgentCredential extends Resting {
  readonly kind: 'agent'
  readonly holder: string
  readonly agentId: string
  readonly agent: Agent
  readonly sha256: string
  readonly actor: ActorId
  readonly handle: string
  readonly displayName: string
  /** Another secret took its place: when it ends. */
  readonly endsAt: number | undefined
}

/** Creates in an account's name, and does nothing else (interface §5). */
export interface OwnerKeyCredential extends Resting {
  readonly kind: 'owner-key'
  readonly holder: string
  readonly keyId: string
  readonly sha256: string
  readonly account: Account
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
export type SecretCredential = TokenCredential | AgentCredential | OwnerKeyCredential

export type Credential = SecretCredential | BrowserCredential

export interface AccessContext {
  readonly store: Store
  readonly runtime: Runtime
  /** Where the use of secrets is noted that people want to know of. */
  readonly uses: Uses
}

/** The credential of a bearer secret; `undefined`: unknown, ended or revoked. */
export async function authenticate(
  context: AccessContext,
  secret: string,
): Promise<SecretCredential | undefined> {
  if (!looksLikeSecret(secret)) return undefined
  const credential = await credentialOf(context, sha256Hex(secret))
  if (credential !== undefined) noteUse(context.uses, credential)
  return credential
}

/** Of tokens those that somebody gave on purpose, of agents those that somebody owns. */
function noteUse(uses: Uses, credential: SecretCredential): void {
  switch (credential.kind) {
    case 'token':
      if (isUseNoted(credential)) uses.note(tokenUse(rootOf(credential)))
      return
    case 'agent':
      if (credential.agent.ownerId !== undefined) uses.note(agentUse(credential.agentId))
      return
    case 'owner-key':
      uses.note(tokenUse(credential.sha256))
      return
    default:
      assertNever(credential)
  }
}

/** SHA-256 of the token that was given to its holder, or by which its holder came. */
export const rootOf = ({ origin, parent, sha256 }: TokenCredential): string =>
  origin === 'read' && parent !== undefined ? parent : sha256

const isUseNoted = ({ origin }: TokenCredential): boolean => origin !== 'create'

/** As `authenticate`, for a secret that was seen before and only its hash kept. */
export async function credentialOf(
  context: AccessContext,
  sha256: string,
): Promise<SecretCredential | undefined> {
  const found = await readRecord(context.store, tokenBySha256(sha256), records.secret)
  if (found === undefined) return undefined
  const { record } = found
  const { version } = found
  switch (record.type) {
    case 'document':
      return tokenCredential(context, sha256, { record, version })
    case 'session':
      return undefined
    case 'owner-key':
      return ownerKeyCredential(context, sha256, { record, version })
    case 'agent':
      return agentCredential(context, sha256, { record, version })
    default:
      return assertNever(record)
  }
}

/** An agent that may act, with the records that say so; `undefined`: it has ended. */
export async function agentInUse(
  context: Pick<AccessContext, 'store' | 'runtime' | 'uses'>,
  agentId: string,
): Promise<(Resting & { readonly agent: Agent }) | undefined> {
  const known = await agentById(context.store, agentId)
  if (known === undefined || (await hasEnded(context, known.record))) return undefined
  const { record: agent, version } = known
  const { ownerId } = agent
  const owner = ownerId === undefined ? undefined : await accountById(context.store, ownerId)
  // It goes where its owner goes, also before it is deleted.
  if (ownerId !== undefined && (owner === undefined || !isInUse(owner.record))) return undefined
  const checks = [{ key: agentKey(agentId), version }]
  if (owner) checks.push({ key: accountKey(owner.record.accountId), version: owner.version })
  return { agent, checks }
}

async function agentCredential(
  context: AccessContext,
  sha256: string,
  { record: { agentId, until }, version }: Versioned<AgentSecret>,
): Promise<AgentCredential | undefined> {
  if (until !== undefined && until <= context.runtime.now()) return undefined
  const known = await agentInUse(context, agentId)
  if (known === undefined) return undefined
  const { agent, checks } = known
  return {
    kind: 'agent',
    checks: [{ key: tokenBySha256(sha256), version }, ...checks],
    holder: `agent:${agentId}`,
    agentId,
    agent,
    sha256,
    actor: agent.actor as ActorId,
    handle: agent.handle,
    displayName: agent.name,
    endsAt: until,
  }
}

async function ownerKeyCredential(
  context: AccessContext,
  sha256: string,
  { record: { keyId, accountId }, version }: Versioned<OwnerKeySecret>,
): Promise<OwnerKeyCredential | undefined> {
  const known = await accountById(context.store, accountId)
  if (known === undefined || known.record.guest || !isInUse(known.record)) return undefined
  const { record: account } = known
  return {
    kind: 'owner-key',
    checks: [
      { key: tokenBySha256(sha256), version },
      { key: accountKey(accountId), version: known.version },
    ],
    holder: `owner-key:${keyId}`,
    keyId,
    account,
    sha256,
    actor: account.actor as ActorId,
    displayName: account.name,
  }
}

/** `undefined`: it has ended, or is worth nothing now. */
async function tokenCredential(
  context: AccessContext,
  sha256: string,
  found: Versioned<DocumentToken>,
): Promise<TokenCredential | undefined> {
  const { record } = found
  const slug = record.slug as Slug
  const judged = await judgeTokens(context, slug, [{ sha256, found }])
  const worth = judged.of(sha256)
  if (worth.most === undefined || !(await noteFirstUse(context, sha256, found))) return undefined
  const { checks, ends, size } = judged
  return {
    kind: 'token',
    ...{ checks, worth, ends, size, sha256, slug },
    holder: `token:${record.id}`,
    tokenId: record.id,
    role: record.role,
    actor: record.actor as ActorId,
    shared: record.kind === 'shared',
    origin: record.origin,
    parent: record.parent,
    follows: record.follows === true,
    displayName: record.displayName,
  }
}

/** An unused token ends. False: this one has. */
async function noteFirstUse(
  { store, runtime }: AccessContext,
  sha256: string,
  { record, version }: Versioned<DocumentToken>,
): Promise<boolean> {
  if (record.unusedUntil === undefined || record.usedAt !== undefined) return true
  if ((await store.get(useKey(sha256))) !== undefined) return true
  const now = runtime.now()
  if (record.unusedUntil <= now) return false
  const noted = await store.commit({
    checks: [{ key: tokenBySha256(sha256), version }],
    puts: [{ key: useKey(sha256), value: records.use.encode({ usedAt: now }) }],
  })
  // Named, or ended, in the same moment.
  return noted.ok || (await store.get(tokenBySha256(sha256))) !== undefined
}

/** The part that the holder of a credential could have. */
export function partOf(credential: Credential | undefined): PartInLibrary | undefined {
  if (credential?.kind === 'agent') return { agent: credential.agent }
  const account = credential?.kind === 'browser' ? credential.session?.account : undefined
  return account && { accountId: account.accountId }
}
