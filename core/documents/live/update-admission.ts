/**
 * Judges one session's updates, one after the other, and says which cannot be decided yet. What
 * depends on what waits is never a refusal: it is judged again when that is applied or stored. An
 * update that nobody can take for ten seconds is given up, and its sender may try again.
 */
import { errorCatalogue } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { JudgeOptions, UpdateFacts } from '../guard/guard.ts'
import type { LiveDocument } from './live-document.ts'

/** An update that nobody can take for so long ends its socket: try again later. */
const heldUpdateMaxMs = 10_000

export type Judgement =
  | { readonly kind: 'admit'; readonly update: Uint8Array; readonly facts: UpdateFacts }
  | { readonly kind: 'refuse'; readonly close: number; readonly reason: string }
  | { readonly kind: 'park' }
  /** To be judged again when this resolves; false: given up. */
  | { readonly kind: 'later'; readonly wait: Promise<boolean> }

export interface AdmissionHost {
  /** The one that is open now. */
  document(): LiveDocument
  readonly runtime: Runtime
}

export class UpdateAdmission {
  readonly #host: AdmissionHost
  /** The update that is tried again and again, and since when. */
  #held: { readonly update: Uint8Array; readonly since: number } | undefined

  constructor(host: AdmissionHost) {
    this.#host = host
  }

  judge(
    update: Uint8Array,
    actor: ActorId,
    options: Pick<JudgeOptions, 'mayPark' | 'discard' | 'mayClaim'>,
  ): Judgement {
    const { guard, intake } = this.#host.document()
    const { waiting } = intake
    if (waiting.isFull) return this.#behindOthers(update)
    const hasRoom = ({ inserts, insertedBytes: bytes, blocks }: UpdateFacts): boolean =>
      !inserts || intake.hasRoomFor({ bytes, blocks })
    const accepts = options.discard === true ? undefined : hasRoom
    const verdict = guard.judge(update, actor, { ...options, accepts })
    const isRefused = verdict.kind === 'refuse' || verdict.kind === 'declined'
    if (isRefused && waiting.length > 0) return this.#behindOthers(update)
    this.#held = undefined
    if (verdict.kind !== 'declined') return verdict
    const { close = 4413 } = errorCatalogue.PAYLOAD_TOO_LARGE
    return { kind: 'refuse', close, reason: 'PAYLOAD_TOO_LARGE' }
  }

  #behindOthers(update: Uint8Array): Judgement {
    const now = this.#host.runtime.elapsed()
    if (this.#held?.update !== update) this.#held = { update, since: now }
    const left = this.#held.since + heldUpdateMaxMs - now
    return { kind: 'later', wait: this.#patiently(left) }
  }

  /** False: the time is over. */
  #patiently(ms: number): Promise<boolean> {
    const { runtime, document } = this.#host
    return new Promise((resolve) => {
      const timer = runtime.after(Math.max(0, ms), () => resolve(false))
      void document()
        .intake.waiting.hold()
        .then(() => {
          timer.cancel()
          resolve(true)
        })
    })
  }
}
