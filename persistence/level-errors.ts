/** How LevelDB's errors are told apart. */
import { StoreDamage } from './store.ts'

/** Level wraps what went wrong: the code may be the error's or its cause's. */
export function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === code) || hasCode(error.cause, code)
}

/** LevelDB's own finding that a block is broken is damage too. */
export function asDamage(error: unknown, key: string): unknown {
  return hasCode(error, 'LEVEL_CORRUPTION') ? new StoreDamage(key, String(error)) : error
}
