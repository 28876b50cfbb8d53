/** Waiting for what real sockets and processes do. */

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Polls until the answer is not undefined; rejects after `ms` with what `why` says. */
export async function until<Found>(
  ms: number,
  find: () => Found | undefined | Promise<Found | undefined>,
  why: () => string,
): Promise<Found> {
  const deadline = performance.now() + ms
  for (let wait = 2; ; wait = Math.min(wait * 2, 32)) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${why()}`)
    await pause(wait)
  }
}

/** Polls until it is so; rejects after ten seconds, where no more are given. */
export async function becomes(is: () => Promise<boolean>, ms = 10_000): Promise<void> {
  await until(
    ms,
    async () => ((await is()) ? true : undefined),
    () => is.toString(),
  )
}
