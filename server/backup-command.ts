/** `npm run backup` while the service runs: `{directory}` in, what was copied out. */
import { type BackupReport, type BackupSource, backup } from '../persistence/index.ts'
import type { Runtime } from '../schema/runtime.ts'
import { type Command, type Refused, required } from './control-socket.ts'

export type BackupAnswer = ({ readonly ok: true } & BackupReport) | Refused

export const backupCommand =
  (source: BackupSource, runtime: Runtime): Command =>
  async (request) => ({ ...(await backup(source, required(request, 'directory'), runtime)) })
