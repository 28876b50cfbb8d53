/** Actors that the service itself plays. */
import type { ActorId } from '../../../schema/ids.ts'

/** Owns the clientIDs under which the service repairs, ids and stamps what clients wrote. */
export const serverActor = 'service:corrections' as ActorId
