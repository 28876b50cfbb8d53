/**
 * The last line that a process writes about a test file: how many tests passed, failed and were
 * skipped, and how much processor time they took. The runner knows by it that the file is over: all
 * that came before it on the pipe is output of the file.
 */

export interface Count {
  readonly passed: number
  readonly failed: number
  /** What they need is not on this machine. */
  readonly skipped: number
  /** Of the process and of the children that it has waited for. */
  readonly cpuMs: number
}

/** No test prints it. */
const mark = '\u0004'
const line = new RegExp(`^${mark}(\\d+) (\\d+) (\\d+) (\\d+)\\n`, 'm')

export const countLine = ({ passed, failed, skipped, cpuMs }: Count): string =>
  `\n${mark}${passed} ${failed} ${skipped} ${Math.round(cpuMs)}\n`

export interface Counted {
  /** What was written before the line. */
  readonly text: string
  readonly count: Count
}

/** Undefined while there is no such line. */
export function readCountLine(output: string): Counted | undefined {
  const found = line.exec(output)
  if (found === null) return undefined
  const [passed = 0, failed = 0, skipped = 0, cpuMs = 0] = found.slice(1).map(Number)
  const count = { passed, failed, skipped, cpuMs }
  return { text: output.slice(0, found.index), count }
}
