/**
 * The door for `npm run backup` while the service runs: a Unix socket in the data directory, mode
 * 0600. One JSON line in, `{directory}`; one JSON line out, `{ok, …}`.
 */
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { type BackupReport, type BackupSource, backup } from '../persistence/index.ts'
import type { Runtime } from '../schema/runtime.ts'

export type BackupAnswer =
  | ({ readonly ok: true } & BackupReport)
  | { readonly ok: false; readonly error: string }

export interface BackupDoor {
  readonly source: BackupSource
  readonly socketPath: string
  readonly runtime: Runtime
  readonly logger: Logger
}

/** Returns how to close it. */
export async function listenForBackups(door: BackupDoor): Promise<() => Promise<void>> {
  const { socketPath, logger } = door
  await rm(socketPath, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    void serve(socket, door)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  await chmod(socketPath, 0o600)
  logger.debug({ socketPath }, 'backups are taken on request')
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
}

async function serve(socket: Socket, { source, runtime, logger }: BackupDoor): Promise<void> {
  for await (const line of createInterface({ input: socket })) {
    const answer = await answerTo(line, source, runtime)
    logger.info({ answer }, 'backup')
    socket.end(`${JSON.stringify(answer)}\n`)
    return
  }
}

async function answerTo(
  line: string,
  source: BackupSource,
  runtime: Runtime,
): Promise<BackupAnswer> {
  try {
    const { directory }: { directory: string } = JSON.parse(line)
    return { ok: true, ...(await backup(source, directory, runtime)) }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}
