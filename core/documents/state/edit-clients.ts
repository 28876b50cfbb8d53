/**
 * The clientIDs under which edits of actors are written that do not come from a copy of their own:
 * one for each, new at every load. They are high ones: of two writes at one place Yjs puts the
 * lower one to the left, so what somebody types while an agent appends there, or while a neighbour
 * is corrected, stays in their run.
 */
import type * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { clockOf } from '../../../schema/yjs/structs.ts'
import type { Authorship } from '../authorship/authorship.ts'

/** The top 2^24 clientIDs: one in 256 editors has one too. */
const highClients = 0xff000000

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
    const client = this.#free()
    this.#clients.set(actor, client)
    this.#parts.authorship.claim(client, actor)
    return client
  }

  #free(): number {
    const { ydoc, authorship, runtime } = this.#parts
    for (;;) {
      const bytes = runtime.randomBytes(4)
      const drawn = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
      const client = (drawn | highClients) >>> 0
      const taken = clockOf(ydoc, client) > 0 || authorship.ownerOf(client)
      if (!taken) return client
    }
  }
}
