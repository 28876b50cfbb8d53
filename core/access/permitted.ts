/**
 * The judgement of a permission on the facts of a document (interface §5, §7): at the door, and
 * in the host of the document in the same turn as the write. Pure; its grounds are plain data.
 */
import { Refusal } from '../../schema/errors.ts'
import type { DocumentFacts } from '../documents/contract.ts'
import { type Action, may, needsOf } from './may.ts'
import { accessOn, requireIdentity, requireLife, requireRole, type Standing } from './roles.ts'

/** What is to be done, by whom. */
export interface Grounds {
  readonly action: Action
  readonly standing: Standing
  /** The name that comes with the request. */
  readonly displayName: string | undefined
}

/** The role 403, then what is archived 423, then the name 412, then the lock 403. */
export function assertPermitted(
  { action, standing, displayName }: Grounds,
  facts: DocumentFacts,
): void {
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
