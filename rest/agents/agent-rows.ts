/** How documents of an agent's library are shown to it (interface §2.7). */

import type { ContextDocument, ContextKind } from '../../core/access/agent-context.ts'
import type { AgentCredential } from '../../core/access/credentials.ts'
import { type ActorId, unattributed } from '../../schema/ids.ts'
import { isoTime } from '../answers/times.ts'
import type { Services } from '../services.ts'

export type LabelOf = (document: ContextDocument) => string

/** Once those are looked up whom they name. */
export async function rowsOf(
  agent: AgentCredential,
  documents: readonly ContextDocument[],
  services: Services,
) {
  const labelOf = await labelsOf(agent, documents, services)
  return (document: ContextDocument) => ({
    id: document.slug,
    kind: 'doc' as const,
    apiUrl: `/docs/${document.slug}`,
    yourRole: document.role,
    authHint: 'agent-secret' as const,
    name: document.title ?? '',
    sourceLabel: labelOf(document),
    sharedByActorId: document.sharedBy ?? unattributed,
    updatedAt: isoTime(document.updatedAt),
  })
}

export async function labelsOf(
  { displayName }: AgentCredential,
  documents: readonly Pick<ContextDocument, 'sharedBy'>[],
  { people }: Services,
): Promise<(document: Pick<ContextDocument, 'scope' | 'sharedBy'>) => string> {
  const ids = new Set<ActorId>()
  for (const { sharedBy } of documents) if (sharedBy !== undefined) ids.add(sharedBy)
  const actors = await people.access.actors(ids)
  const label: Readonly<Record<ContextKind, (name: string) => string>> = {
    share: (name) => `Shared by ${name}`,
    team: (name) => `Team of ${name}`,
    brain: () => `Brain of ${displayName}`,
  }
  return ({ scope, sharedBy }) =>
    label[scope.kind]((sharedBy && actors[sharedBy]?.name) ?? 'somebody')
}
