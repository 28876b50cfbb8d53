/**
 * The clientIDs under which edits of actors are written that do not come from a copy of their own:
 * one for each, new at every load.
 */
import type * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { clockOf } from '../../yjs/structs.ts'
import type { Authorship } from '../authorship/authorship.ts'
import { serverActor } from './service-actor.ts'

/** The top 2^28 clientIDs. */
const correctionClients = 0xf0000000

export interface EditClientsParts {
  readonly ydoc: Y.Doc
  readonly authorship: Authorship
  readonly runtime: Runtime
}

export class EditClients {
  readonly #parts: EditClientsParts
  readonly #clients = new Map<ActorId, number>()

  constructor(parts: EditClientsParts) {
    this.#parts = parts
  }

  get all(): ReadonlyMap<ActorId, number> {
    return this.#clients
  }

  /** Takes over those of the state that was here before. */
  recall(clients: ReadonlyMap<ActorId, number>): void {
    const { authorship } = this.#parts
    for (const [actor, client] of clients) {
      // Of one under which nothing was stored no record tells whose it is.
      if (authorship.ownerOf(client) === actor) this.#clients.set(actor, client)
    }
  }

  of(actor: ActorId): number {
    const known = this.#clients.get(actor)
    if (known !== undefined) return known
    const client = this.#free(actor === serverActor)
    this.#clients.set(actor, client)
    this.#parts.authorship.claim(client, actor)
    return client
  }

  /**
   * Corrections take a high clientID: of two writes at one place Yjs puts the lower one to the
   * left, so a character typed while its neighbour is corrected stays in its author's run.
   */
  #free(forCorrections: boolean): number {
    const { ydoc, authorship, runtime } = this.#parts
    for (;;) {
      const bytes = runtime.randomBytes(4)
      const drawn = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
      const client = forCorrections ? (drawn | correctionClients) >>> 0 : drawn
      const taken = clockOf(ydoc, client) > 0 || authorship.ownerOf(client)
      if (!taken) return client
    }
  }
}
