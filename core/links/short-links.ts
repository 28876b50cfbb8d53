/**
 * Short links (interface §4.10). A code, or a name that stands for one, leads to a shared token of
 * one document; code and token are derived from ids under the service's key, so that the store can
 * be read without giving anyone a way in. The link of a document's general access is one, made on
 * first demand, and its token is worth what general access is at the moment; others have a role of
 * their own.
 */
import {
  generalLinkKey,
  linkBySha256,
  linkNameKey,
  linkOfDocument,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { randomName, type Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { judgeTokens } from '../access/worth.ts'
import type { PlannedRecords } from '../documents/contract.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { readRecord, records, type ShortLinkRecord } from '../records/records.ts'
import { derivedCode, type SecretKey, sha256Hex } from '../records/secrets.ts'
import { looksLikeCode } from './link-names.ts'
import { issueToken, secretAgain } from './tokens.ts'

export interface LinkContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly secretKey: SecretKey
}

export interface ShortLink {
  /** Public; what the log calls the link. */
  readonly linkId: string
  readonly slug: Slug
  readonly code: string
  /** The token that the link carries. */
  readonly token: string
}

export interface GeneralLink {
  readonly code: string
  readonly linkId: string
  readonly isNew: boolean
}

export const linkKey = (code: string): string => linkBySha256(sha256Hex(code))

/** SHA-256 of the token that the link carries. */
export const tokenOfLink = (secretKey: SecretKey, { tokenId }: ShortLinkRecord): string =>
  sha256Hex(secretAgain(secretKey, 'link', tokenId))

/** The link of general access that the document has; `undefined`: none yet. */
export async function knownGeneralLink(
  { store, secretKey }: LinkContext,
  slug: Slug,
): Promise<GeneralLink | undefined> {
  const known = await readRecord(store, generalLinkKey(slug), records.generalLink)
  if (known === undefined) return undefined
  const { linkId } = known.record
  const code = derivedCode(secretKey, linkId)
  // Under another service's key the code would lead nowhere: then a new link takes its place.
  if ((await store.get(linkKey(code))) === undefined) return undefined
  return { code, linkId, isNew: false }
}

/** To have one link of general access, made where there is none. */
export async function planGeneralLink(
  context: LinkContext,
  slug: Slug,
): Promise<PlannedRecords<GeneralLink>> {
  const known = await knownGeneralLink(context, slug)
  if (known !== undefined) return { answer: known }
  const { store, runtime, secretKey } = context
  const plan = new RecordPlan(store)
  await plan.read(generalLinkKey(slug), records.generalLink)
  const linkId = newLinkId(runtime)
  const code = derivedCode(secretKey, linkId)
  const token = issueToken(context, { slug, role: 'viewer', origin: 'link', follows: true })
  plan.put(token.puts)
  putLink(plan, code, { linkId, slug, tokenId: token.id, createdAt: runtime.now() })
  plan.write(generalLinkKey(slug), records.generalLink, { linkId })
  return plan.done({ code, linkId, isNew: true })
}

export const newLinkId = (runtime: Runtime): string => `lnk_${randomName(runtime, 20)}`

export function putLink(plan: RecordPlan, code: string, link: ShortLinkRecord): void {
  plan.write(linkKey(code), records.shortLink, link)
  const found = { key: linkOfDocument(link.slug as Slug, link.linkId), value: new Uint8Array() }
  plan.put([found])
}

/** By code or name; `undefined`: there is no such link, or it is worth nothing. */
export async function shortLink(
  context: LinkContext,
  codeOrName: string,
): Promise<ShortLink | undefined> {
  const { store, secretKey } = context
  const code = await codeOf(context, codeOrName)
  const found = code && (await readRecord(store, linkKey(code), records.shortLink))
  if (!code || !found) return undefined
  const { linkId, tokenId } = found.record
  const slug = found.record.slug as Slug
  const sha256 = tokenOfLink(secretKey, found.record)
  const { most } = (await judgeTokens(context, slug, [{ sha256 }])).of(sha256)
  if (most === undefined) return undefined
  return { linkId, slug, code, token: secretAgain(secretKey, 'link', tokenId) }
}

/** The code that a code, or a link's name, stands for; the link may have ended. */
export async function codeOf(
  { store, secretKey }: LinkContext,
  codeOrName: string,
): Promise<string | undefined> {
  if (looksLikeCode(codeOrName)) return codeOrName
  if (codeOrName === '') return undefined
  const named = await readRecord(store, linkNameKey(codeOrName), records.linkName)
  if (named === undefined) return undefined
  return derivedCode(secretKey, named.record.linkId)
}
