/**
 * A follower of changes that outlives the host of its document: where that ends, following begins
 * again, and one change tells of all that it may have missed.
 */
import { errorCatalogue, Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import type { Change, Current, Follower, Following } from '../live/live-peer.ts'

export interface FollowHandleParts {
  readonly follower: Follower
  /** Follows the document where it is now. Refuses what following refuses. */
  follow(follower: Follower): Promise<Following>
  /** Told once when it is over. */
  readonly onEnd: () => void
  /** It could not begin again. */
  readonly onTrouble: (error: unknown) => void
}

export class FollowHandle implements Following, Follower {
  readonly #parts: FollowHandleParts
  #following: Following | undefined
  #revision = 0
  #isBeginning = false
  #isMoved = false
  #isOver = false

  constructor(parts: FollowHandleParts) {
    this.#parts = parts
  }

  /** Refuses what following refuses. */
  async begin(): Promise<this> {
    try {
      await this.#follow()
      return this
    } catch (error) {
      this.#end()
      throw error
    }
  }

  get revision(): number {
    return this.#revision
  }

  stop(): void {
    if (this.#isOver) return
    this.#end()
    this.#following?.stop()
  }

  /** The host is gone, or the document leaves it. */
  moved(): void {
    this.#isMoved = true
    this.#following?.stop()
    this.#following = undefined
    if (!this.#isOver && !this.#isBeginning) void this.#beginAgain()
  }

  async #beginAgain(): Promise<void> {
    const before = this.#revision
    try {
      await this.#follow()
      if (this.#isOver || this.#revision === before) return
      this.#parts.follower.onChange({ revision: this.#revision, event: 'edit', actors: [] })
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'UNAVAILABLE'
      this.onClose(errorCatalogue[code].close ?? 1013, code)
      if (!(error instanceof Refusal)) this.#parts.onTrouble(error)
    }
  }

  /** Again where the host ends meanwhile, a bounded number of times. */
  async #follow(): Promise<void> {
    this.#isBeginning = true
    try {
      for (let left = limits.hostBeginningsMax; ; left--) {
        this.#isMoved = false
        try {
          const following = await this.#parts.follow(this)
          if (this.#isMoved) {
            following.stop()
            continue
          }
          this.#following = following
          this.#revision = Math.max(this.#revision, following.revision)
          if (this.#isOver) following.stop()
          return
        } catch (error) {
          if (!this.#isMoved || this.#isOver || left <= 0) throw error
        }
      }
    } finally {
      this.#isBeginning = false
    }
  }

  onCurrent(current: Current): void {
    this.#parts.follower.onCurrent(current)
  }

  onChange(change: Change): void {
    this.#revision = change.revision
    this.#parts.follower.onChange(change)
  }

  onClose(code: number, reason: string): void {
    if (this.#isOver) return
    this.#end()
    this.#parts.follower.onClose(code, reason)
  }

  #end(): void {
    this.#isOver = true
    this.#parts.onEnd()
  }
}
