/**
 * One document as this browser has it: the copy that is edited, whether it is saved, what this
 * person may do with it, and who else is there. It knows nothing of ProseMirror or React; the
 * editor and the chrome read its stores.
 */
import type { Account } from '../api/account.ts'
import type { Flags } from '../api/life.ts'
import type { Readable } from '../platform/store.ts'
import type { LiveEvent, Role } from './event-socket.ts'
import type { Copy } from './live-copy.ts'
import type { LostText } from './lost-text.ts'
import type { Outgoing } from './outgoing.ts'
import type { Peer } from './presence.ts'
import type { SaveState } from './save-state.ts'

export type { Role } from './event-socket.ts'
export type { Copy } from './live-copy.ts'
export type { LostText } from './lost-text.ts'
export type { Peer } from './presence.ts'
export type { SaveState } from './save-state.ts'

export interface DocumentSession {
  readonly slug: string
  readonly copy: Readable<Copy>
  readonly saveState: Readable<SaveState>
  /** Whoever sends something else than text tells it here. */
  readonly outgoing: Outgoing
  /** This browser's part in the document; `undefined` until the service, or the kept copy, said. */
  readonly role: Readable<Role | undefined>
  /** What the owner has set for everybody; `undefined` until the service said. */
  readonly flags: Readable<Flags | undefined>
  /** Whether what is typed now has a chance: there is a text, and this person may change it. */
  readonly canWrite: Readable<boolean>
  readonly account: Readable<Account | undefined>
  /** True once there is a text: the service's copy, or the one that this device kept. */
  readonly synced: Readable<boolean>
  /** True once the service's copy has arrived: what comes in from now on is somebody's edit. */
  readonly hasArrived: Readable<boolean>
  /** The others who are here, whoever was active last first. */
  readonly peers: Readable<readonly Peer[]>
  /** How many more people are here, of whom the service shows nothing. */
  readonly hidden: Readable<number>
  /** This person writes under a name that was made up, and has not been told yet. */
  readonly hasMadeUpName: Readable<boolean>
  /** What was written here and did not come into the document. */
  readonly lostText: Readable<LostText | undefined>
  /** Takes a guest account of that name, or renames the account; what was held back goes out. */
  giveName(name: string): Promise<void>
  /** Has an account from then on, a guest's where there is none: what is done is somebody's. */
  takeAccount(): Promise<void>
  /** The made-up name is good as it is. */
  keepName(): void
  /** Whether the service has all that was written here; waits for it, but not for long. */
  allSaved(): Promise<boolean>
  /** This browser has another session, as after signing in: goes on here as that account. */
  becameAccount(account: Account): void
  dismissLostText(): void
  signOut(): Promise<void>
  onEvent(listener: (event: LiveEvent) => void): () => void
  close(): void
}
