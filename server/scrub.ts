/**
 * `npm run scrub`, with the service stopped: verifies every file, record and document of the store,
 * names each that is broken, and exits 1 when there is any.
 */
import { verifyAssets } from '../core/assets/verify.ts'
import { verifyDocument } from '../core/documents/verify.ts'
import {
  allDocSlugs,
  DamagedFile,
  documentsTouched,
  type LevelStore,
  scrubStore,
  verifyTables,
} from '../persistence/index.ts'
import { type Data, openData, whyNoData } from './data.ts'
import { systemRuntime } from './runtime.ts'
import { settings } from './settings.ts'

const config = settings()
const location = config.store
const missing = whyNoData(location)
if (location.kind === 'memory' || missing !== undefined) {
  console.error(missing)
  process.exit(2)
}

let broken = 0
const report = (what: string, problem: string) => {
  broken++
  console.log(`${what}: ${problem}`)
}

try {
  if (location.kind === 'level') {
    for (const { message } of await verifyTables(location.directory)) report('store', message)
  }
  const data = await openData(location, config.dataDirectory)
  try {
    await scrub(data)
  } finally {
    await data.store.close()
  }
} catch (error) {
  if (!(error instanceof DamagedFile)) throw error
  report('store', error.message)
}
process.exitCode = broken > 0 ? 1 : 0

async function scrub({ store, blobs }: Data): Promise<void> {
  for await (const { key, problem, upTo } of scrubStore(store)) {
    report(upTo === undefined ? key : `keys from ${key} to ${upTo}`, problem)
  }
  const touched = new Set<string>()
  for (const span of 'quarantine' in store ? store.quarantine : []) {
    for (const slug of await documentsTouched(store as LevelStore, span)) touched.add(slug)
  }
  for (const slug of touched) report(`document ${slug}`, 'some of its keys are out of service')
  let documents = 0
  for await (const slug of allDocSlugs(store)) {
    documents++
    const problem = await verifyDocument(store, slug, systemRuntime)
    if (problem !== undefined && !touched.has(slug)) report(`document ${slug}`, problem)
  }
  for await (const { what, problem } of verifyAssets(store, blobs)) report(what, problem)
  console.log(`${documents} documents verified, ${broken} problems`)
}
