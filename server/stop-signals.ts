/**
 * SIGTERM and SIGINT, heard before all else of the service is loaded: PID 1 of a container ignores
 * a signal without a handler. To be imported first.
 */
const stopping = new AbortController()

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => stopping.abort(signal))
}

/** Aborted when the process is to end; its reason is the name of the signal. */
export const stopSignal = stopping.signal
