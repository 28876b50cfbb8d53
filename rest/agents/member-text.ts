/**
 * The text of one of many documents that a request reads: judged anew, for the request may have
 * lasted, and in the turns that parsing has.
 */
import type { ContextDocument, ContextKind } from '../../core/access/agent-context.ts'
import type { AgentCredential } from '../../core/access/credentials.ts'
import type { DocumentView, ReadWish } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, unattributed } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Admitted } from '../admission/admitted.ts'
import { isoTime } from '../answers/times.ts'
import type { Services } from '../services.ts'

export interface Reading {
  readonly input: Pick<Admitted, 'sources' | 'isGone'>
  readonly agent: AgentCredential
  readonly services: Pick<Services, 'documents' | 'people' | 'workQueue'>
}

/** `undefined`: it is not there any more. Refuses DOC_DAMAGED, BUSY, UNAVAILABLE. */
export async function readMember<T>(
  { input, agent, services }: Reading,
  { document, wish }: { readonly document: ContextDocument; readonly wish: ReadWish },
  use: (view: DocumentView) => T | Promise<T>,
): Promise<T | undefined> {
  const { documents, people, workQueue } = services
  const { sources, isGone } = input
  const work = { source: sources, isGone, costBytes: limits.memberReadCostBytes, heldBytes: 0 }
  return workQueue.run(work, async () => {
    if (!(await people.access.isInContext(agent, document))) return undefined
    try {
      return await use(await documents.read(document.slug, wish, sources))
    } catch (error) {
      if (error instanceof Refusal && ended.has(error.code)) return undefined
      throw error
    }
  })
}

const ended: ReadonlySet<string> = new Set(['DOC_ARCHIVED', 'DOC_NOT_FOUND'])

/** How documents of an agent's library are shown to it (interface §2.7). */
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
