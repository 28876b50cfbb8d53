/**
 * Judges live updates before they are applied, against the document and the updates admitted before
 * them that wait for the disk. Invariants: what is admitted applies in Yjs without throwing and
 * leaves nothing pending; judging costs time and memory in proportion to the update, never to the
 * document; the Y.Doc is only read. Who wrote a character is not judged beyond the clientID: the
 * authorship projection corrects forged marks. Roles are the caller's business.
 */
import type * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { type Limits, limits } from '../../../schema/limits.ts'
import { finish, type Steps } from '../../../schema/steps.ts'
import { type Ahead, type Found, foundIn, type Looking } from './ahead.ts'
import { Effort, Judged } from './effort.ts'
import { Integration } from './integration.ts'
import { Known } from './known.ts'
import { partingOf, type Removal } from './parting.ts'
import { trimUpdate } from './trim.ts'
import { Costly, Gap, type RefusalClose, Unfit } from './unfit.ts'
import {
  type DeletedRange,
  type ParsedUpdate,
  readingUpdate,
  readStateVector,
  readUpdate,
  type Section,
} from './update-reader.ts'

/** What the open document tells the guard. */
export interface GuardHost {
  readonly ydoc: Y.Doc
  /** Whom this clientID is credited to for ever, or reserved for; undefined when it is free. */
  ownerOf(client: number): ActorId | undefined
  /** Those of the service when left out. */
  readonly limits?: Limits | undefined
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
  /** Of these the looks at what is there already, not at the structs that come and go. */
  readonly walks: number
  /** Structs that it brings and ranges that it deletes. */
  readonly pieces: number
  /** Texts, elements and lists of the document in which it is the first since the last batch. */
  readonly holders: number
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
  /** Takes more looks than it was given. */
  | { readonly kind: 'costly' }
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
  /** Steps that it may take to merge. Default: as many as any update may, alone. */
  readonly effortMax?: number
  /** Asked last, of an update that could be admitted. Default: yes. */
  readonly accepts?: ((facts: UpdateFacts) => boolean) | undefined
  /** Whether the sender may be the first to use this free clientID. Default: any. */
  readonly mayClaim?: ((client: number) => boolean) | undefined
}

/** Steps that merging any one update may take: a sixth of a second where they are dearest. */
export const effortMax = 160_000

/**
 * And so many more for the structs themselves that come and go, one each: ten thousand blocks that
 * become a list are a hundred thousand.
 */
const ownEffortMax = 120_000

/** ClientIDs that one update may claim: an offline copy has one for each time it was opened. */
const claimsMax = 256

export class Guard {
  readonly #host: GuardHost
  readonly #limits: Limits
  readonly #known: Known
  readonly #claimed = new Map<number, ActorId>()
  #judged: Judged | undefined
  /** Of the update that was looked through last, if nothing was judged or applied since. */
  #ahead: Ahead | undefined
  /** Of large updates what was read of them, or why they cannot be read. */
  readonly #large = new WeakMap<Uint8Array, ParsedUpdate | Unfit>()

  constructor(host: GuardHost) {
    this.#host = host
    this.#limits = host.limits ?? limits
    this.#known = new Known(host.ydoc)
  }

  /** Whether an update takes long enough to be taken in several turns of the event loop. */
  isLarge({ length }: Uint8Array): boolean {
    return length >= 2 * this.#limits.updatePartBytes
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
      if (error instanceof Costly) return costly(error, options)
      if (!(error instanceof Gap)) throw error
      if (options.mayPark) return { kind: 'park' }
      return { kind: 'refuse', close: 4409, reason: error.message }
    } finally {
      this.#known.dropDraft()
      this.#ahead = undefined
      if (this.#known.isApplied) this.#judged = undefined
    }
  }

  /**
   * Looks through a large update in steps, for `judge` with as much effort in the tick of the last
   * one. Between two steps nothing of it is known; nobody may write to the document meanwhile, nor
   * have another judged. Never throws.
   */
  *preparing(update: Uint8Array, actor: ActorId, most: number): Steps<void> {
    if (update.length > limits.socketMessageMaxBytes) return
    if (this.#known.isApplied) this.#judged = undefined
    try {
      yield* this.reading(update)
      const parsed = this.#read(update)
      this.#claims(parsed.sections, actor)
      const looking = this.#look(parsed, most)
      while (!looking.integration.step(this.#limits.judgedAtOnce)) yield* this.#aside()
      const found = { ...looking, deletes: yield* this.#deleting(looking) }
      this.#ahead = { update, most, found, takeBack: this.#known.setAside() }
    } catch (error) {
      if (!(error instanceof Unfit || error instanceof Costly || error instanceof Gap)) throw error
      this.#ahead = { update, most, found: error, takeBack: () => undefined }
    } finally {
      this.#known.dropDraft()
    }
  }

  *#aside(): Steps<void> {
    const takeBack = this.#known.setAside()
    yield
    takeBack()
  }

  /**
   * Finds, in steps like those of `preparing`, the parts in which a large update may be judged and
   * applied, one after the other; the update itself when it has to go whole, or is to be refused as
   * a whole. `mayComeLast`: whether what is deleted may be deleted after, not with, what comes with
   * that.
   */
  *parting(
    update: Uint8Array,
    actor: ActorId,
    mayComeLast: (removal: Removal) => boolean,
  ): Steps<readonly Uint8Array[]> {
    if (!this.isLarge(update) || update.length > limits.socketMessageMaxBytes) return [update]
    try {
      const parsed = this.#read(update)
      this.#claims(parsed.sections, actor)
      const facts = { known: this.#known, limits: this.#limits, mayComeLast }
      return (yield* partingOf(update, parsed, facts)) ?? [update]
    } catch (error) {
      if (error instanceof Unfit) return [update]
      throw error
    }
  }

  /** The admitted updates are all applied (or all given up): the document alone is known again. */
  settled(): void {
    this.#known.settled()
    if (this.#claimed.size > 0) this.#claimed.clear()
    this.#judged = undefined
    this.#ahead = undefined
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

  /** Reads a large update in steps, before it is judged. Never throws. */
  *reading(update: Uint8Array): Steps<void> {
    if (this.#large.has(update) || update.length > limits.socketMessageMaxBytes) return
    try {
      this.#large.set(update, yield* readingUpdate(update))
    } catch (error) {
      this.#large.set(update, unfitFrom(error))
    }
  }

  /** A large update is looked at several times, and read once. */
  #read(update: Uint8Array): ParsedUpdate {
    if (this.isLarge(update)) finish(this.reading(update))
    const parsed = this.#large.get(update) ?? read(() => readUpdate(update))
    if (parsed instanceof Unfit) throw parsed
    return parsed
  }

  #judge(update: Uint8Array, actor: ActorId, options: JudgeOptions): Verdict {
    const { discard, mayClaim, effortMax: most = effortMax } = options
    const parsed = this.#read(update)
    const claims = this.#claims(parsed.sections, actor)
    if (mayClaim !== undefined && !claims.every(mayClaim)) {
      throw new Unfit(4409, 'this copy has a history that is not of this document')
    }
    const ahead = this.#ahead
    const isAhead = ahead?.update === update && ahead.most === most
    const { effort, integration, deletes } = isAhead
      ? foundIn(ahead)
      : this.#lookAtOnce(parsed, most)
    const { parts } = integration
    const facts: UpdateFacts = {
      claims,
      inserts: integration.inserts,
      deletes,
      changesNothing: parts.length === 0 && !deletes,
      effort: effort.looks,
      walks: effort.walks,
      pieces: integration.structs + parsed.deleted.length,
      holders: effort.holders,
      insertedBytes: integration.insertedBytes,
      blocks: integration.blocks,
      clients: parts.map(({ section, from, to }) => ({ client: section.client, from, to })),
    }
    if (options.accepts?.(facts) === false) return { kind: 'declined', facts }
    this.#large.delete(update)
    if (discard !== true) {
      this.#known.admitDraft()
      effort.admit()
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

  #look(parsed: ParsedUpdate, most: number): Looking {
    this.#judged ??= new Judged()
    const ownMax = most < effortMax ? 0 : ownEffortMax
    const effort = new Effort(this.#known, this.#judged, { effortMax: most, ownMax })
    return { parsed, effort, integration: new Integration(this.#known, effort, parsed.sections) }
  }

  #lookAtOnce(parsed: ParsedUpdate, most: number): Found {
    const { effort, integration } = this.#look(parsed, most)
    integration.step(Number.POSITIVE_INFINITY)
    let deletes = false
    for (const range of parsed.deleted) {
      this.#checkKnown(range)
      if (effort.delete(range)) deletes = true
    }
    return { effort, integration, deletes }
  }

  *#deleting({ parsed, effort }: Looking): Steps<boolean> {
    let deletes = false
    let looked = 0
    for (const range of parsed.deleted) {
      this.#checkKnown(range)
      for (const isLive of effort.deleting(range)) {
        if (isLive) deletes = true
        if (++looked % this.#limits.judgedAtOnce === 0) yield* this.#aside()
      }
    }
    return deletes
  }

  #checkKnown({ client, end }: DeletedRange): void {
    if (end > this.#known.next(client)) throw new Gap('what is deleted is unknown')
  }
}

const costly = (error: Costly, options: JudgeOptions): Verdict =>
  options.effortMax === undefined || options.effortMax >= effortMax
    ? { kind: 'refuse', close: 4413, reason: error.message }
    : { kind: 'costly' }

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
