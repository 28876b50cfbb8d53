/**
 * Personal tokens that reads by a shared one mint (interface §4.4). Any number of reads may, so of
 * those that nobody has named a document keeps so many: past that the oldest end, and who had one
 * comes again by the link. Those that were named stay, since texts have their actor.
 */
import { mintedOfDocument, tokenBySha256, useKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { TokenCredential } from '../access/credentials.ts'
import type { KeyCounts } from '../records/key-counts.ts'
import { readRecord, records } from '../records/records.ts'
import { issueToken } from './tokens.ts'
import { foundBy } from './unused-tokens.ts'

type Context = Parameters<typeof issueToken>[0] & {
  readonly store: Store
  /** Of `mintedOfDocument`. */
  readonly counts: KeyCounts
}

/** The secret of a new one. Refuses AUTH_REQUIRED when the shared one has ended. */
export async function mintPersonal(
  context: Context,
  { slug, role, follows, sha256: shared }: TokenCredential,
): Promise<string> {
  const { store, counts } = context
  const token = issueToken(context, {
    slug,
    role,
    follows,
    origin: 'read',
    madeBy: { token: shared },
  })
  if (!(await counts.hasRoom(slug))) await makeRoom(context, slug)
  for (;;) {
    // Nothing is left of a token that is minted while its document is purged.
    const found = await store.get(tokenBySha256(shared))
    if (found === undefined) throw new Refusal('AUTH_REQUIRED')
    const checks = [{ key: tokenBySha256(shared), version: found.version }]
    if (!(await store.commit({ checks, puts: token.puts })).ok) continue
    counts.added(slug)
    return token.secret
  }
}

/** The few oldest go out of the index, and end unless somebody named them. */
async function makeRoom({ store, counts }: Context, slug: Slug): Promise<void> {
  const range = { ...mintedOfDocument(slug), limit: limits.mintedEndedAtOnce }
  for await (const { key, value, version } of store.scan(range)) {
    const home = records.actorHome.decode(value)
    const sha256 = 'token' in home ? home.token : ''
    const tokenKey = tokenBySha256(sha256)
    const found = await readRecord(store, tokenKey, records.secret)
    const token = found?.record.type === 'document' ? found.record : undefined
    const ends = token !== undefined && token.displayName === undefined
    const { ok } = await store.commit({
      checks: [
        { key, version },
        { key: tokenKey, version: found?.version },
      ],
      deletes: ends ? [tokenKey, useKey(sha256), ...foundBy(token)] : [key],
    })
    if (ok) counts.added(slug, -1)
  }
}
