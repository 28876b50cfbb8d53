/**
 * The documents that are shared with a person (extensions §12): where something is recorded for its
 * actor that lets it do something now, but for its own. General access alone shares with nobody.
 */
import { indexRange, ownerKey, parseKey } from '../../persistence/keys.ts'
import { type ActorId, isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Role } from '../documents/contract.ts'
import { isShown, type ListedDocument, listed } from '../library/lists.ts'
import { readRecords, records } from '../records/records.ts'
import type { AccessContext } from './credentials.ts'
import { isOwnEntry, recordedGrant } from './grants.ts'
import { accessOf, grantsOf } from './roles.ts'

export interface SharedDocument extends ListedDocument {
  readonly role: Role
  /** `undefined`: nobody. */
  readonly owner: ActorId | undefined
}

export interface SharedPage {
  readonly documents: readonly SharedDocument[]
  /** The last document of this page, where there may be more. */
  readonly next: Slug | undefined
}

interface SharedAsked {
  readonly after: string | undefined
  readonly limit: number
  readonly archived: boolean
}

/** In the order of their ids; so many are looked at for one page that it may have fewer. */
export async function sharedWith(
  context: AccessContext,
  actor: ActorId,
  { after, limit, archived }: SharedAsked,
): Promise<SharedPage> {
  const entries = await entriesOf(context, actor, after)
  const documents: SharedDocument[] = []
  for (let from = 0; from < entries.slugs.length; from += limit) {
    const some = entries.slugs.slice(from, from + limit)
    const active = await listed(context.store, some)
    for (const one of await withRoles(context, actor, active)) {
      if (!isShown(one, archived)) continue
      documents.push(one)
      if (documents.length < limit) continue
      const isLast = entries.next === undefined && one.slug === entries.slugs.at(-1)
      return { documents, next: isLast ? undefined : one.slug }
    }
  }
  return { documents, next: entries.next }
}

/** Of this actor's grants, but for what it is recorded as the owner of. */
async function entriesOf({ store }: AccessContext, actor: ActorId, after: string | undefined) {
  const range = indexRange('grant-of', actor)
  const gte = after === undefined ? range.gte : `${range.gte}${after}!`
  const slugs: Slug[] = []
  let read = 0
  let last: Slug | undefined
  for await (const { key, value } of store.scan({ gte: gte ?? '', lt: range.lt ?? '' })) {
    if (slugs.length === limits.listedEntriesMax || read === limits.ownEntriesPassedMax) {
      return { slugs, next: last }
    }
    read += 1
    const slug = parseKey(key)?.path.at(-1) ?? ''
    if (!isSlug(slug)) continue
    last = slug
    if (!isOwnEntry(value)) slugs.push(slug)
  }
  return { slugs, next: undefined }
}

async function withRoles(
  context: AccessContext,
  actor: ActorId,
  all: readonly ListedDocument[],
): Promise<SharedDocument[]> {
  const owners = await readRecords(
    context.store,
    all.map(({ slug }) => ownerKey(slug)),
    records.owner,
  )
  const shared = await Promise.all(
    all.map(async (one, index) => {
      const recorded = await recordedGrant(context, one.slug, actor)
      const standing = { credential: undefined, recorded }
      const grants = grantsOf(standing, one.facts).filter(({ through }) => through !== 'general')
      const role = accessOf(undefined, grants)?.role
      const owner = owners[index]?.record.actor as ActorId | undefined
      return role === undefined || owner === actor ? undefined : { ...one, role, owner }
    }),
  )
  return shared.filter((one) => one !== undefined)
}
