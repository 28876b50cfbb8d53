/**
 * Bounds of time that hold on any machine. They are set for the machine on which this was written;
 * on a slower one, or one that is busy, the same work takes longer by a factor that is measured
 * beside it, on a piece of work that never changes.
 */

/** What the piece of work takes where the bounds were set, ms of processor time. */
const referenceMs = 2.2

/** Ms of processor time that all threads of this process spent on it. */
export function spentOn(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

/** The least of several runs: what is not the work itself only ever adds to it. */
export const leastOf = (runs: number, work: () => void): number =>
  Math.min(...Array.from({ length: runs }, () => spentOn(work)))

/** How many times slower than there work is at the moment; never less than 1. */
export function pace(): number {
  return Math.max(1, leastOf(9, pieceOfWork) / referenceMs)
}

function pieceOfWork(): void {
  const counts = new Map<string, number>()
  for (let at = 0; at < 20_000; at++) {
    const word = `word ${(at * 7919) % 5_003}`
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const words = [...counts.keys()].sort()
  if (words.length !== 5_003) throw new Error('the work was not done')
}
