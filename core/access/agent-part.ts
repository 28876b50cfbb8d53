/**
 * Whether an agent has a part in a document while no request of it is under way (extensions §6):
 * by a grant of its own or by the document's place. General access is none.
 */
import type { ActorId } from '../../schema/ids.ts'
import type { DocumentFacts } from '../documents/contract.ts'
import { type AccessContext, agentInUse } from './credentials.ts'
import { recordedGrant } from './grants.ts'
import { placeGrant } from './place-grants.ts'
import { grantsOf } from './roles.ts'

/** False where the agent, or the account that owns it, has ended. */
export async function hasOwnPart(
  context: AccessContext,
  agentId: string,
  facts: DocumentFacts,
): Promise<boolean> {
  const known = await agentInUse(context, agentId)
  if (known === undefined) return false
  const [recorded, placed] = await Promise.all([
    recordedGrant(context, facts.slug, known.agent.actor as ActorId),
    placeGrant(context.store, facts.slug, { agent: known.agent }),
  ])
  const grants = grantsOf({ credential: undefined, recorded, placed }, facts)
  return grants.some(({ through }) => through !== 'general')
}
