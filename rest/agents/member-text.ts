/**
 * The text of one of many documents that a request reads: judged anew, for the request may have
 * lasted, and in the turns that parsing has.
 */
import type { ContextDocument } from '../../core/access/agent-context.ts'
import type { AgentCredential } from '../../core/access/credentials.ts'
import type { DocumentView, ReadWish } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { Admitted } from '../admission/admitted.ts'
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
