/**
 * Who a browser stands for (extensions §3): the account of its session, if it has one, and for one
 * document the link it came by. Without a session it is nobody, and may read what its link lets it.
 * It knows the values of cookies, not that they are cookies.
 */
import type { Slug } from '../../schema/ids.ts'
import {
  authenticate,
  type BrowserCredential,
  credentialOf,
  type PeopleContext,
} from './identity.ts'

export interface BrowserSecrets {
  readonly session: string | undefined
  /** The token it came by to the document `slug`. */
  readonly link: string | undefined
  readonly slug: Slug | undefined
}

/** `undefined`: none of the secrets is good. */
export async function browserFor(
  context: PeopleContext,
  { link: secret, slug }: BrowserSecrets,
): Promise<BrowserCredential | undefined> {
  const link = secret === undefined ? undefined : await authenticate(context, secret)
  return browserWith(link?.kind === 'token' && link.slug === slug ? link : undefined)
}

/** The same browser as it is now; `undefined` when what it stood for ended. */
export async function browserAgain(
  context: PeopleContext,
  browser: BrowserCredential,
): Promise<BrowserCredential | undefined> {
  const link = browser.link && (await credentialOf(context, browser.link.sha256))
  return browserWith(link?.kind === 'token' ? link : undefined)
}

function browserWith(link: BrowserCredential['link']): BrowserCredential | undefined {
  if (link === undefined) return undefined
  return {
    kind: 'browser',
    holder: `link:${link.tokenId}`,
    link,
    actor: undefined,
    displayName: undefined,
  }
}
