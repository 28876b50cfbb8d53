/** Registered agents, as the layers above see them (interface §4.12). */
import type { Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type RegisteredAgent, registerAgent } from './registration.ts'

export interface Agents {
  /** `name` has passed `displayNameFrom`. Refuses HANDLE_TAKEN. */
  register(request: {
    readonly name: string
    readonly handle?: string | undefined
  }): Promise<RegisteredAgent>
}

export const openAgents = (options: {
  readonly store: Store
  readonly runtime: Runtime
}): Agents => ({ register: (request) => registerAgent(options, request) })
