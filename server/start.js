/**
 * `npm start`: the service, in this process; before it another one that builds, where sources have
 * changed. No TypeScript, for nothing translates it.
 */
import { isCurrent, page, service } from './build/built.js'

if (!(isCurrent(service) && isCurrent(page))) {
  const { spawnSync } = await import('node:child_process')
  const { fileURLToPath } = await import('node:url')
  const builder = fileURLToPath(new URL('build/main.js', import.meta.url))
  const { status } = spawnSync(process.execPath, [builder], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
await import(new URL('../dist/main.js', import.meta.url).href)
