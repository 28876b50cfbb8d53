/** The service as a process: reads the settings, starts it, stops it on SIGTERM and SIGINT. */
// First, so that it is evaluated first.
import './stop-signals.ts'
import { limits } from '../schema/limits.ts'
import { startService } from './compose.ts'
import { ConfigError, settingAtFault } from './config.ts'
import { connectionsFor, descriptorsOfProcess } from './connection-bound.ts'
import { hostHint } from './container.ts'
import { openLog } from './log.ts'
import { systemRuntime } from './runtime.ts'
import { settings } from './settings.ts'
import { inSources } from './stack-traces.ts'
import { stopSignal } from './stop-signals.ts'

process.on('uncaughtExceptionMonitor', (error) => {
  error.stack &&= inSources(error.stack)
})

const config = settings()
const logger = openLog({ level: config.logLevel, to: process.stdout.fd })

/** Nobody knows what of the failed write is on disk; a supervisor starts the service anew. */
function onFatal(error: Error): void {
  logger.fatal({ err: error }, 'the store failed; the process exits')
  process.exit(1)
}

async function start() {
  try {
    const descriptors = descriptorsOfProcess()
    const connectionsMax = descriptors === undefined ? undefined : connectionsFor(descriptors)
    const parts = { config, runtime: systemRuntime, logger, onFatal, connectionsMax }
    return await startService({ ...parts, stopping: stopSignal })
  } catch (thrown) {
    if (stopSignal.aborted) process.exit(0)
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

function stop(): void {
  logger.info({ signal: stopSignal.reason }, 'stopping')
  const late = setTimeout(() => {
    logger.error('shutdown timed out')
    process.exit(1)
  }, limits.stopWithinMs)
  late.unref()
  void service
    .then((running) => running.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
}

if (stopSignal.aborted) stop()
else stopSignal.addEventListener('abort', stop)
