/** What is unread, as values: whose it is, and how what is new joins what was unread before. */
import type { BlockChange, Unread } from './last-visits.ts'

/** Changes that others had a hand in, and those alone. */
export function othersOf(changes: readonly BlockChange[], own: string): readonly BlockChange[] {
  return changes.flatMap((change) => {
    const others = change.actor_ids.filter((actor) => actor !== own)
    return others.length === 0 ? [] : [{ ...change, actor_ids: others }]
  })
}

/** What came later is said of a block that was unread already; one that was new still is. */
export function joined(before: Unread | undefined, next: Unread): Unread {
  if (before === undefined) return next
  const changes = new Map(before.changes.map((change) => [change.block_id, change]))
  for (const change of next.changes) {
    const known = changes.get(change.block_id)
    const actors = [...new Set([...(known?.actor_ids ?? []), ...change.actor_ids])]
    const isNew = known?.kind === 'added'
    // It came and went while nobody looked.
    if (isNew && change.kind === 'deleted') changes.delete(change.block_id)
    else {
      const kind = isNew ? 'added' : change.kind
      changes.set(change.block_id, { ...change, kind, actor_ids: actors })
    }
  }
  return { since: before.since, from: before.from, changes: [...changes.values()] }
}

/** Everybody who changed something, who changed most first. */
export function actorsOf(changes: readonly { readonly actor_ids: readonly string[] }[]): string[] {
  const counts = new Map<string, number>()
  for (const { actor_ids } of changes) {
    for (const actor of actor_ids) counts.set(actor, (counts.get(actor) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([actor]) => actor)
}

/** `Quill`, `Quill and Ada`, `Quill and 2 others`. */
export function named(names: readonly string[]): string {
  const [first = 'Someone', second] = names
  if (second === undefined) return first
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`
}
