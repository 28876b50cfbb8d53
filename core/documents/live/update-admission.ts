/**
 * Judges one session's updates, one after the other, and says which cannot be decided yet. What
 * depends on what waits, or on what others have used up, is never a refusal: it is judged again
 * when that is applied, alone, or when there is a share of the event loop for it. An update that
 * nobody can take for ten seconds, or for which there is no share for thirty, is given up, and its
 * sender may try again.
 */
import { errorCatalogue } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { Steps } from '../../../schema/steps.ts'
import { Turns } from '../../turns/turns.ts'
import { effortMax, type JudgeOptions, type UpdateFacts } from '../guard/guard.ts'
import type { Budget } from './budgets.ts'
import type { Arrival } from './inbox.ts'
import type { LiveDocument } from './live-document.ts'
import { holdOf, priceOf, stepsIn } from './price.ts'
import type { Held, UpdateQueue } from './update-queue.ts'

export type Judgement =
  | {
      readonly kind: 'admit'
      readonly update: Uint8Array
      readonly facts: UpdateFacts
      /** How long applying it holds the event loop, about, in microseconds. */
      readonly micros: number
    }
  | { readonly kind: 'refuse'; readonly close: number; readonly reason: string }
  | { readonly kind: 'park' }
  /** To be judged again when this resolves; false: given up. */
  | { readonly kind: 'later'; readonly wait: Promise<boolean> }

export interface AdmissionHost {
  /** The one that is open now. */
  document(): LiveDocument
  readonly budget: Budget
  readonly runtime: Runtime
}

/** Of the update at hand, while it is tried again and again. */
interface Attempt {
  readonly update: Uint8Array
  /** When it came, or last got on. */
  since: number
  held: { readonly place: Held; readonly queue: UpdateQueue } | undefined
  /** It has its share of the event loop. */
  isCredited: boolean
}

/** Reading a larger one is costly before anything is known of it. */
const readFreelyBytes = 64 * 1024
const readMicrosPerByte = 1 / 5
/** An update of more bytes is not small, whatever it does. */
const smallBytes = 1024
/** The least that a struct of an honest block takes on the wire. */
const wireBytesPerBlock = 40

export class UpdateAdmission {
  readonly #host: AdmissionHost
  #attempt: Attempt | undefined

  constructor(host: AdmissionHost) {
    this.#host = host
  }

  /** Undefined: it may be read now. Else when this resolves; false: given up. */
  mayRead(update: Uint8Array): Promise<boolean> | undefined {
    return this.#host.document().guard.isLarge(update) ? this.#prepare(update) : undefined
  }

  /** Reads it ahead, in turns. The share for reading is the one for taking it too. */
  async #prepare(update: Uint8Array): Promise<boolean> {
    const { budget, runtime } = this.#host
    const document = this.#host.document()
    const attempt = this.#attemptOf(update)
    if (update.length > readFreelyBytes) {
      if (!budget.mayGo && !(await this.#patientlyForShare(budget.turn(), attempt))) return false
      budget.spend(update.length * readMicrosPerByte)
      this.#credit(attempt)
    }
    const turns = new Turns(runtime)
    await turns.next()
    await turns.take(document.guard.reading(update))
    const { waiting } = document.intake
    // Where it is cut, and whether there is room, depends on what is there only in part.
    while (waiting.isApplying && !document.isDead) {
      if (!(await this.#patiently(waiting.hold().wait(), attempt.since))) return false
    }
    return true
  }

  /** The parts in which it is taken, found in steps that hold the document. */
  *parting(update: Uint8Array, actor: ActorId): Steps<readonly Uint8Array[]> {
    const { intake } = this.#host.document()
    if (!this.#hasRoomFor(update)) return [update]
    intake.waiting.judging()
    try {
      return yield* intake.parting(update, actor)
    } finally {
      intake.waiting.applied()
    }
  }

  /** Whether the document surely has room for all that an update can bring. */
  #hasRoomFor({ length }: Uint8Array): boolean {
    return this.#host.document().intake.hasRoomFor({
      bytes: length,
      blocks: Math.floor(length / wireBytesPerBlock),
    })
  }

  /** Looks through a large update in steps that hold the document; `judge` it in the last one. */
  *preparing(update: Uint8Array, actor: ActorId): Steps<void> {
    const { guard, intake } = this.#host.document()
    const attempt = this.#attemptOf(update)
    if (this.#isFullFor(attempt)) return
    intake.waiting.judging()
    try {
      yield* guard.preparing(update, actor, mostEffort(attempt))
    } finally {
      intake.waiting.applied()
    }
  }

  judge(
    arrival: Pick<Arrival, 'update' | 'isPart' | 'isLarge'>,
    actor: ActorId,
    options: JudgeOptions,
  ): Judgement {
    const { update, isPart } = arrival
    const { budget } = this.#host
    const document = this.#host.document()
    const attempt = this.#attemptOf(update)
    if (this.#isFullFor(attempt)) return this.#behindOthers(attempt)
    let declined: 'share' | 'room' | undefined
    const accepts = (facts: UpdateFacts): boolean => {
      const isCheap = holdOf(facts, update.length) <= limits.costlyFromMicros
      if (!isCheap && !attempt.isCredited) declined = 'share'
      else if (facts.inserts && !this.#hasRoom(facts, isPart)) declined = 'room'
      return declined === undefined
    }
    const verdict = document.guard.judge(update, actor, {
      mayPark: options.mayPark,
      discard: options.discard,
      mayClaim: options.mayClaim,
      effortMax: mostEffort(attempt),
      accepts: options.discard === true ? undefined : accepts,
    })
    switch (verdict.kind) {
      case 'admit':
        return this.#admitted(verdict, attempt)
      case 'park':
        this.#attempt = undefined
        return verdict
      case 'refuse':
        if (document.intake.waiting.length > 0) return this.#behindOthers(attempt)
        return verdict
      case 'costly':
      case 'declined':
        if (declined === 'room') return this.#withoutRoom(attempt)
        if (!budget.mayGo) {
          return { kind: 'later', wait: this.#patientlyForShare(this.#share(attempt), attempt) }
        }
        this.#credit(attempt)
        // What is large is looked through with more effort first.
        if (arrival.isLarge) return { kind: 'later', wait: Promise.resolve(true) }
        return this.judge(arrival, actor, options)
    }
  }

  #isFullFor({ update, isCredited }: Attempt): boolean {
    const isSmall = update.length <= smallBytes && !isCredited
    return this.#host.document().intake.waiting.isFullFor(isSmall)
  }

  #admitted(
    { update, facts }: { readonly update: Uint8Array; readonly facts: UpdateFacts },
    attempt: Attempt,
  ): Judgement {
    const { budget } = this.#host
    const micros = holdOf(facts, attempt.update.length)
    if (attempt.isCredited) budget.spend(micros, priceOf(facts, attempt.update.length))
    else budget.charge(micros)
    this.#attempt = undefined
    return { kind: 'admit', update, facts, micros }
  }

  #withoutRoom(attempt: Attempt): Judgement {
    if (this.#host.document().intake.waiting.length > 0) return this.#behindOthers(attempt)
    const { close = 4413 } = errorCatalogue.PAYLOAD_TOO_LARGE
    return { kind: 'refuse', close, reason: 'PAYLOAD_TOO_LARGE' }
  }

  /** A part of what had room as a whole finds it, but for nodes, which are only counted here. */
  #hasRoom({ insertedBytes, blocks }: UpdateFacts, isPart: boolean): boolean {
    return this.#host.document().intake.hasRoomFor({ bytes: isPart ? 0 : insertedBytes, blocks })
  }

  #behindOthers(attempt: Attempt): Judgement {
    const queue = this.#host.document().intake.waiting
    if (attempt.held?.queue !== queue) attempt.held = { place: queue.hold(), queue }
    return this.#later(attempt.held.place.wait(), attempt)
  }

  async #share(attempt: Attempt): Promise<void> {
    await this.#host.budget.turn()
    this.#credit(attempt)
  }

  #credit(attempt: Attempt): void {
    attempt.isCredited = true
    attempt.since = this.#host.runtime.elapsed()
  }

  #later(wait: Promise<void>, attempt: Attempt): Judgement {
    return { kind: 'later', wait: this.#patiently(wait, attempt.since) }
  }

  /** Its turn comes with time, whatever others do; the line is kept until then. */
  #patientlyForShare(wait: Promise<void>, { since }: Attempt): Promise<boolean> {
    return this.#patiently(wait, since, limits.shareWaitMaxMs)
  }

  async #patiently(
    wait: Promise<void>,
    since: number,
    maxMs = limits.heldUpdateMaxMs,
  ): Promise<boolean> {
    const { runtime } = this.#host
    const document = this.#host.document()
    const left = Math.max(0, since + maxMs - runtime.elapsed())
    let isOver = false
    const over = new Promise<void>((resolve) => {
      const look = () => {
        // While what others sent is being applied there is progress.
        if (document.intake.waiting.isApplying && !document.isDead) {
          timer = runtime.after(lookAgainMs, look)
          return
        }
        isOver = true
        resolve()
      }
      let timer = runtime.after(left, look)
      void wait.then(() => timer.cancel())
    })
    await Promise.race([wait, over])
    return !isOver
  }

  #attemptOf(update: Uint8Array): Attempt {
    if (this.#attempt?.update === update) return this.#attempt
    const since = this.#host.runtime.elapsed()
    this.#attempt = { update, since, held: undefined, isCredited: false }
    return this.#attempt
  }
}

const mostEffort = ({ isCredited }: Attempt): number => (isCredited ? effortMax : cheapEffort)

const lookAgainMs = 200

/** What an update may take without a share, in the guard's steps. */
const cheapEffort = stepsIn(limits.costlyFromMicros)
