/**
 * The longest time, and no longer than the processor time, in which nothing else could run on the
 * event loop; and how much there was of it in all.
 */
export interface Holds {
  readonly longestMs: number
  readonly totalMs: number
}

export async function holdsOf(work: () => Promise<unknown>): Promise<Holds> {
  let [longestMs, totalMs] = [0, 0]
  let [last, spent] = [performance.now(), process.cpuUsage()]
  const look = () => {
    const { user, system } = process.cpuUsage(spent)
    const ms = Math.min(performance.now() - last, (user + system) / 1000)
    longestMs = Math.max(longestMs, ms)
    totalMs += ms
    ;[last, spent] = [performance.now(), process.cpuUsage()]
    turn = setImmediate(look)
  }
  let turn = setImmediate(look)
  await work()
  await new Promise((resolve) => setTimeout(resolve, 5))
  clearImmediate(turn)
  return { longestMs, totalMs }
}
