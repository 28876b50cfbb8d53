/**
 * Which documents leave when memory is needed. First those nobody is in, the least recently used
 * first; then those whose editors and watchers are idle, sooner where they have only read; then, of
 * documents in use, those of callers who hold more memory than the one who needs it would hold, so
 * that nobody fills it for good, however busily. What leaves comes back when it is used, so nobody
 * loses anything but time.
 */
import type { Source } from '../../../schema/fair-line.ts'
import { limits } from '../../../schema/limits.ts'

/** A document that could leave now. */
export interface Candidate<D> {
  readonly document: D
  readonly bytes: number
  readonly idleMs: number
  /** Nobody wrote since it was opened. */
  readonly isAsOpened: boolean
  /** Where those come from who are in it. */
  readonly addresses: ReadonlySet<string>
}

/** Enough of them to free `bytes`, or as many as may leave for this source. */
export function evictions<D>(
  candidates: readonly Candidate<D>[],
  bytes: number,
  source: Source | undefined,
): D[] {
  const evicted: D[] = []
  let missing = bytes
  const leave = ({ document, bytes }: Candidate<D>) => {
    evicted.push(document)
    missing -= bytes
  }
  const isIdle = ({ addresses, idleMs, isAsOpened }: Candidate<D>) =>
    addresses.size === 0 ||
    idleMs >= (isAsOpened ? limits.pressureReadIdleMs : limits.pressureIdleMs)
  const idle = candidates.filter(isIdle).sort(emptyThenLongestIdle)
  for (const candidate of idle) {
    if (missing <= 0) return evicted
    leave(candidate)
  }
  if (source === undefined || missing <= 0) return evicted
  const inUse = candidates.filter((candidate) => !isIdle(candidate))
  const held = heldBy(inUse)
  const claim = ({ addresses }: Candidate<D>) =>
    Math.min(...[...addresses].map((address) => held.get(address) ?? 0))
  for (const candidate of inUse.sort((a, b) => claim(b) - claim(a))) {
    if (missing <= 0) return evicted
    if (claim(candidate) <= (held.get(source.address) ?? 0) + bytes) continue
    leave(candidate)
    for (const address of candidate.addresses) {
      held.set(address, (held.get(address) ?? 0) - candidate.bytes / candidate.addresses.size)
    }
  }
  return evicted
}

function emptyThenLongestIdle<D>(a: Candidate<D>, b: Candidate<D>): number {
  const isEmpty = ({ addresses }: Candidate<D>) => (addresses.size === 0 ? 1 : 0)
  return isEmpty(b) - isEmpty(a) || b.idleMs - a.idleMs
}

/** What each address keeps in use: of a document that several are in, its part. */
function heldBy<D>(candidates: readonly Candidate<D>[]): Map<string, number> {
  const held = new Map<string, number>()
  for (const { addresses, bytes } of candidates) {
    for (const address of addresses) {
      held.set(address, (held.get(address) ?? 0) + bytes / addresses.size)
    }
  }
  return held
}
