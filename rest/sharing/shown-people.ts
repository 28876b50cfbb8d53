/** People and agents as answers about access name them (extensions §3). */
import type { ActorObject } from '../../core/access/actors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { isoTime } from '../answers/times.ts'

interface ShownPerson {
  readonly actor_id: string
  readonly handle: string
  readonly name: string
}

/** Who is not in `actors` goes by its id. */
export const personIn =
  (actors: Readonly<Record<string, ActorObject>>) =>
  (id: ActorId): ShownPerson => {
    const { handle = id, name = id } = actors[id] ?? {}
    return { actor_id: id, handle, name }
  }

interface Offered {
  readonly to: ActorId
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly expiresAt: number
}

export const shownOffer = (
  { to, at, expiresAt }: Offered,
  person: (id: ActorId) => ShownPerson,
): ShownPerson & { readonly offered_at: string; readonly expires_at: string } => ({
  ...person(to),
  offered_at: isoTime(at),
  expires_at: isoTime(expiresAt),
})
