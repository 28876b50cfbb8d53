/**
 * Which threads somebody has read up to where, by account and document, on this device alone. What
 * was there at the first visit counts as read: nobody wants to begin with a hundred dots.
 */
import type { Thread } from '../api/threads.ts'
import { readList, writeItem } from '../platform/device-storage.ts'

export interface ReadMarks {
  readonly actor: string
  readonly slug: string
  /** What was said up to then is read; as the service writes times. */
  readonly since: string
  /** The newest comment that was read, by thread. */
  readonly threads: Readonly<Record<string, string>>
}

const key = 'read-threads'
const documentsMax = 60
const threadsMax = 300

type Which = Pick<ReadMarks, 'actor' | 'slug'>

export const readMarks = (which: Which): ReadMarks | undefined =>
  allMarks().find((one) => one.actor === which.actor && one.slug === which.slug)

export function keepMarks(marks: ReadMarks): void {
  const others = allMarks().filter((one) => one.actor !== marks.actor || one.slug !== marks.slug)
  const newest = Object.entries(marks.threads).slice(-threadsMax)
  const kept = { ...marks, threads: Object.fromEntries(newest) }
  writeItem(key, JSON.stringify([kept, ...others].slice(0, documentsMax)))
}

/** When somebody else said something in it last; undefined: nobody did. */
export function heardIn({ comments }: Thread, me: string): string | undefined {
  return comments.filter(({ by, deleted }) => by !== me && deleted !== true).at(-1)?.at
}

export function isUnread(thread: Thread, marks: ReadMarks): boolean {
  const heard = heardIn(thread, marks.actor)
  const read = marks.threads[thread.id] ?? marks.since
  return heard !== undefined && heard > read && heard > marks.since
}

/** With that thread read as it is now. */
export function withRead(marks: ReadMarks, thread: Thread): ReadMarks {
  const heard = heardIn(thread, marks.actor)
  if (heard === undefined || !isUnread(thread, marks)) return marks
  const { [thread.id]: _, ...others } = marks.threads
  return { ...marks, threads: { ...others, [thread.id]: heard } }
}

/** Of a first visit. */
export function firstMarks(which: Which, threads: readonly Thread[]): ReadMarks {
  const times = threads.flatMap(({ comments }) => comments.map(({ at }) => at))
  const since = times.reduce((last, at) => (at > last ? at : last), '')
  return { ...which, since, threads: {} }
}

const allMarks = (): readonly ReadMarks[] => readList(key, isMarks)

function isMarks(value: unknown): value is ReadMarks {
  const { actor, slug, since, threads } = (value ?? {}) as Partial<ReadMarks>
  const isWhole = [actor, slug, since].every((field) => typeof field === 'string')
  return isWhole && typeof threads === 'object' && threads !== null
}
