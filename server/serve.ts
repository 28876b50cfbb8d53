/** The service as a process: reads the settings, starts it, stops it on SIGTERM and SIGINT. */
import { limits } from '../schema/limits.ts'
import { startService } from './compose.ts'
import { ConfigError, settingAtFault } from './config.ts'
import { boundFor, descriptorsOfProcess } from './connection-bound.ts'
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

async function start() {
  try {
    const descriptors = descriptorsOfProcess()
    const connections = descriptors === undefined ? undefined : boundFor(descriptors)
    return await startService({ config, runtime: systemRuntime, logger, onFatal, connections })
  } catch (thrown) {
    const error = settingAtFault(thrown, config)
    console.error(error instanceof Error ? error.message : String(error))
    if (error === thrown) logger.debug({ err: error }, 'the service did not start')
    process.exit(error instanceof ConfigError ? 2 : 1)
  }
}

/** What is loaded anew to be compiled ahead (build/warm.ts) is asked for it. */
export const service = start()

void service.then(({ port, baseUrl: url }) => {
  logger.info({ port, host: config.host, url }, 'ready')
})

let isStopping = false
/** From the first moment on: the first process of a container ignores a signal without a handler. */
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
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
