/**
 * What becomes of links and tokens when their maker goes (extensions §3): they are made over to
 * somebody else, or to the document. Nothing becomes worth more by that.
 */
import { tokenBySha256 } from '../../persistence/keys.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { lowerOf } from '../access/may.ts'
import { judgeTokens } from '../access/worth.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { readRecords, records } from '../records/records.ts'
import { givenTokens } from './access-tokens.ts'
import { type Maker, madeFields, noteMade } from './makers.ts'
import { linksOf } from './named-links.ts'
import { type LinkContext, linkKey, tokenOfLink } from './short-links.ts'

export interface Handover {
  readonly from: Maker
  /** `undefined`: the document, which is its owner's. */
  readonly to: Maker | undefined
  /** Who is shown as the maker; `undefined`: who was. */
  readonly shownAs?: ActorId
}

/**
 * Links and tokens that `from` made are made by `to` from the commit of this plan on. None is worth
 * more for it than it is now: one that is worth nothing stays worth nothing.
 */
export async function handOver(
  context: LinkContext,
  plan: RecordPlan,
  slug: Slug,
  { from, to, shownAs }: Handover,
): Promise<void> {
  const links = await linksOf(context, slug)
  const linkTokens = links.map((link) => tokenOfLink(context.secretKey, link))
  const given = (await givenTokens(context, slug)).map(({ sha256 }) => sha256)
  const all = await madeTokens(context, [...linkTokens, ...given])
  let isAnyTheirs = false
  for (const { sha256, isBy } of all) {
    if (!isBy(from)) continue
    const token = await plan.read(tokenBySha256(sha256), records.secret)
    const { most } = (await judgeTokens(context, slug, [{ sha256 }])).of(sha256)
    if (token?.type !== 'document') continue
    const role = lowerOf(token.role, most)
    if (role === undefined || role === 'owner') continue
    isAnyTheirs = true
    const { parent: _, maker: __, ...rest } = token
    plan.write(tokenBySha256(sha256), records.secret, { ...rest, role, ...madeFields(to) })
    const link = links[linkTokens.indexOf(sha256)]
    if (link === undefined) continue
    const record = await plan.read(linkKey(link.code), records.shortLink)
    if (record === undefined) continue
    const by = shownAs === undefined ? {} : { by: shownAs }
    plan.write(linkKey(link.code), records.shortLink, { ...record, role, ...by })
  }
  if (isAnyTheirs) noteMade(plan, slug, to)
}

interface MadeToken {
  readonly sha256: string
  /** By its holder, or by the holder of one that was minted through it. */
  isBy: (maker: Maker) => boolean
}

async function madeTokens(
  { store }: LinkContext,
  hashes: readonly string[],
): Promise<readonly MadeToken[]> {
  const found = await readRecords(store, hashes.map(tokenBySha256), records.secret)
  const tokens = found.map((one) => (one?.record.type === 'document' ? one.record : undefined))
  const parents = tokens.map((token) => token?.parent)
  const asked = parents.filter((parent) => parent !== undefined)
  const read = await readRecords(store, asked.map(tokenBySha256), records.secret)
  const above = new Map(
    asked.map((parent, index) => {
      const record = read[index]?.record
      return [parent, record?.type === 'document' && record.origin === 'read' ? record.parent : '']
    }),
  )
  return tokens.flatMap((token, index) => {
    if (token === undefined || token.origin === 'read') return []
    const { parent = '', maker } = token
    const isBy = (who: Maker) =>
      'actor' in who
        ? maker === who.actor
        : parent !== '' && (parent === who.token || above.get(parent) === who.token)
    return [{ sha256: hashes[index] ?? '', isBy }]
  })
}
