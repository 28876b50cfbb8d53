/**
 * Who a browser stands for (extensions §3): the account of its session, if it has one, and for one
 * document the link it came by. Without a session it is nobody, and may read what its link lets it.
 * It knows the values of cookies, not that they are cookies.
 */
import { accountKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { accountById, generationOf, isInUse } from '../accounts/account-records.ts'
import { liveSession } from '../accounts/sessions.ts'
import { looksLikeSession, sha256Hex } from '../records/secrets.ts'
import {
  type AccessContext,
  authenticate,
  type BrowserCredential,
  type BrowserSession,
  type Credential,
  credentialOf,
} from './credentials.ts'

export interface BrowserSecrets {
  readonly session: string | undefined
  /** The token it came by to the document `slug`. */
  readonly link: string | undefined
  readonly slug: Slug | undefined
}

/** `undefined`: none of the secrets is good. */
export async function browserFor(
  context: AccessContext,
  { session: secret, link: linkSecret, slug }: BrowserSecrets,
): Promise<BrowserCredential | undefined> {
  const link = linkSecret === undefined ? undefined : await authenticate(context, linkSecret)
  const session =
    secret !== undefined && looksLikeSession(secret)
      ? await sessionFor(context, sha256Hex(secret))
      : undefined
  return browserWith(session, link?.kind === 'token' && link.slug === slug ? link : undefined)
}

/** A browser without cookies that count: it sees what everybody may see. */
export const anonymousBrowser: BrowserCredential = {
  kind: 'browser',
  holder: 'nobody',
  checks: [],
  session: undefined,
  link: undefined,
  actor: undefined,
  displayName: undefined,
}

/**
 * The same browser as it is now; `undefined` when its session ended, or all that it stood for.
 */
export async function browserAgain(
  context: AccessContext,
  browser: BrowserCredential,
): Promise<BrowserCredential | undefined> {
  if (browser.session === undefined && browser.link === undefined) return anonymousBrowser
  const link = browser.link && (await credentialOf(context, browser.link.sha256))
  const session = browser.session && (await sessionFor(context, browser.session.sha256))
  if (browser.session !== undefined && session === undefined) return undefined
  return browserWith(session, link?.kind === 'token' ? link : undefined)
}

/** Any credential as it is now; `undefined` when it ended since. */
export const credentialAgain = (
  context: AccessContext,
  credential: Credential,
): Promise<Credential | undefined> =>
  credential.kind === 'browser'
    ? browserAgain(context, credential)
    : credentialOf(context, credential.sha256)

async function sessionFor(
  context: AccessContext,
  sha256: string,
): Promise<BrowserSession | undefined> {
  const session = await liveSession(context, sha256)
  if (session === undefined) return undefined
  const { accountId } = session.record
  const account = await accountById(context.store, accountId)
  if (account === undefined || !isInUse(account.record)) return undefined
  if (generationOf(account.record) !== generationOf(session.record)) return undefined
  const checks = [
    { key: tokenBySha256(sha256), version: session.version },
    { key: accountKey(accountId), version: account.version },
  ]
  return { sha256, account: account.record, checks }
}

function browserWith(
  session: BrowserSession | undefined,
  link: BrowserCredential['link'],
): BrowserCredential | undefined {
  const checks = [...(session?.checks ?? []), ...(link?.checks ?? [])]
  if (session !== undefined) {
    const { accountId, actor, name } = session.account
    const holder = `account:${accountId}`
    const who = { holder, actor: actor as ActorId, displayName: name }
    return { kind: 'browser', checks, session, link, ...who }
  }
  if (link === undefined) return undefined
  const who = { holder: `link:${link.tokenId}`, actor: undefined, displayName: undefined }
  return { kind: 'browser', checks, session, link, ...who }
}
