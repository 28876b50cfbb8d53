/**
 * Builds what is missing or older than its sources: `npm start`, the commands and the tests call it
 * first; `npm run build` always builds all. Where there is nothing to build, neither the builders
 * are loaded nor what translates them: that is why this file and built.js are no TypeScript.
 */
import { isCurrent, page, putStamp, service, sourcesHash } from './built.js'

const isForced = process.argv.includes('--force')

/**
 * @param {import('./built.js').Built} built
 * @param {() => Promise<void>} run
 */
async function build(built, run) {
  if (!isForced && isCurrent(built)) return
  const hash = sourcesHash(built)
  const { register } = await import('tsx/esm/api')
  const unregister = register()
  await run()
  await unregister()
  putStamp(built, hash)
}

await build(page, async () => (await import('./page.ts')).buildPage(isForced))
await build(service, async () => (await import('./service.ts')).buildService())
