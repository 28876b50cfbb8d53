/**
 * The last line that a process writes about a test file: how many tests passed and failed. It is
 * how the runner knows that the file is over, for whatever came before it on the pipe is the file's.
 */

export interface Count {
  readonly passed: number
  readonly failed: number
}

/** No test prints it. */
const mark = '\u0004'
const line = new RegExp(`^${mark}(\\d+) (\\d+)\\n`, 'm')

export const countLine = ({ passed, failed }: Count): string => `\n${mark}${passed} ${failed}\n`

export interface Counted {
  /** What was written before the line. */
  readonly text: string
  readonly count: Count
}

/** Undefined while there is no such line. */
export function readCountLine(output: string): Counted | undefined {
  const found = line.exec(output)
  if (found === null) return undefined
  const count = { passed: Number(found[1]), failed: Number(found[2]) }
  return { text: output.slice(0, found.index), count }
}
