/**
 * Short links (interface §4.10). A code leads to a shared token of one document; both are derived
 * from ids under the service's key, so that the store can be read without giving anyone a way in.
 * The link of a document's general access is one, made on first demand, and its token is worth what
 * general access is at the moment. Named links and their ends would be further records beside it.
 */
import { generalLinkKey, linkBySha256, linkOfDocument } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { randomName, type Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { readRecord, records } from '../records/records.ts'
import { derivedCode, type SecretKey, sha256Hex } from '../records/secrets.ts'
import { issueToken, secretAgain } from './tokens.ts'

interface Context {
  readonly store: Store
  readonly runtime: Runtime
  readonly secretKey: SecretKey
}

export interface ShortLink {
  /** Public; what the log calls the link. */
  readonly linkId: string
  readonly slug: Slug
  /** The token that the link carries. */
  readonly token: string
}

export interface GeneralLink {
  readonly code: string
  readonly linkId: string
  readonly isNew: boolean
}

const codeShape = /^[0-9a-z]{20}$/
const linkKey = (code: string): string => linkBySha256(sha256Hex(code))

/** The code of the document's general link, which is made when there is none. */
export async function generalLink(context: Context, slug: Slug): Promise<GeneralLink> {
  const { store, runtime, secretKey } = context
  for (;;) {
    const known = await readRecord(store, generalLinkKey(slug), records.generalLink)
    if (known !== undefined) {
      const { linkId } = known.record
      const code = derivedCode(secretKey, linkId)
      // Under another service's key the code would lead nowhere: then a new link takes its place.
      if ((await store.get(linkKey(code))) !== undefined) return { code, linkId, isNew: false }
    }
    const linkId = `lnk_${randomName(runtime, 20)}`
    const code = derivedCode(secretKey, linkId)
    const token = issueToken(context, { slug, role: 'viewer', origin: 'link', follows: true })
    const link = { linkId, slug, tokenId: token.id, createdAt: runtime.now() }
    const result = await store.commit({
      checks: [{ key: generalLinkKey(slug), version: known?.version }],
      puts: [
        ...token.puts,
        { key: linkKey(code), value: records.shortLink.encode(link) },
        { key: linkOfDocument(slug, linkId), value: new Uint8Array() },
        { key: generalLinkKey(slug), value: records.generalLink.encode({ linkId }) },
      ],
    })
    if (result.ok) return { code, linkId, isNew: true }
  }
}

/** `undefined`: there is no such link. */
export async function shortLink(
  { store, secretKey }: Context,
  code: string,
): Promise<ShortLink | undefined> {
  if (!codeShape.test(code)) return undefined
  const found = await readRecord(store, linkKey(code), records.shortLink)
  if (found === undefined) return undefined
  const { linkId, slug, tokenId } = found.record
  return { linkId, slug: slug as Slug, token: secretAgain(secretKey, 'link', tokenId) }
}
