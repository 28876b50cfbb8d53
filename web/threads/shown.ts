/** Which threads are looked at, by what somebody chose. Pure. */
import type { Thread } from '../api/threads.ts'
import type { Filter } from './discussion-state.ts'

/** Resolved, or begun with a suggestion that was decided, with none left to decide. */
export function isSettled({ resolved, comments: [root], suggestions }: Thread): boolean {
  const status = root?.suggestion?.status
  const isDecided = status === 'accepted' || status === 'rejected'
  return resolved || (isDecided && suggestions.pending + suggestions.stale === 0)
}

export function isShownBy(filter: Filter, thread: Thread, me: string): boolean {
  if (filter.kind === 'resolved') return isSettled(thread)
  if (isSettled(thread)) return false
  if (filter.kind === 'open') return true
  if (filter.kind === 'by') return thread.comments.some(({ by }) => by === filter.actor)
  return thread.comments.some(({ by, mentions = [] }) => by === me || mentions.includes(me))
}

/** A suggestion that was just decided stays in sight until one leaves it. */
export const isHeldOpen = ({ id, resolved }: Thread, active: string | undefined): boolean =>
  id === active && !resolved

/** Who has said something in these, each once, whoever said most first. */
export function speakersIn(threads: readonly Thread[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { comments } of threads) {
    for (const { by } of comments) counts.set(by, (counts.get(by) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id)
}

/**
 * In the order in which they are looked through: those without words first, then by the text.
 * `order`: the ids of those that stand in it.
 */
export function inOrder(threads: readonly Thread[], order: readonly string[]): readonly Thread[] {
  const places = new Map(order.map((id, index) => [id, index]))
  const placeOf = ({ id }: Thread) => places.get(id) ?? -1
  return [...threads].sort((a, b) => placeOf(a) - placeOf(b))
}
