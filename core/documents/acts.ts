/**
 * Acts that leave a document's text as it is, each as one revision: its flags, its life, and records
 * beside it (who may do what, and whatever else belongs to a document without being in it). What
 * lets their writer act is checked by the same commit. Those with records go one at a time for each
 * document, so that a plan is seldom overtaken.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { Overtaken, type PlannedRecords, unlessOvertaken } from '../commit/planned-records.ts'
import { Withdrawn } from '../commit/withdrawn.ts'
import { Lines } from '../turns/lines.ts'
import type {
  ActedBy,
  ByWhom,
  ChangedLife,
  Configured,
  FlagChanges,
  LifeChange,
  Past,
  Permission,
} from './contract.ts'
import { changedLife } from './life.ts'
import type { OpenDocument } from './open/open-document.ts'
import type { TextView } from './views/text-view.ts'

type Naming = Parameters<Past['name']>[2]

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
  /** For what ends after a time. */
  readonly #steady: Runtime
  readonly #lines = new Lines(limits.actsWaitingMax)

  constructor(using: Using, steady: Runtime) {
    this.#using = using
    this.#steady = steady
  }

  async configure(slug: Slug, changes: FlagChanges, by: ByWhom): Promise<Configured> {
    const { revision, facts } = await this.#write(slug, by, (document, permission) => {
      document.writes.configure(changes, { writer: by.writer, permission })
    })
    return { revision, facts }
  }

  async changeLife(slug: Slug, change: LifeChange, by: ByWhom): Promise<ChangedLife> {
    const { writer } = by
    const { revision, facts, title } = await this.#write(slug, by, (document, permission) => {
      const moment = { now: this.#steady.now(), by: writer.actor }
      const changed = changedLife(document.newestFacts, change, moment)
      if (changed === undefined) return
      const { life, puts, deletes } = changed
      document.writes.setLife(life, { writer, extras: { checks: [], puts, deletes, permission } })
    })
    return { revision, facts, title }
  }

  /** That is no revision (extensions §12). */
  async name(slug: Slug, revision: number, { name, permission: asked }: Naming): Promise<void> {
    await this.#write(slug, { permission: asked }, (document, permission) => {
      if (revision > document.view.revision) throw new Refusal('NOT_FOUND')
      document.writes.nameRevision(revision, name, permission)
    })
  }

  /** One synchronous write on the settled document, then its view when that is durable. */
  #write(
    slug: Slug,
    by: Pick<ByWhom, 'permission'>,
    write: (document: OpenDocument, permission: Permission | undefined) => void,
  ): Promise<TextView> {
    return this.#using(slug, { permission: by.permission }, async (document, permission) => {
      const view = await document.exclusive.whenFree(() => {
        const { facts } = document.settle()
        permission?.assertOn(facts)
        write(document, permission)
        return document.view
      })
      await document.durable()
      return view
    })
  }

  record<T>(slug: Slug, by: ActedBy, plan: () => Promise<PlannedRecords<T>>): Promise<T> {
    return this.#lines.run(slug, async () => {
      let { permission } = by
      for (let plans = 1; plans <= plansMax; plans++) {
        const { answer, records } = await plan()
        if (records === undefined) return answer
        try {
          await this.#store(slug, { ...by, permission }, records)
          return answer
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error
          // It may rest on what has overtaken the plan.
          permission = await permission?.renewed()
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
        const { facts } = document.settle()
        permission?.assertOn(facts)
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
