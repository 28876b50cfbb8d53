/**
 * Rules that a document host is given by the layers above: pure functions of plain data, so that
 * they are the same wherever the host runs.
 */
import type { ActorId, Slug } from '../../../schema/ids.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { SaidAct } from '../threads/thread-acts.ts'

/** Who should hear of an act, and the records by which they do. */
export interface Notice {
  readonly to: readonly ActorId[]
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
}

export interface DocumentRules {
  /** Refuses what a permission on these grounds does not cover on a document of these facts. */
  assertPermitted(grounds: unknown, facts: DocumentFacts): void
  /** Of something said or decided by this actor; the records belong to the act's commit. */
  noticeOf(slug: Slug, by: ActorId, act: SaidAct): Notice
}

/** Where nobody is permitted anything, or told. */
export const noRules: DocumentRules = {
  assertPermitted() {
    throw new TypeError('a permission came to a host without rules')
  },
  noticeOf: () => ({ to: [], puts: [] }),
}
