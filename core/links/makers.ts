/**
 * Who makes a link or a token (extensions §3). The token's record names its maker, or the token that
 * its maker came with; an index finds the documents on which an account or agent has made some.
 */

import { madeKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Credential } from '../access/credentials.ts'
import { judgeMaker, type WorthContext } from '../access/worth.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import type { DocumentToken } from '../records/records.ts'

/** An account or agent, or the holder of a token, by its SHA-256. */
export type Maker = { readonly actor: ActorId } | { readonly token: string }

/** `undefined`: the caller stands for nobody, and makes nothing. */
export function makerOf(credential: Credential | undefined): Maker | undefined {
  if (credential?.kind === 'token') return { token: credential.sha256 }
  return credential?.actor === undefined ? undefined : { actor: credential.actor }
}

/** What a token record says of its maker; without one it belongs to the document. */
export const madeFields = (
  maker: Maker | undefined,
): Pick<DocumentToken, 'parent'> | Pick<DocumentToken, 'maker'> => {
  if (maker === undefined) return {}
  return 'token' in maker ? { parent: maker.token } : { maker: maker.actor }
}

export function noteMade(plan: RecordPlan, slug: Slug, maker: Maker | undefined): void {
  if (maker !== undefined && 'actor' in maker) {
    plan.put([{ key: madeKey(maker.actor, slug), value: new Uint8Array() }])
  }
}

/**
 * Refuses LIMIT_REACHED where a token by this maker would be worth nothing from the start: its
 * chain of makers is too long, or its own access could not be recorded.
 */
export async function requireWorth(
  context: WorthContext,
  slug: Slug,
  maker: Maker | undefined,
): Promise<void> {
  if (maker === undefined) return
  const { worth, size } = await judgeMaker(context, slug, maker)
  const max = limits.worthRecordsMax - limits.worthRecordsSpared
  if (size > max) throw new Refusal('LIMIT_REACHED', { limit: 'makers', max })
  if (worth.most === undefined) {
    throw new Refusal('LIMIT_REACHED', { limit: 'grants', max: limits.grantsPerDocument })
  }
}
