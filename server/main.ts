/** The service as a process: reads the settings, starts it, stops it on SIGTERM and SIGINT. */
import { limits } from '../schema/limits.ts'
import { startService } from './compose.ts'
import { ConfigError, settingAtFault } from './config.ts'
import { connectionsFor, descriptorsOfProcess } from './connection-bound.ts'
import { hostHint } from './container.ts'
import { openLog } from './log.ts'
import { systemRuntime } from './runtime.ts'
import { settings } from './settings.ts'
import { inSources } from './stack-traces.ts'

process.on('uncaughtExceptionMonitor', (error) => {
  error.stack &&= inSources(error.stack)
})

const config = settings()
const logger = openLog({ level: config.logLevel, to: process.stdout.fd })

/** Nobody knows what of the failed write is on disk; a supervisor starts the service anew. */
function onFatal(error: Error): void {
  logger.fatal({ err: error }, 'the store failed; the process ends')
  process.exit(1)
}

/** The process is to end. */
const stopping = new AbortController()

async function start() {
  try {
    const descriptors = descriptorsOfProcess()
    const connectionsMax = descriptors === undefined ? undefined : connectionsFor(descriptors)
    const { signal } = stopping
    const parts = { config, runtime: systemRuntime, logger, onFatal, connectionsMax }
    return await startService({ ...parts, stopping: signal })
  } catch (thrown) {
    if (stopping.signal.aborted) process.exit(0)
    const error = settingAtFault(thrown, config)
    console.error(error instanceof Error ? error.message : String(error))
    if (error === thrown) logger.debug({ err: error }, 'the service did not start')
    process.exit(error instanceof ConfigError ? 2 : 1)
  }
}

const service = start()

/** A start that waits has nothing else that keeps the process. */
const awake = setInterval(() => {}, limits.timerMaxMs)
void service.then(() => clearInterval(awake))

void service.then(({ port, baseUrl: url }) => {
  const { host } = config
  const hint = hostHint(host)
  logger.info({ port, host, url, ...(hint && { hint }) }, 'ready')
})

/** From the first moment on: PID 1 of a container ignores a signal without a handler. */
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    logger.info({ signal }, 'stopping')
    const late = setTimeout(() => {
      logger.error('stopping took too long')
      process.exit(1)
    }, limits.stopWithinMs)
    late.unref()
    void service
      .then(({ stop }) => stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed')
          process.exit(1)
        },
      )
  })
}
