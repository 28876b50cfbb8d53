/** Actor objects as an answer about one document shows them (interface §2.6). */
import type { ActorObject } from '../../core/access/actors.ts'
import type { DocumentView } from '../../core/documents/contract.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { Services } from '../services.ts'

/** By actor id; who has not written in the document has no hue. */
export type ShownActors = Record<string, ActorObject & { readonly hue?: number }>

export async function shownActors(
  ids: Iterable<ActorId>,
  view: Pick<DocumentView, 'hueOf'>,
  { people }: Services,
): Promise<ShownActors> {
  const objects = Object.entries(await people.access.actors(ids))
  return Object.fromEntries(
    objects.map(([id, object]) => {
      const hue = view.hueOf(object.actor_id)
      return [id, hue === undefined ? object : { ...object, hue }]
    }),
  )
}
