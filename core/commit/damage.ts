/**
 * Stored records that contradict each other: the document is out of service, never served wrong.
 */
import { StoreDamage } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'

/**
 * 503 `DOC_DAMAGED`; `found` says to an operator what does not fit (logs and scrub, not clients).
 */
export class DocumentDamage extends Refusal {
  readonly found: string

  constructor(slug: Slug, found: string) {
    super('DOC_DAMAGED', { slug })
    this.name = 'DocumentDamage'
    this.found = found
  }
}

/** Throws `DocumentDamage` unless `holds`. */
export function intact(slug: Slug, holds: boolean, found: string): asserts holds {
  if (!holds) throw new DocumentDamage(slug, found)
}

/** What `read` gives; a damaged record of this document's is `DocumentDamage`. */
export async function undamaged<T>(slug: Slug, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StoreDamage) throw new DocumentDamage(slug, error.message)
    throw error
  }
}
