/**
 * All that the store says of a caller and one document, read at one time. `accessOn` says what that
 * is worth under the facts of the document.
 */
import type { Slug } from '../../schema/ids.ts'
import type { AccessContext, Credential } from './credentials.ts'
import { recordedGrant } from './grants.ts'
import { partOf, placeGrant } from './place-grants.ts'
import type { Standing } from './roles.ts'

export async function standingOf(
  context: AccessContext,
  credential: Credential | undefined,
  slug: Slug,
): Promise<Standing> {
  const actor = credential?.actor
  if (actor === undefined) return { credential, recorded: undefined }
  const [recorded, placed] = await Promise.all([
    recordedGrant(context, slug, actor),
    placeGrant(context.store, slug, partOf(credential)),
  ])
  return { credential, recorded, placed }
}
