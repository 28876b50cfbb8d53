/** How agents are shown, whoever looks at them. */
import type { Agent } from '../core/records/records.ts'

export function kindOf({ bot, ephemeral }: Agent): 'registered' | 'ephemeral' | 'bot' {
  if (bot !== undefined) return 'bot'
  return ephemeral ? 'ephemeral' : 'registered'
}
