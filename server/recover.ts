/**
 * `npm run recover -- FROM TO`, with the service stopped: writes into TO, which must be empty, a
 * data directory of all that is whole in FROM, and names what is not. Exits 0 when nothing is lost,
 * 1 when something is, 2 when it could do nothing.
 */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DamagedFile, dataPaths, StoreInUse } from '../persistence/index.ts'
import { recover } from './recovery.ts'
import { systemRuntime } from './runtime.ts'

const [from, to] = process.argv.slice(2).map((path) => resolve(path))
if (from === undefined || to === undefined) refuse('usage: npm run recover -- FROM TO')
if (!existsSync(dataPaths(from).store)) refuse(`there is no store in ${dataPaths(from).store}`)
if (existsSync(to) && (await readdir(to)).length > 0) refuse(`${to} is not empty`)

try {
  const { mended, lost, damaged } = await recover(from, to, systemRuntime)
  for (const line of mended) console.log(`repaired: ${line}`)
  for (const line of lost) console.log(`lost: ${line}`)
  for (const { slug, problem, taken } of damaged) {
    const kept = taken
      ? `; its last intact revision, ${taken.revision}, is in ${taken.path}`
      : '; no text could be recovered'
    console.log(`document ${slug} is unavailable: ${problem}${kept}`)
  }
  const isWhole = lost.length + damaged.length === 0
  console.log(
    isWhole ? `nothing was lost; start with DATA_DIR=${to}` : `everything else is in ${to}`,
  )
  process.exitCode = isWhole ? 0 : 1
} catch (error) {
  if (!(error instanceof DamagedFile || error instanceof StoreInUse)) throw error
  refuse(error.message)
}

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}
