/** Errors as plain data, and back: what refuses in one thread refuses in the other. */
import { StoreDamage } from '../../../persistence/store.ts'
import {
  OutcomeUnknown,
  StoreClosed,
  StoreFailed,
  StoreFull,
  StoreUnavailable,
} from '../../../persistence/store-errors.ts'
import { type ErrorCode, Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { DocumentDamage } from '../../commit/damage.ts'
import { StalePermission } from '../../commit/permission.ts'
import { Overtaken } from '../../commit/planned-records.ts'

export type PlainError =
  | {
      readonly kind: 'refusal'
      readonly code: ErrorCode
      readonly details: Readonly<Record<string, unknown>>
      readonly message: string
      readonly isOfTarget: boolean
    }
  | { readonly kind: 'damage'; readonly slug: Slug; readonly found: string }
  | { readonly kind: 'store-damage'; readonly key: string; readonly reason: string }
  | { readonly kind: 'stale' | 'overtaken' | 'store-full' | 'store-closed' }
  | { readonly kind: 'store-unavailable' | 'outcome-unknown' }
  /** A bug, or a store that failed. */
  | {
      readonly kind: 'error' | 'store-failed'
      readonly name: string
      readonly message: string
      readonly stack: string | undefined
    }

export function plainError(error: unknown): PlainError {
  if (error instanceof StalePermission) return { kind: 'stale' }
  if (error instanceof Overtaken) return { kind: 'overtaken' }
  if (error instanceof DocumentDamage) {
    return { kind: 'damage', slug: error.details['slug'] as Slug, found: error.found }
  }
  if (error instanceof StoreFull) return { kind: 'store-full' }
  if (error instanceof StoreUnavailable) return { kind: 'store-unavailable' }
  if (error instanceof OutcomeUnknown) return { kind: 'outcome-unknown' }
  if (error instanceof Refusal) {
    const { code, details, message, isOfTarget } = error
    return { kind: 'refusal', code, details, message, isOfTarget }
  }
  if (error instanceof StoreDamage) {
    return { kind: 'store-damage', key: error.key, reason: error.reason }
  }
  if (error instanceof StoreClosed) return { kind: 'store-closed' }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: error instanceof StoreFailed ? 'store-failed' : 'error', name, message, stack }
}

/** `where`: the host that it comes from, which a bug's stack then names. */
export function errorOf(plain: PlainError, where: string): Error {
  switch (plain.kind) {
    case 'stale':
      return new StalePermission()
    case 'overtaken':
      return new Overtaken()
    case 'damage':
      return new DocumentDamage(plain.slug, plain.found)
    case 'store-full':
      return new StoreFull()
    case 'store-unavailable':
      return new StoreUnavailable()
    case 'outcome-unknown':
      return new OutcomeUnknown(undefined)
    case 'store-closed':
      return new StoreClosed()
    case 'store-damage':
      return new StoreDamage(plain.key, plain.reason)
    case 'refusal': {
      const { code, details, message, isOfTarget } = plain
      return isOfTarget
        ? Refusal.ofTarget(code, details, message)
        : new Refusal(code, details, message)
    }
    case 'store-failed':
      return new StoreFailed(new Error(plain.message))
    case 'error': {
      const error = new Error(`${plain.message} (in ${where})`)
      error.name = plain.name
      if (plain.stack !== undefined) error.stack = plain.stack
      return error
    }
  }
}
