/**
 * Requests whose permission is judged in a document host: what is sent is data, and where it has
 * gone stale it is looked up again and the request sent anew.
 */
import { Refusal } from '../../../schema/errors.ts'
import { type HeldPermission, type Permission, StalePermission } from '../../commit/permission.ts'

/** So often a permission may go stale under the same request. */
const attemptsMax = 8

const held = (permission: Permission | undefined): HeldPermission | undefined =>
  permission && { checks: permission.checks, grounds: permission.grounds }

/** Refuses what is permitted no more, and UNAVAILABLE where it goes stale again and again. */
export async function permitted<T>(
  permission: Permission | undefined,
  send: (held: HeldPermission | undefined) => Promise<T>,
): Promise<T> {
  let current = permission
  for (let attempts = 1; attempts <= attemptsMax; attempts++) {
    try {
      return await send(held(current))
    } catch (error) {
      if (!(error instanceof StalePermission)) throw error
      current = await current?.renewed()
    }
  }
  throw new Refusal('UNAVAILABLE')
}
