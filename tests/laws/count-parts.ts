/** How large messages are applied, by what the guard makes of them. */
import { Guard } from '../../core/documents/guard/guard.ts'
import type { Tally } from '../tally.ts'

/** Counts the large messages that the guard cuts or not, and the parts; answers how to stop. */
export function countParts(tally: Tally): () => void {
  const { parting } = Guard.prototype
  Guard.prototype.parting = function* (...given) {
    const made = yield* parting.apply(this, given)
    tally.add(made.length > 1 ? 'messages in parts' : 'messages whole')
    if (made.length > 1) tally.add('parts', made.length)
    return made
  }
  return () => {
    Guard.prototype.parting = parting
  }
}
