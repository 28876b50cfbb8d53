/**
 * The last line that a process writes about a test file: how many tests passed and failed, and how
 * much processor time they took. The runner knows by it that the file is over: all that came before
 * it on the pipe is output of the file.
 */

export interface Count {
  readonly passed: number
  readonly failed: number
  /** Of the process and of the children that it has waited for. */
  readonly cpuMs: number
}

/** No test prints it. */
const mark = '\u0004'
const line = new RegExp(`^${mark}(\\d+) (\\d+) (\\d+)\\n`, 'm')

export const countLine = ({ passed, failed, cpuMs }: Count): string =>
  `\n${mark}${passed} ${failed} ${Math.round(cpuMs)}\n`

export interface Counted {
  /** What was written before the line. */
  readonly text: string
  readonly count: Count
}

/** Undefined while there is no such line. */
export function readCountLine(output: string): Counted | undefined {
  const found = line.exec(output)
  if (found === null) return undefined
  const count = { passed: Number(found[1]), failed: Number(found[2]), cpuMs: Number(found[3]) }
  return { text: output.slice(0, found.index), count }
}
