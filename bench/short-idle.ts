/**
 * The service, from source, with another time after which a document that nobody uses leaves memory
 * (`BENCH_IDLE_MS`): what is built has its limits for itself.
 */
import { pino } from 'pino'
import { limits } from '../schema/limits.ts'
import { startService } from '../server/compose.ts'
import { systemRuntime } from '../server/runtime.ts'
import { settings } from '../server/settings.ts'

const config = settings()
const service = await startService({
  config,
  runtime: systemRuntime,
  logger: pino({ level: config.logLevel }),
  onFatal: () => process.exit(1),
  limits: { ...limits, openDocumentIdleMs: Number(process.env['BENCH_IDLE_MS']) },
})
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)))
