/**
 * `npm run backup -- DIR`: a whole, verified copy of the data directory, from the running service
 * by its socket, or from the files themselves when none runs. What is in PostgreSQL has backups of
 * its own. To restore: stop the service, put DIR
 * in the place of its data directory, start it.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backup, dataPaths, openBlobStore, openLevelStore } from '../persistence/index.ts'
import type { BackupAnswer } from './backup-command.ts'
import { socketName } from './config.ts'
import { ask } from './control-socket.ts'
import { systemRuntime } from './runtime.ts'
import { settings } from './settings.ts'

const [target] = process.argv.slice(2)
if (target === undefined) {
  console.error('usage: npm run backup -- DIRECTORY')
  process.exit(2)
}
const config = settings()
if (config.store.kind === 'postgres') {
  console.error('the data is in PostgreSQL: make a backup with its own tools, such as pg_dump')
  process.exit(2)
}
const directory = resolve(target)
const socketPath = join(config.dataDirectory, socketName)
const answer =
  (await ask<BackupAnswer>(socketPath, { command: 'backup', directory })) ?? (await copyFiles())
if (answer.ok) {
  console.log(`${directory}: ${answer.records} records, ${answer.blobs} blobs, verified`)
  if (answer.outOfService > 0) {
    const spans = `${answer.outOfService} ranges of records that are out of service`
    console.error(`without ${spans}; an older backup may contain them`)
  }
} else {
  console.error(`backup failed: ${answer.error}`)
  process.exitCode = 1
}

async function copyFiles(): Promise<BackupAnswer> {
  if (config.store.kind !== 'level')
    return { ok: false, error: 'no service is running on this DATA_DIR' }
  const paths = dataPaths(config.dataDirectory)
  if (!existsSync(config.store.directory)) {
    return { ok: false, error: `there is no store in ${config.store.directory}` }
  }
  const store = await openLevelStore({ directory: config.store.directory, runtime: systemRuntime })
  try {
    const blobs = await openBlobStore({ directory: paths.blobs, runtime: systemRuntime })
    const source = { store, blobs, keyFile: paths.key, purgedFile: paths.purged }
    return { ok: true, ...(await backup(source, directory, systemRuntime)) }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  } finally {
    await store.close()
  }
}
