/**
 * How much memory the bodies of requests may take at once, over all and for one caller. Who would
 * take more than its share is told to come later; where all callers together would, those give way
 * first that have most or have been sending longest, so that nobody with a few requests, however
 * slow, keeps others from being heard. Knows no HTTP.
 */
import { Refusal } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import { networkOf } from './network.ts'

/** What the body of one request holds. */
export interface BodyShare {
  /**
   * Takes so many bytes more. Refuses BUSY. Meanwhile others may be told to give theirs up, each
   * by the `onEvicted` that it began with.
   */
  take(bytes: number): void
  /** The body is being read: until `whole` it can be told to give way. */
  begin(onEvicted: (refusal: Refusal) => void): void
  whole(): void
  /** The request is answered. */
  release(): void
}

export interface BodyShares {
  open(address: string): BodyShare
  /** Bytes held now. */
  readonly held: number
}

interface Held {
  readonly caller: string
  bytes: number
  evict: ((refusal: Refusal) => void) | undefined
}

export interface BodyBounds {
  readonly allBytes: number
  readonly callerBytes: number
}

const busy = (): Refusal => new Refusal('BUSY', { retry_after: 1 })

export function createBodyShares(
  bounds: BodyBounds = {
    allBytes: limits.bodiesMaxBytes,
    callerBytes: limits.bodiesMaxBytesPerAddress,
  },
): BodyShares {
  /** In the order in which they began. */
  const all = new Set<Held>()
  const byCaller = new Map<string, number>()
  let total = 0

  const add = (held: Held, bytes: number) => {
    held.bytes += bytes
    total += bytes
    const now = (byCaller.get(held.caller) ?? 0) + bytes
    if (now === 0) byCaller.delete(held.caller)
    else byCaller.set(held.caller, now)
  }
  const drop = (held: Held) => {
    held.evict = undefined
    if (all.delete(held)) add(held, -held.bytes)
  }
  /** Who has much gives way first; then who has been at it longest. */
  const victim = (): Held | undefined => {
    const [most] = [...byCaller].reduce((high, one) => (one[1] > high[1] ? one : high), ['', 0])
    const isHeavy = (byCaller.get(most) ?? 0) > bounds.callerBytes / 2
    const reading = [...all].filter(({ evict, bytes }) => evict !== undefined && bytes > 0)
    return (isHeavy ? reading.find(({ caller }) => caller === most) : undefined) ?? reading[0]
  }
  return {
    get held() {
      return total
    },
    open(address) {
      const held: Held = { caller: networkOf(address), bytes: 0, evict: undefined }
      return {
        take(bytes) {
          if ((byCaller.get(held.caller) ?? 0) + bytes > bounds.callerBytes) throw busy()
          while (total + bytes > bounds.allBytes) {
            const other = victim()
            if (other === undefined || other === held) throw busy()
            const { evict } = other
            drop(other)
            evict?.(busy())
          }
          all.add(held)
          add(held, bytes)
        },
        begin(onEvicted) {
          held.evict = onEvicted
          all.add(held)
        },
        whole() {
          held.evict = undefined
        },
        release: () => drop(held),
      }
    },
  }
}
