/**
 * `npm run scrub`, with the service stopped: verifies every file, record and document of the store,
 * names each that is broken, and exits 1 when there is any.
 */
import { existsSync } from 'node:fs'
import { verifyAssets } from '../core/assets/verify.ts'
import { verifyDocument } from '../core/documents/verify.ts'
import {
  allDocSlugs,
  DamagedFile,
  dataPaths,
  documentsTouched,
  type LevelStore,
  openBlobStore,
  openLevelStore,
  scrubStore,
  verifyTables,
} from '../persistence/index.ts'
import { systemRuntime } from './runtime.ts'
import { settings } from './settings.ts'

const config = settings()
if (config.store.kind !== 'level') {
  console.error('scrub needs a store on disk')
  process.exit(2)
}

const { directory } = config.store
if (!existsSync(directory)) {
  console.error(`there is no store in ${directory}`)
  process.exit(2)
}
let broken = 0
const report = (what: string, problem: string) => {
  broken++
  console.log(`${what}: ${problem}`)
}

try {
  for (const { message } of await verifyTables(directory)) report('store', message)
  const store = await openLevelStore({ directory, runtime: systemRuntime })
  try {
    await scrub(store)
  } finally {
    await store.close()
  }
} catch (error) {
  if (!(error instanceof DamagedFile)) throw error
  report('store', error.message)
}
process.exitCode = broken > 0 ? 1 : 0

async function scrub(store: LevelStore): Promise<void> {
  for await (const { key, problem, upTo } of scrubStore(store)) {
    report(upTo === undefined ? key : `keys from ${key} to ${upTo}`, problem)
  }
  const touched = new Set<string>()
  for (const span of store.quarantine) {
    for (const slug of await documentsTouched(store, span)) touched.add(slug)
  }
  for (const slug of touched) report(`document ${slug}`, 'some of its keys are out of service')
  let documents = 0
  for await (const slug of allDocSlugs(store)) {
    documents++
    const problem = await verifyDocument(store, slug, systemRuntime)
    if (problem !== undefined && !touched.has(slug)) report(`document ${slug}`, problem)
  }
  const directory = dataPaths(config.dataDirectory).blobs
  const blobs = await openBlobStore({ directory, runtime: systemRuntime })
  for await (const { what, problem } of verifyAssets(store, blobs)) report(what, problem)
  console.log(`${documents} documents verified, ${broken} problems`)
}
