/**
 * Acts that write records beside a document's text, each as one revision: who may do what (and
 * whatever else belongs to a document without being in it). One at a time for each document, so
 * that a plan is seldom overtaken; what lets its writer act is checked by the same commit.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { Overtaken, type PlannedRecords, unlessOvertaken } from '../commit/planned-records.ts'
import { Withdrawn } from '../commit/withdrawn.ts'
import { Lines } from '../turns/lines.ts'
import type { ActedBy, Permission } from './contract.ts'
import type { OpenDocument } from './open/open-document.ts'

/** How an open document is come by. */
type Using = <T>(
  slug: Slug,
  by: { readonly permission?: Permission | undefined },
  work: (document: OpenDocument, permission: Permission | undefined) => Promise<T>,
) => Promise<T>

/** So often a plan is made anew. */
const plansMax = 8

export class Acts {
  readonly #using: Using
  readonly #lines = new Lines(limits.actsWaitingMax)

  constructor(using: Using) {
    this.#using = using
  }

  record<T>(slug: Slug, by: ActedBy, plan: () => Promise<PlannedRecords<T>>): Promise<T> {
    return this.#lines.run(slug, async () => {
      for (let plans = 1; plans <= plansMax; plans++) {
        const { answer, records } = await plan()
        if (records === undefined) return answer
        try {
          await this.#store(slug, by, records)
          return answer
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error
        }
      }
      throw new Refusal('UNAVAILABLE')
    })
  }

  #store(
    slug: Slug,
    { event, writer, permission: asked }: ActedBy,
    { checks, puts, deletes = [] }: NonNullable<PlannedRecords<unknown>['records']>,
  ): Promise<void> {
    const unmoved = unlessOvertaken(checks)
    return this.#using(slug, { permission: asked }, async (document, permission) => {
      await document.exclusive.whenFree(() => {
        permission?.assertOn(document.settle().facts)
        const extras = { checks: [], puts, deletes }
        document.writes.note(event, { writer, extras, permissions: [unmoved, permission] })
      })
      await document.durable().catch((error: unknown) => {
        if (error instanceof Withdrawn) error.assertNotOf(unmoved)
        throw error
      })
    })
  }
}
