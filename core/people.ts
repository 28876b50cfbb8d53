/**
 * Everything about people and agents that the layers above are given: six ports, opened together,
 * and the one timer that deletes what time has ended.
 */
import type { Store } from '../persistence/store.ts'
import { Refusal } from '../schema/errors.ts'
import { type ActorId, randomName } from '../schema/ids.ts'
import type { Runtime, Timer } from '../schema/runtime.ts'
import { type AccessControl, openAccessControl } from './access/access-control.ts'
import { type AccountDocuments, AccountWorker } from './access/account-work.ts'
import { documentsOf, endWhereMade, type HandOver } from './access/passing-on.ts'
import { type Accounts, openAccounts } from './accounts/accounts.ts'
import { revokeAllOwnerKeys } from './accounts/owner-keys.ts'
import { openPasswords, pooledScrypt, type Scrypt, type ScryptCost } from './accounts/passwords.ts'
import { type Agents, openAgents } from './agents/agents.ts'
import { type Library, openLibrary } from './library/library.ts'
import { type Links, openLinks } from './links/links.ts'
import { alone, type OnDuty } from './nodes/duties.ts'
import { urlProblem } from './outbound/outbound.ts'
import { type Outbox, openOutbox } from './outbox/outbox.ts'
import { derivedSecret, type SecretKey } from './records/secrets.ts'
import { Uses } from './records/uses.ts'
import { steadyRuntime } from './runtime/steady-runtime.ts'
import { eventQueue } from './webhooks/event-queue.ts'
import type { Wake } from './webhooks/waiting-delivery.ts'
import { openWebhooks, type WebhookSending, type Webhooks } from './webhooks/webhooks.ts'

export const unusedTokenSweepEveryMs = 3_600_000

/** Documents of a guest are counted so far before they are offered. */
const guestDocumentsCounted = 1_000

export interface People {
  readonly access: AccessControl
  readonly accounts: Accounts
  readonly agents: Agents
  readonly library: Library
  readonly links: Links
  readonly outbox: Outbox
  readonly secrets: Secrets
  readonly webhooks: Webhooks
  /** Ends the work in the background, and stores what was noted of uses. */
  close(): Promise<void>
}

/** Secrets that can be told again, from an id that tells nobody else anything. */
export interface Secrets {
  make(prefix: 'as' | 'ark'): { readonly id: string; readonly secret: string }
  again(prefix: 'as' | 'ark', id: string): string
}

const secretsOf = (runtime: Runtime, key: SecretKey): Secrets => ({
  make(prefix) {
    const id = `sec_${randomName(runtime, 20)}`
    return { id, secret: derivedSecret(key, prefix, id) }
  },
  again: (prefix, id) => derivedSecret(key, prefix, id),
})

const nobodys: AccountDocuments = {
  record: () => Promise.reject(new Refusal('UNAVAILABLE')),
  changeLife: () => Promise.reject(new Refusal('UNAVAILABLE')),
}

export function openPeople(given: {
  readonly store: Store
  readonly runtime: Runtime
  /** At least 32 bytes. */
  readonly secretKey: SecretKey
  /** Hashes passwords, away from this turn of the event loop. */
  readonly scrypt?: Scrypt | undefined
  /** What hashing a new password may take; the usual unless a test is in a hurry. */
  readonly passwordCost?: ScryptCost | undefined
  /** What becomes of documents when accounts join or end; without them that waits. */
  readonly documents?: AccountDocuments | undefined
  /** What sends the events of agents; without it they wait. */
  readonly webhooks?: WebhookSending | undefined
  /** Work that one process does for all that share the store; here where there is one. */
  readonly onDuty?: OnDuty | undefined
  /** Told when work in the background failed (for the log); it is tried again later. */
  readonly onTrouble?: (error: unknown) => void
}): People {
  const { store, secretKey, runtime: wall, onDuty = alone, onTrouble = () => {} } = given
  const outbound = given.webhooks?.outbound ?? { problem: async (url: string) => urlProblem(url) }
  const runtime = steadyRuntime(wall)
  const uses = new Uses({ store, runtime, onTrouble })
  const documents = given.documents ?? nobodys
  const links = openLinks({ store, runtime, wall, secretKey, uses })
  const handOver: HandOver = (plan, slug, { from, to }) =>
    links.handOver(plan, slug, { from: { actor: from }, to: to && { actor: to } })
  const endMade = (actor: ActorId) => endWhereMade({ store, handOver }, actor)
  const agents = openAgents({ store, runtime, secretKey, outbound, uses, endMade })
  const library = openLibrary({ store, runtime, uses, endMade })
  const endBelongings = async (accountId: string) => {
    await revokeAllOwnerKeys(store, accountId)
    await agents.deleteAllOf(accountId)
    await library.endOf(accountId)
  }
  const worker = new AccountWorker({
    ...{ store, runtime, documents, endBelongings, handOver, onTrouble },
  })
  const accounts = openAccounts({
    store,
    runtime,
    uses,
    passwords: openPasswords({
      runtime,
      scrypt: given.scrypt ?? pooledScrypt,
      cost: given.passwordCost,
    }),
    countDocuments: async (actor) =>
      (await documentsOf(store, actor, guestDocumentsCounted)).length,
    work: (accountId) => worker.run(accountId),
  })
  const former = links.recordFormerMakers().catch(onTrouble)
  const wake: Wake = (queued, version) => webhooks.wake(queued, version)
  const alsoMade = eventQueue({ store, runtime, wake })
  const outbox = openOutbox({ store, runtime, onDuty, onTrouble, alsoMade })
  const access = openAccessControl({ store, runtime, secretKey, uses, onTrouble })
  const webhooks: Webhooks = openWebhooks({
    store,
    runtime,
    wall,
    secretKey,
    hasOwnPart: access.hasOwnPart,
    onDuty,
    onTrouble,
    sending: given.webhooks,
  })
  const sweeping = onDuty('sweeps', () => {
    worker.resume().catch(onTrouble)
    let sweep = scheduleSweep()
    function scheduleSweep(): Timer {
      return runtime.after(unusedTokenSweepEveryMs, () => {
        links.sweep().catch(onTrouble)
        accounts.sweep().catch(onTrouble)
        worker.resume().catch(onTrouble)
        agents.sweep().catch(onTrouble)
        sweep = scheduleSweep()
      })
    }
    return { close: async () => sweep.cancel() }
  })
  return {
    access,
    accounts,
    agents,
    library,
    links,
    outbox,
    secrets: secretsOf(runtime, secretKey),
    webhooks,
    async close() {
      await sweeping.close()
      await webhooks.close()
      await outbox.close()
      await worker.close()
      await former
      await uses.close()
    },
  }
}
