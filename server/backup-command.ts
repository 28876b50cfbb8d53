/** `npm run backup` while the service runs: `{directory}` in, what was copied out. */
import type { KeptBlobs } from '../core/assets/kept-blobs.ts'
import { type BackupReport, type BackupSource, backup } from '../persistence/index.ts'
import type { Runtime } from '../schema/runtime.ts'
import { type Command, type Refused, required } from './control-socket.ts'

export type BackupAnswer = ({ readonly ok: true } & BackupReport) | Refused

export const backupCommand =
  (source: BackupSource, runtime: Runtime, blobs: KeptBlobs): Command =>
  async (request) => {
    const directory = required(request, 'directory')
    return blobs.whileCopied(async () => ({ ...(await backup(source, directory, runtime)) }))
  }
