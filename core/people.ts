/**
 * Everything about people and agents that the layers above are given: five ports, opened together,
 * and the one timer that deletes what time has ended.
 */
import type { Store } from '../persistence/store.ts'
import { limits } from '../schema/limits.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'
import { type AccessControl, openAccessControl } from './access/access-control.ts'
import { type Accounts, openAccounts } from './accounts/accounts.ts'
import { type Agents, openAgents } from './agents/agents.ts'
import { type Library, openLibrary } from './library/library.ts'
import { type Links, openLinks } from './links/links.ts'
import type { SecretKey } from './records/secrets.ts'
import { steadyRuntime } from './runtime/steady-runtime.ts'

export interface People {
  readonly access: AccessControl
  readonly accounts: Accounts
  readonly agents: Agents
  readonly library: Library
  readonly links: Links
  /** Ends the work in the background. */
  close(): void
}

export function openPeople(given: {
  readonly store: Store
  readonly runtime: Runtime
  /** At least 32 bytes. */
  readonly secretKey: SecretKey
  /** Whether agents may have their events sent into private networks. */
  readonly webhooksAllowPrivate?: boolean
  /** Told when work in the background failed (for the log); it is tried again later. */
  readonly onTrouble?: (error: unknown) => void
}): People {
  const { store, secretKey, runtime: wall, onTrouble = () => {} } = given
  const allowPrivate = given.webhooksAllowPrivate === true
  const runtime = steadyRuntime(wall)
  const accounts = openAccounts({ store, runtime })
  const agents = openAgents({ store, runtime, secretKey, allowPrivate })
  const links = openLinks({ store, runtime, wall, secretKey })
  let sweep = scheduleSweep()
  function scheduleSweep(): Timer {
    return runtime.after(limits.unusedTokenSweepEveryMs, () => {
      links.sweep().catch(onTrouble)
      accounts.sweep().catch(onTrouble)
      agents.sweep().catch(onTrouble)
      sweep = scheduleSweep()
    })
  }
  return {
    access: openAccessControl({ store, runtime, onTrouble }),
    accounts,
    agents,
    library: openLibrary({ store, runtime }),
    links,
    close: () => sweep.cancel(),
  }
}
