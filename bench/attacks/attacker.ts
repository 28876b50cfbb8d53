/**
 * The attacker: a process of its own with any number of identities and sockets, one address and one
 * outlet. Does its order and answers what it saw. Runs below the honest processes, so that what
 * they measure is the service's doing and not the shared core's.
 */
import { constants, getPriority, setPriority } from 'node:os'
import type { Attack, AttackerOrder, AttackKind, Facts } from './order.ts'
import { Outlet, pause } from './outlet.ts'
import { floodPresence, floodQueries, nestBrackets } from './presence.ts'
import { floodRecords } from './records.ts'
import { floodCreates, floodDryRuns, floodSignIns } from './requests.ts'
import { floodRootRules } from './root-rules.ts'
import { takeStep } from './single-steps.ts'
import { sendSlowly } from './slow.ts'
import { squat } from './squat.ts'
import { floodStep1 } from './step1.ts'

const kinds: Readonly<Record<AttackKind, (outlet: Outlet, attack: Attack) => Promise<Facts>>> = {
  creates: floodCreates,
  'dry-runs': floodDryRuns,
  brackets: nestBrackets,
  'root-rules': floodRootRules,
  presence: floodPresence,
  queries: floodQueries,
  step1: floodStep1,
  squat,
  records: floodRecords,
  slow: sendSlowly,
  'sign-ins': floodSignIns,
  steps: takeStep,
}

/** Facts of attacks that went wrong in themselves count too: a silent attacker proves nothing. */
async function once(outlet: Outlet, attack: Attack): Promise<Facts> {
  try {
    return await kinds[attack.kind](outlet, attack)
  } catch (error) {
    console.error(attack.kind, error)
    return { failed: 1 }
  }
}

function add(all: Record<string, number>, kind: AttackKind, facts: Facts): void {
  for (const [name, value] of Object.entries(facts)) {
    const key = `${kind}: ${name}`
    all[key] = (all[key] ?? 0) + value
  }
}

async function carryOut(order: AttackerOrder): Promise<Facts> {
  const outlet = new Outlet(order)
  const all: Record<string, number> = {}
  const until = performance.now() + (order.seconds ?? 0) * 1000
  const again = async (attack: Attack) => {
    do {
      add(all, attack.kind, await once(outlet, attack))
      if (order.seconds !== undefined) await pause(50)
    } while (performance.now() < until)
  }
  const all_ = Promise.all(order.attacks.map(again))
  // Requests that hang would outlast the time that was ordered.
  await (order.seconds === undefined ? all_ : Promise.race([all_, pause(order.seconds * 1000)]))
  outlet.close()
  return { ...all, 'bytes sent': outlet.sentBytes, 'bytes back': outlet.readBytes }
}

setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + 10))
process.on('message', async (order: AttackerOrder) => {
  process.send?.(await carryOut(order))
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
