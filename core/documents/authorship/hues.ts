/**
 * The hue in which an actor's doings in a document are shown (interface §2.6): given at the first
 * write, the same for every reader, kept for good. Knows no text.
 */
import { freestHue, hueCount, ownHue } from '../../../schema/hues.ts'
import type { ActorId } from '../../../schema/ids.ts'
import {
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'

interface GivenHue {
  readonly hue: number
  /** How many had one before. */
  readonly at: number
}

/** Who had written at one moment, and in which hue that is shown. */
export class Writers {
  readonly #hues: ReadonlyMap<ActorId, GivenHue>
  readonly #count: number
  #known: ReadonlyMap<ActorId, number> | undefined

  /** Of these, in their order; whoever is added to them later had not written. */
  constructor(hues: ReadonlyMap<ActorId, GivenHue>) {
    this.#hues = hues
    this.#count = hues.size
  }

  /** Each with the hue, 0 to 9; the ids ascending. */
  get all(): ReadonlyMap<ActorId, number> {
    if (this.#known !== undefined) return this.#known
    const hues = [...this.#hues].map(([actor, { hue }]) => [actor, hue] as const)
    this.#known = new Map(hues.slice(0, this.#count).sort(([a], [b]) => (a < b ? -1 : 1)))
    return this.#known
  }
}

export class Hues implements Participant {
  readonly section = 'hue'
  readonly #hues = new Map<ActorId, GivenHue>()
  /** How many have each hue. */
  readonly #given = Array.from({ length: hueCount }, () => 0)
  readonly #owning: () => Iterable<ActorId>
  #fresh: ActorId[] = []
  /** Until somebody else writes. */
  #now: Writers | undefined

  /** `owning`: who owns what is in the document, in an order that stays. */
  constructor(owning: () => Iterable<ActorId>) {
    this.#owning = owning
  }

  load(records: readonly StoredRecord[]): void {
    for (const record of records) {
      this.#set(record.path[0] as ActorId, recordOf<{ hue: number }>(record).hue)
    }
    // Of before hues were written down: those of these actors are, with the next write.
    for (const actor of this.#owning()) this.give(actor)
  }

  /** The actor has written. */
  give(actor: ActorId): void {
    if (this.#hues.has(actor) || !isShown(actor)) return
    this.#set(actor, freestHue(ownHue(actor), this.#given))
    this.#fresh.push(actor)
  }

  #set(actor: ActorId, hue: number): void {
    this.#hues.set(actor, { hue, at: this.#hues.size })
    this.#now = undefined
    this.#given[hue] = (this.#given[hue] ?? 0) + 1
  }

  commit(_: unknown, records: RecordWriter): void {
    for (const actor of this.#fresh) {
      records.put([actor], jsonRecord({ hue: this.#hues.get(actor)?.hue }))
    }
    this.#fresh = []
  }

  now(): Writers {
    this.#now ??= new Writers(this.#hues)
    return this.#now
  }
}

/** The service writes too, and nobody sees it do so. */
const isShown = (actor: ActorId): boolean => /^(human|ai):/.test(actor)
