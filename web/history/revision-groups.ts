/**
 * The revisions of a document as people remember them: by person and pause. Who types makes a
 * revision every quarter of a second; what they did until they paused is one line. Pure.
 */
import type { HistoryEntry } from '../api/history.ts'

export interface RevisionGroup {
  /** The newest first; all by `actors`. */
  readonly entries: readonly HistoryEntry[]
  /** Whoever wrote last is first. */
  readonly actors: readonly string[]
  readonly newest: number
  readonly oldest: number
  readonly name?: string | undefined
}

export type Row =
  | { readonly kind: 'group'; readonly group: RevisionGroup }
  /** What did not change the text: who has access, settings, the archive, and the like. */
  | { readonly kind: 'occasion'; readonly entry: HistoryEntry }

/** A pause that ends a group. */
const pauseMs = 20 * 60_000
/** Who comes within this is of the same group; else one of their own. */
const joinMs = 60_000

const writes = new Set(['create', 'edit', 'revert'])

/** Whether it may have changed the text. */
export const isWrite = ({ event }: HistoryEntry): boolean => writes.has(event)

export const actorsOf = ({ actor_id, actor_ids }: HistoryEntry): readonly string[] =>
  actor_ids ?? [actor_id]

/** From entries that descend without a gap. */
export function rowsOf(entries: readonly HistoryEntry[]): readonly Row[] {
  const rows: Row[] = []
  for (const entry of entries) {
    const last = rows.at(-1)
    if (!isWrite(entry)) rows.push({ kind: 'occasion', entry })
    else if (last?.kind === 'group' && goesOn(last.group, entry)) {
      rows[rows.length - 1] = { kind: 'group', group: withOlder(last.group, entry) }
    } else rows.push({ kind: 'group', group: groupOf(entry) })
  }
  return rows
}

const groupOf = (entry: HistoryEntry): RevisionGroup => ({
  entries: [entry],
  actors: actorsOf(entry),
  newest: entry.revision,
  oldest: entry.revision,
  name: entry.name,
})

const withOlder = (group: RevisionGroup, entry: HistoryEntry): RevisionGroup => ({
  ...group,
  entries: [...group.entries, entry],
  actors: [...new Set([...group.actors, ...actorsOf(entry)])],
  oldest: entry.revision,
})

/** What has a name begins a line of its own, and so does what is no plain edit. */
function goesOn({ entries, actors }: RevisionGroup, older: HistoryEntry): boolean {
  const [last] = entries.slice(-1)
  if (last === undefined || older.name !== undefined) return false
  if (older.event !== 'edit' || last.event !== 'edit') return false
  const [later, earlier] = [new Date(last.at), new Date(older.at)]
  if (later.toDateString() !== earlier.toDateString()) return false
  const isTheirs = actorsOf(older).every((actor) => actors.includes(actor))
  return later.getTime() - earlier.getTime() <= (isTheirs ? pauseMs : joinMs)
}
