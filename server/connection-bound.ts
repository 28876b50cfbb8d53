/**
 * How many connections there may be: fewer than the process may have files open, so that the store
 * can always open its own.
 */
import { readFileSync } from 'node:fs'
import { limits } from '../schema/limits.ts'

/**
 * What remains of so many descriptors when the store has its part: LevelDB keeps up to a fifth of
 * them for its tables, and some are for its log, for reading and for backups.
 */
export const connectionsFor = (descriptors: number): number =>
  Math.max(8, Math.floor(descriptors * 0.7) - limits.descriptorsReserved)

const ownLimits = '/proc/self/limits'

/** How many files this process may have open; undefined where there is no bound. */
export function descriptorsOfProcess(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(ownLimits, 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    // No Linux: Node's own report knows, and takes its time.
    return reportedDescriptors()
  }
}

function reportedDescriptors(): number | undefined {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}
