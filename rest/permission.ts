/**
 * What a request's caller may do, to be asked again where time has passed, and in the commit of
 * what it permits (interface §5, §7): the credential as it was looked up, and how to look again.
 */

import type { Credential } from '../core/access/credentials.ts'
import { type Action, may, needsOf } from '../core/access/may.ts'
import {
  accessOn,
  checksOf,
  requireIdentity,
  requireLife,
  requireRole,
  type Standing,
} from '../core/access/roles.ts'
import type { DocumentFacts, Permission } from '../core/documents/contract.ts'
import { Refusal } from '../schema/errors.ts'

/** Of who needs nothing but to be who it was. */
export const holding = (
  credential: Credential,
  renewed: () => Promise<Permission>,
): Permission => ({
  checks: credential.checks,
  assertOn: () => undefined,
  renewed,
})

export interface PermissionParts {
  readonly action: Action
  readonly standing: Standing
  /** The name that comes with the request. */
  readonly displayName: string | undefined
  renewed(): Promise<Permission>
}

/** To do this to one document. */
export function permissionTo(parts: PermissionParts): Permission {
  const { standing, renewed } = parts
  return {
    checks: checksOf(standing),
    assertOn: (facts) => assertMay(parts, facts),
    renewed,
  }
}

/** The role 403, then what is archived 423, then the name 412, then the lock 403. */
function assertMay({ action, standing, displayName }: PermissionParts, facts: DocumentFacts): void {
  const { credential } = standing
  const { role, named } = needsOf[action]
  const access = requireRole(credential, accessOn(standing, facts), role)
  requireLife(action, facts)
  if (named) {
    const isBrowser = credential?.kind === 'browser'
    requireIdentity({ identified: access.identified, isBrowser }, displayName, facts.slug)
  }
  const obstacle = may(action, { ...access, identified: true }, facts)
  if (obstacle !== undefined) throw new Refusal(obstacle)
}
