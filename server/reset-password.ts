/**
 * `npm run reset-password -- HANDLE`: an address by which its person sets a new password, once and
 * within an hour. It goes through the running service.
 */
import { join } from 'node:path'
import type { ResetAnswer } from './account-commands.ts'
import { socketName } from './config.ts'
import { ask } from './control-socket.ts'
import { settings } from './settings.ts'

const [handle] = process.argv.slice(2)
if (handle === undefined) {
  console.error('usage: npm run reset-password -- HANDLE')
  process.exit(2)
}
const socketPath = join(settings().dataDirectory, socketName)
const answer = await ask<ResetAnswer>(socketPath, { command: 'reset-password', handle })
if (answer?.ok === true) {
  console.log(answer.address)
} else {
  console.error(answer?.error ?? 'no service is running on this DATA_DIR')
  process.exitCode = 1
}
