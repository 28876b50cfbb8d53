/** How LevelDB's errors are told apart. */
import { StoreDamage } from './store.ts'

/** Level wraps what went wrong: the code may be the error's or its cause's. */
export function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === code) || hasCode(error.cause, code)
}

const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']
/** As the system spells them, which is all that LevelDB passes on. */
const fullMessages = ['No space left on device', 'Disk quota exceeded', 'File too large']

/** Whether the disk took no more of what was being written. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && fullCodes.includes(error.code)) return true
  return fullMessages.some((one) => error.message.includes(one)) || isDiskFull(error.cause)
}

/** LevelDB's own finding that a block is broken is damage too. */
export function asDamage(error: unknown, key: string): unknown {
  return hasCode(error, 'LEVEL_CORRUPTION') ? new StoreDamage(key, String(error)) : error
}
