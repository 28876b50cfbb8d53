/** Who writes, and what lets them. */
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { DocumentFacts } from './facts.ts'

/** Who is credited with a write, and how they proved it (history, interface §2.7). */
export interface Writer {
  readonly actor: ActorId
  readonly authMethod: 'token' | 'agent' | 'session' | 'anonymous' | 'owner_key'
  /** HMAC-SHA-256 of the address under the service's key, hex; undefined where there is none. */
  readonly ipHash?: string
}

/**
 * What lets somebody write, as plain data: judged on the facts of the document in the same turn as
 * the write (`DocumentRules.assertPermitted`), and part of its commit by the records it rests on.
 */
export interface HeldPermission {
  /** The records without which it would be another, as they were when it was looked up. */
  readonly checks: readonly Check[]
  /** What it is judged by; undefined: nothing beside `checks`. */
  readonly grounds?: unknown
}

/** The same, for who can look up again what lets its holder write. */
export interface Permission extends HeldPermission {
  /** Refuses what a document of these facts does not let its holder do. */
  assertOn(facts: DocumentFacts): void
  /** The same as it is now. Refuses what is permitted no more. */
  renewed(): Promise<Permission>
}

/** A record that a permission rests on was written meanwhile; nothing of the request was done. */
export class StalePermission extends Error {
  constructor() {
    super('what a permission rests on has changed')
    this.name = 'StalePermission'
  }
}

/**
 * Why a commit was not written: a record that a permission in it rests on has changed. Nothing of
 * the commit was stored or shown. Whoever only shared the commit begins anew and notices nothing.
 */
export class Withdrawn extends Error {
  readonly #of: ReadonlySet<HeldPermission>

  constructor(of: Iterable<HeldPermission>) {
    super('a record that a permission of the commit rests on has changed')
    this.name = 'Withdrawn'
    this.#of = new Set(of)
  }

  /** Whether this permission is one that has to be looked up again. */
  isOf(permission: HeldPermission | undefined): boolean {
    return permission !== undefined && this.#of.has(permission)
  }
}

/** For who waits for something that failed so: they may come back, unless it says otherwise. */
export const whyRefused = (error: unknown): Withdrawn | Refusal =>
  error instanceof Withdrawn || error instanceof Refusal ? error : new Refusal('UNAVAILABLE')
