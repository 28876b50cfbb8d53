/**
 * Builds what is missing or older than its sources: `npm start`, the commands and the tests call it
 * first; `npm run build` always builds all. The builders are loaded only where there is something to
 * build.
 */
import { type Built, isCurrent, page, putStamp, service, sourcesHash } from './built.ts'

const isForced = process.argv.includes('--force')

async function build(built: Built, run: () => Promise<void>): Promise<void> {
  if (!isForced && isCurrent(built)) return
  const hash = sourcesHash(built)
  await run()
  putStamp(built, hash)
}

await build(service, async () => (await import('./service.ts')).buildService())
await build(page, async () => (await import('./page.ts')).buildPage(isForced))
