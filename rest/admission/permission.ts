/**
 * What a request's caller may do, to be asked again where time has passed, and in the commit of
 * what it permits (interface §5, §7): the credential as it was looked up, and how to look again.
 */

import type { Credential } from '../../core/access/credentials.ts'
import { assertPermitted, type Grounds } from '../../core/access/permitted.ts'
import { checksOf } from '../../core/access/roles.ts'
import type { Permission } from '../../core/documents/contract.ts'

type Renewed = () => Promise<Permission>

/** Of who needs nothing but to be who it was. */
export const holding = (credential: Credential, renewed: Renewed): Permission => ({
  checks: credential.checks,
  assertOn: () => undefined,
  renewed,
})

/** To do something to one document. */
export const permissionTo = (grounds: Grounds, renewed: Renewed): Permission => ({
  checks: checksOf(grounds.standing),
  grounds,
  assertOn: (facts) => assertPermitted(grounds, facts),
  renewed,
})
