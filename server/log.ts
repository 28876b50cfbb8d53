/**
 * The log, one line of JSON each. Whoever reads it slowly, or not at all, holds nobody up: lines
 * wait in memory and are written behind the event loop's back, in their order, at an exit too. Of
 * more than a bound the newest are dropped, and how many is said once there is room.
 */
import { type Logger, pino } from 'pino'
import { secretPaths } from '../rest/answers/headers.ts'
import { inSources } from './stack-traces.ts'

/** Of the log, where whoever reads it does not come along. */
const logWaitingMaxChars = 16 * 1024 * 1024

export interface LogParts {
  readonly level: string
  /** A file descriptor. */
  readonly to: number
  readonly waitingMaxChars?: number
}

export function openLog({ level, to, waitingMaxChars }: LogParts): Logger {
  const destination = pino.destination({
    dest: to,
    sync: false,
    maxLength: waitingMaxChars ?? logWaitingMaxChars,
  })
  const redact = { paths: [...secretPaths], censor: '…' }
  const logger = pino({ level, redact, serializers: { err: serializedError } }, destination)
  let dropped = 0
  destination.on('drop', () => {
    dropped += 1
  })
  destination.on('drain', () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    logger.warn({ lines }, 'log lines were dropped because the reader is too slow')
  })
  return logger
}

function serializedError(error: Error) {
  const said = pino.stdSerializers.err(error)
  if (typeof said.stack === 'string') said.stack = inSources(said.stack)
  return said
}
