/** How PostgreSQL's errors are told apart. */
import pg from 'pg'
import { StoreDamage } from '../store.ts'
import { StoreFull } from '../store-errors.ts'

/** SQLSTATE, or the code of Node for a connection. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const outageCodes: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
  // It stops, crashed, starts, or has no room for another connection.
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '53300'],
  // Cancelled from outside; a standby, which takes no writes.
  ...['57014', '25006'],
]

/** The driver's errors without a code; all of them are about the connection. */
const outageMessages: readonly string[] = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
]

/** The database could not be asked, or its answer did not come. It may be there again soon. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Several addresses were tried.
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const code = codeOf(error)
  if (code.startsWith('08') || outageCodes.includes(code)) return true
  return (
    !(error instanceof pg.DatabaseError) &&
    outageMessages.some((message) => error.message.startsWith(message))
  )
}

/** Serialization failure, deadlock, lock not available: nothing was done, trying again helps. */
export const isTransient = (error: unknown): boolean =>
  ['40001', '40P01', '55P03'].includes(codeOf(error))

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'

/** There is no such schema or table. */
export const isUndefined = (error: unknown): boolean => ['3F000', '42P01'].includes(codeOf(error))

/** Somebody else made the same at the same time. */
export const isDuplicate = (error: unknown): boolean =>
  isUniqueViolation(error) || ['42P06', '42P07'].includes(codeOf(error))

/** What the port calls the database's own findings; all else is as it came. */
export function storeErrorOf(error: unknown, what: string): unknown {
  const code = codeOf(error)
  if (code === '53100') return new StoreFull()
  return code === 'XX001' || code === 'XX002' ? new StoreDamage(what, String(error)) : error
}
