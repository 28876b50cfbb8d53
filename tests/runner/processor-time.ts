/**
 * Processor time of this process and of its children that have ended, in ms. Node reports that of
 * children nowhere; Linux does in /proc. Elsewhere the children count as nothing.
 */
import { existsSync, readFileSync } from 'node:fs'

const stat = '/proc/self/stat'
const msPerTick = 10

export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

function childrenMs(): number {
  if (!existsSync(stat)) return 0
  const text = readFileSync(stat, 'utf8')
  // The name of the program stands in parentheses and may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [userTicks = 0, systemTicks = 0] = fields.slice(13, 15).map(Number)
  return (userTicks + systemTicks) * msPerTick
}
