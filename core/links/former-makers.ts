/**
 * Links of stores in which tokens did not name their makers: the link named them, and the token
 * does from then on. Done once, in the background after a start; it begins anew where it was cut
 * off. Tokens of `POST /docs/:slug/access` of that time belong to the document.
 */
import { actorKey, kindRange, metaKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { type ActorId, isSlug } from '../../schema/ids.ts'
import { accountById } from '../accounts/account-records.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { readRecord, records, type ShortLinkRecord } from '../records/records.ts'
import { type Maker, madeFields, noteMade } from './makers.ts'
import { type LinkContext, tokenOfLink } from './short-links.ts'

const doneKey = metaKey('link-makers')

export async function recordFormerMakers(context: LinkContext): Promise<void> {
  const { store } = context
  if ((await store.get(doneKey)) !== undefined) return
  for await (const { value } of store.scan(kindRange('link'))) {
    const link = records.shortLink.decode(value)
    const maker = makerIn(link)
    if (maker !== undefined && (await isThere(store, maker)))
      await recordMaker(context, link, maker)
  }
  await store.commit({ puts: [{ key: doneKey, value: new Uint8Array() }] })
}

function makerIn({ by, through }: ShortLinkRecord): Maker | undefined {
  if (through !== undefined) return { token: through }
  return by === undefined ? undefined : { actor: by as ActorId }
}

/** Links of who is gone belong to the document. */
async function isThere(store: Store, maker: Maker): Promise<boolean> {
  if ('token' in maker) return true
  const home = (await readRecord(store, actorKey(maker.actor), records.actorHome))?.record
  if (home === undefined || !('accountId' in home)) return home !== undefined && 'agentId' in home
  return (await accountById(store, home.accountId))?.record.deletedAt === undefined
}

async function recordMaker(
  context: LinkContext,
  link: ShortLinkRecord,
  maker: Maker,
): Promise<void> {
  const sha256 = tokenOfLink(context.secretKey, link)
  for (;;) {
    const plan = new RecordPlan(context.store)
    const token = await plan.read(tokenBySha256(sha256), records.secret)
    if (token?.type !== 'document' || !isSlug(link.slug)) return
    if (token.maker !== undefined || token.parent !== undefined) return
    plan.write(tokenBySha256(sha256), records.secret, { ...token, ...madeFields(maker) })
    noteMade(plan, link.slug, maker)
    const { records: planned } = plan.done(undefined)
    if (planned === undefined || (await context.store.commit(planned)).ok) return
  }
}
