/**
 * Memory for bytes of requests or of answers, bounded over all and for one address. Who would take
 * more than its share is BUSY. Where all together would, those give way that have most or have been
 * at it longest, so that nobody with a few requests, however slow, keeps others from being served.
 * Knows no HTTP.
 */
import { Refusal } from '../../schema/errors.ts'
import { networkOf } from '../addresses/caller-address.ts'

/** What one request holds. */
export interface ByteShare {
  readonly bytes: number
  /**
   * Takes so many bytes more. Refuses BUSY. Meanwhile others may be told to give theirs up, each
   * by the `onEvicted` that it began with.
   */
  take(bytes: number): void
  /** Holds so many from now on: takes more, or gives some back. Refuses BUSY. */
  resize(bytes: number): void
  /** It waits for its client: until `whole` it can be told to give way. */
  begin(onEvicted: (refusal: Refusal) => void): void
  whole(): void
  /** Gives back all, for good. */
  release(): void
}

export interface ByteShares {
  open(address: string): ByteShare
  /** Bytes held now. */
  readonly held: number
}

interface HeldBytes {
  readonly caller: string
  bytes: number
  evict: ((refusal: Refusal) => void) | undefined
}

export interface ByteBounds {
  readonly allBytes: number
  readonly callerBytes: number
}

const busy = (): Refusal => new Refusal('BUSY', { retry_after: 1 })

export function createByteShares(bounds: ByteBounds): ByteShares {
  /** In the order in which they began. */
  const all = new Set<HeldBytes>()
  const byCaller = new Map<string, number>()
  let total = 0

  const add = (held: HeldBytes, bytes: number) => {
    held.bytes += bytes
    total += bytes
    const now = (byCaller.get(held.caller) ?? 0) + bytes
    if (now === 0) byCaller.delete(held.caller)
    else byCaller.set(held.caller, now)
  }
  const drop = (held: HeldBytes) => {
    held.evict = undefined
    if (all.delete(held)) add(held, -held.bytes)
  }
  /** Who has much gives way first; then who has been at it longest. */
  const victim = (): HeldBytes | undefined => {
    const [most] = [...byCaller].reduce((high, one) => (one[1] > high[1] ? one : high), ['', 0])
    const isHeavy = (byCaller.get(most) ?? 0) > bounds.callerBytes / 2
    const waiting = [...all].filter(({ evict, bytes }) => evict !== undefined && bytes > 0)
    return (isHeavy ? waiting.find(({ caller }) => caller === most) : undefined) ?? waiting[0]
  }
  const take = (held: HeldBytes, bytes: number) => {
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
  }
  return {
    get held() {
      return total
    },
    open(address) {
      const held: HeldBytes = { caller: networkOf(address), bytes: 0, evict: undefined }
      return {
        get bytes() {
          return held.bytes
        },
        take: (bytes) => take(held, bytes),
        resize(bytes) {
          if (bytes > held.bytes) take(held, bytes - held.bytes)
          else if (all.has(held)) add(held, bytes - held.bytes)
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
