/**
 * The clientIDs of one live session: those it announced are reserved for whom its credential stands
 * for, and follow it when that changes. A document is handed over for each call.
 */
import { type ActorId, unattributed } from '../../../schema/ids.ts'
import type { Authorship } from '../authorship/authorship.ts'
import type { SessionFacts } from './live-peers.ts'

export class SessionClients {
  readonly #facts: SessionFacts
  readonly #reserved = new Set<number>()
  /** The one clientID of a peer that announces none. */
  #unannounced: number | undefined
  /** As whom they are reserved. */
  #renewedAs: ActorId | undefined

  constructor(facts: SessionFacts) {
    this.#facts = facts
  }

  get actor(): ActorId {
    return this.#facts.access.actor ?? unattributed
  }

  /** Answers those that are not somebody else's. */
  reserve(clients: readonly number[], authorship: Authorship): readonly number[] {
    const { holder, sources } = this.#facts.access
    const claimant = { holder, actor: this.actor, source: sources.address }
    const ours = clients.filter((client) => authorship.reserve(client, claimant))
    for (const client of ours) this.#reserved.add(client)
    return ours
  }

  /**
   * A credential may take an account after it announced its clientIDs, on this socket or on one
   * that has not ended yet: they follow it.
   */
  renew(authorship: Authorship): void {
    if (this.#renewedAs === this.actor) return
    this.#renewedAs = this.actor
    authorship.renewReservations(this.#facts.access.holder, this.actor)
  }

  /**
   * A free clientID is the peer's own when it announced it, or when its copy is known to be of this
   * document's present life (then it is an earlier offline page's). Else it is a stranger's: of
   * another document, or of what a restore has undone.
   */
  readonly mayClaim = (client: number): boolean => {
    if (this.#facts.knowsEpoch || this.#reserved.has(client)) return true
    if (this.#reserved.size > 0) return false
    this.#unannounced ??= client
    return this.#unannounced === client
  }
}
