/**
 * Judges live updates before they are applied, against the document and the updates admitted before
 * them that wait for the disk. Invariants: what is admitted applies in Yjs without throwing and
 * leaves nothing pending; judging costs time and memory in proportion to the update, never to the
 * document; the Y.Doc is only read. Who wrote a character is not judged beyond the clientID: the
 * authorship projection corrects forged marks. Roles are the caller's business.
 */
import type * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { Effort, EffortEstimate } from './effort.ts'
import { Integration } from './integration.ts'
import { KnownStructs } from './known-structs.ts'
import { trimUpdate } from './trim.ts'
import { Costly, Gap, type RefusalClose, Unfit } from './unfit.ts'
import {
  type DeletedRange,
  type ParsedUpdate,
  readStateVector,
  readUpdate,
  type Section,
} from './update-reader.ts'

/** What the open document tells the guard. */
export interface GuardHost {
  readonly ydoc: Y.Doc
  /** Whom this clientID is credited to for ever, or reserved for; undefined when it is free. */
  ownerOf(client: number): ActorId | undefined
}

export interface UpdateFacts {
  /** Free clientIDs whose structs this update is the first to bring. */
  readonly claims: readonly number[]
  /**
   * Brings characters, nodes, marks or attributes, not only deletions or traces of deleted ones.
   */
  readonly inserts: boolean
  /** Deletes something that was not deleted yet. */
  readonly deletes: boolean
  /** Nothing new at all, as a sync step 2 of a copy that is in step. */
  readonly changesNothing: boolean
  /** What it takes to merge beyond its length, in looks at structs of up to a microsecond. */
  readonly effort: number
  /** UTF-8 bytes of the text and of the attributes that it brings. */
  readonly insertedBytes: number
  /** Nodes with an id of their own that it brings. */
  readonly blocks: number
  /** The clocks it brings, `to` exclusive. */
  readonly clients: readonly {
    readonly client: number
    readonly from: number
    readonly to: number
  }[]
}

/** An update the socket does not survive, with the close code (extensions §5). */
export interface Refused {
  readonly kind: 'refuse'
  readonly close: RefusalClose
  readonly reason: string
}

export type Verdict =
  /** Apply `update`, which is what was sent less what is known already. */
  | { readonly kind: 'admit'; readonly update: Uint8Array; readonly facts: UpdateFacts }
  /** Refers to what is not here yet; judge it again later. */
  | { readonly kind: 'park' }
  /** Could be admitted, but `accepts` said no. */
  | { readonly kind: 'declined'; readonly facts: UpdateFacts }
  | Refused

export type VectorVerdict =
  | {
      readonly kind: 'admit'
      readonly isAhead: boolean
      /** By client the clocks that it has of those that are here. */
      readonly known: ReadonlyMap<number, number>
    }
  | Refused

export interface JudgeOptions {
  /** The sender has not yet answered sync step 1, so that earlier structs may still come. */
  readonly mayPark: boolean
  /**
   * Judge only: an admitted update will not be applied, as of a reader's clean-up. Default false.
   */
  readonly discard?: boolean | undefined
  /** Asked last, of an update that could be admitted. Default: yes. */
  readonly accepts?: ((facts: UpdateFacts) => boolean) | undefined
  /** Whether the sender may be the first to use this free clientID. Default: any. */
  readonly mayClaim?: ((client: number) => boolean) | undefined
}

/** Steps that merging any one update may take: a sixth of a second where they are dearest. */
const effortMax = 160_000

/**
 * And so many more for the structs themselves that come and go, one each: ten thousand blocks that
 * become a list are a hundred thousand.
 */
const ownEffortMax = 120_000

/** ClientIDs that one update may claim: an offline copy has one for each time it was opened. */
const claimsMax = 256

interface Looked {
  readonly effort: Effort
  readonly integration: Integration
  /** Whether it deletes anything that is not deleted yet. */
  readonly deletes: boolean
}

export class Guard {
  readonly #host: GuardHost
  readonly #known: KnownStructs
  readonly #claimed = new Map<number, ActorId>()
  #judged: EffortEstimate | undefined

  constructor(host: GuardHost) {
    this.#host = host
    this.#known = new KnownStructs(host.ydoc)
  }

  /** Judges one update of this actor. An admitted one counts as known from now on. Never throws. */
  judge(update: Uint8Array, actor: ActorId, options: JudgeOptions): Verdict {
    if (update.length > limits.socketMessageMaxBytes) {
      return { kind: 'refuse', close: 4413, reason: 'the update is too long' }
    }
    try {
      return this.#judge(update, actor, options)
    } catch (error) {
      if (error instanceof Unfit) return refused(error)
      if (error instanceof Costly) return { kind: 'refuse', close: 4413, reason: error.message }
      if (!(error instanceof Gap)) throw error
      if (options.mayPark) return { kind: 'park' }
      return { kind: 'refuse', close: 4409, reason: error.message }
    } finally {
      this.#known.dropDraft()
      if (this.#known.isApplied) this.#judged = undefined
    }
  }

  /** The admitted updates are all applied (or all given up): the document alone is known again. */
  settled(): void {
    this.#known.settled()
    if (this.#claimed.size > 0) this.#claimed.clear()
    this.#judged = undefined
  }

  /**
   * Judges a peer's state vector (its sync step 1): one that is ahead of the service for a clientID
   * of the service or of another actor is refused with 4409, as after a restore from a backup.
   * `isAhead`: the peer has something that is not here; `known`: what of the document it has.
   */
  judgeStateVector(vector: Uint8Array, actor: ActorId): VectorVerdict {
    if (vector.length > limits.socketMessageMaxBytes) {
      return { kind: 'refuse', close: 4413, reason: 'the state vector is too long' }
    }
    try {
      let isAhead = false
      const known = new Map<number, number>()
      for (const { client, clock } of read(() => readStateVector(vector))) {
        const next = this.#known.next(client)
        if (clock > 0 && next > 0) known.set(client, Math.min(clock, next))
        if (clock <= next) continue
        this.#checkOwner(client, actor)
        isAhead = true
      }
      return { kind: 'admit', isAhead, known }
    } catch (error) {
      if (error instanceof Unfit) return refused(error)
      throw error
    }
  }

  #judge(update: Uint8Array, actor: ActorId, options: JudgeOptions): Verdict {
    const { discard, mayClaim } = options
    const parsed = read(() => readUpdate(update))
    const claims = this.#claims(parsed.sections, actor)
    if (mayClaim !== undefined && !claims.every(mayClaim)) {
      throw new Unfit(4409, 'this copy has a history that is not of this document')
    }
    const { effort, integration, deletes } = this.#look(parsed)
    const { parts } = integration
    const facts: UpdateFacts = {
      claims,
      inserts: integration.inserts,
      deletes,
      changesNothing: parts.length === 0 && !deletes,
      effort: effort.looks,
      insertedBytes: integration.insertedBytes,
      blocks: integration.blocks,
      clients: parts.map(({ section, from, to }) => ({ client: section.client, from, to })),
    }
    if (options.accepts?.(facts) === false) return { kind: 'declined', facts }
    if (discard !== true) {
      this.#known.admitDraft()
      for (const client of claims) this.#claimed.set(client, actor)
    }
    return { kind: 'admit', update: trimUpdate(update, parsed, { parts, deletes }), facts }
  }

  /**
   * Checks that all fresh structs are of clientIDs this actor has or may take; answers the latter.
   */
  #claims(sections: readonly Section[], actor: ActorId): readonly number[] {
    const claims: number[] = []
    for (const { client, structs } of sections) {
      const last = structs.findLast(({ content }) => content.kind !== 'skip')
      if (last === undefined || last.clock + last.length <= this.#known.next(client)) continue
      if (this.#checkOwner(client, actor) === undefined) claims.push(client)
    }
    if (claims.length > claimsMax) throw new Unfit(4413, 'too many clients')
    return claims
  }

  #checkOwner(client: number, actor: ActorId): ActorId | undefined {
    const owner = this.#host.ownerOf(client) ?? this.#claimed.get(client)
    if (owner !== undefined && owner !== actor) {
      // Nobody wrote under it yet: it is only kept for somebody, and not for ever.
      if (this.#known.next(client) === 0) throw new Unfit(1013, 'this clientID is kept for another')
      throw new Unfit(4409, "structs of another's client are not known here")
    }
    return owner
  }

  #look(parsed: ParsedUpdate): Looked {
    this.#judged ??= new EffortEstimate()
    const effort = new Effort(this.#known, this.#judged, { effortMax, ownMax: ownEffortMax })
    const integration = new Integration(this.#known, effort, parsed.sections)
    integration.place()
    let deletes = false
    for (const range of parsed.deleted) {
      this.#checkKnown(range)
      if (effort.delete(range)) deletes = true
    }
    return { effort, integration, deletes }
  }

  #checkKnown({ client, end }: DeletedRange): void {
    if (end > this.#known.next(client)) throw new Gap('what is deleted is unknown')
  }
}

const refused = ({ close, message }: Unfit): Refused => ({ kind: 'refuse', close, reason: message })

/** Whatever the decoders throw on bytes they cannot read is a malformed message. */
function read<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw unfitFrom(error)
  }
}

const unfitFrom = (error: unknown): Unfit =>
  error instanceof Unfit ? error : new Unfit(4403, 'malformed message')
