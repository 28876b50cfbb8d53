/**
 * `npm run accounts`: lists the accounts of the running service; `-- disable HANDLE` closes one, its
 * sessions end at once; `-- enable HANDLE` opens it again.
 */
import { join } from 'node:path'
import type { AccountsAnswer } from './account-commands.ts'
import { socketName } from './config.ts'
import { ask } from './control-socket.ts'
import { settings } from './settings.ts'

const [action = 'list', handle] = process.argv.slice(2)
const isChange = action === 'disable' || action === 'enable'
if ((!isChange && action !== 'list') || isChange !== (handle !== undefined)) {
  console.error('usage: npm run accounts [-- disable HANDLE | -- enable HANDLE]')
  process.exit(2)
}
const socketPath = join(settings().dataDirectory, socketName)
if (isChange) {
  required(await ask(socketPath, { command: action, handle }))
  console.log(`${handle}: ${action}d`)
} else {
  await list()
}

async function list(): Promise<void> {
  for (let after: string | undefined; ; ) {
    const answer = await ask<AccountsAnswer>(socketPath, { command: 'accounts', after })
    const { accounts, next } = required(answer)
    for (const account of accounts) {
      const state = account.disabled ? '  disabled' : ''
      console.log(`${account.handle}  ${account.name}  ${account.created_at.slice(0, 10)}${state}`)
    }
    if (next === undefined) return
    after = next
  }
}

function required<A extends { readonly ok: boolean }>(
  answer: A | undefined,
): Extract<A, { ok: true }> {
  if (answer?.ok === true) return answer as Extract<A, { ok: true }>
  const why =
    answer !== undefined && 'error' in answer
      ? answer.error
      : 'no service is running on this DATA_DIR'
  console.error(String(why))
  process.exit(1)
}
