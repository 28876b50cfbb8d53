/**
 * Acts that leave a document's text as it is: its flags, its life, the names of its revisions, and
 * records beside it (who may do what, and whatever else belongs to a document without being in it).
 * Each but a name is one revision. What lets their writer act is checked by the same commit.
 */
import type { Check } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { type HeldPermission, Withdrawn, type Writer } from '../../commit/permission.ts'
import { Overtaken, unlessOvertaken } from '../../commit/planned-records.ts'
import type { ChangedLife, Configured, FlagChanges, LifeChange } from '../contract.ts'
import { changedLife } from '../life.ts'
import type { OpenDocument } from '../open/open-document.ts'
import type { TextView } from '../views/text-view.ts'

/** Who acts on which document, and what lets them. */
export interface Acting {
  readonly slug: Slug
  readonly writer: Writer
  readonly permission: HeldPermission | undefined
}

/** Records that an act stores beside the text; `event` is what others are told that it was. */
export interface NotedRecords extends Acting {
  readonly event: string
  readonly checks: readonly Check[]
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
  readonly deletes: readonly string[]
}

interface Writing extends Omit<Acting, 'writer'> {
  readonly unmoved?: HeldPermission
}

export interface ActsHost {
  /** For what ends after a time. */
  readonly steady: Runtime
  using<T>(
    of: { readonly slug: Slug; readonly permission: HeldPermission | undefined },
    work: (document: OpenDocument) => Promise<T>,
  ): Promise<T>
  assertPermitted(permission: HeldPermission | undefined, facts: DocumentFacts): void
}

export class Acts {
  readonly #host: ActsHost

  constructor(host: ActsHost) {
    this.#host = host
  }

  async configure({
    changes,
    ...by
  }: Acting & { readonly changes: FlagChanges }): Promise<Configured> {
    const { writer, permission } = by
    const { revision, facts } = await this.#write(by, (document) => {
      document.writes.configure(changes, { writer, permission })
    })
    return { revision, facts }
  }

  async changeLife({
    change,
    ...by
  }: Acting & { readonly change: LifeChange }): Promise<ChangedLife> {
    const { writer, permission } = by
    const { revision, facts, title } = await this.#write(by, (document) => {
      const moment = { now: this.#host.steady.now(), by: writer.actor }
      const changed = changedLife(document.newestFacts, change, moment)
      if (changed === undefined) return
      const { life, puts, deletes } = changed
      document.writes.setLife(life, { writer, extras: { checks: [], puts, deletes, permission } })
    })
    return { revision, facts, title }
  }

  /** That is no revision (extensions §12). */
  async name(
    named: Omit<Acting, 'writer'> & { readonly revision: number; readonly name: string | null },
  ): Promise<void> {
    const { revision, name, permission } = named
    await this.#write(named, (document) => {
      if (revision > document.view.revision) throw new Refusal('NOT_FOUND')
      document.writes.nameRevision(revision, name, permission)
    })
  }

  /** Throws `Overtaken` where one of `checks` does not hold any more. */
  async note({ event, checks, puts, deletes, ...by }: NotedRecords): Promise<void> {
    const { writer, permission } = by
    const unmoved = unlessOvertaken(checks)
    await this.#write({ ...by, unmoved }, (document) => {
      const extras = { checks: [], puts, deletes }
      document.writes.note(event, { writer, extras, permissions: [unmoved, permission] })
    })
  }

  /**
   * One synchronous write on the settled document, then its view when that is durable. Throws
   * `Overtaken` where what `unmoved` names has changed.
   */
  #write(
    { slug, permission, unmoved }: Writing,
    write: (document: OpenDocument) => void,
  ): Promise<TextView> {
    return this.#host.using({ slug, permission }, (document) => {
      const written = document.stored(() => {
        const { facts } = document.settle()
        this.#host.assertPermitted(permission, facts)
        write(document)
        return document.view
      })
      return written.catch((error: unknown) => {
        if (error instanceof Withdrawn && error.isOf(unmoved)) throw new Overtaken()
        throw error
      })
    })
  }
}
