/** Which threads are unread on this page: kept on the device, read once they were open. */
import type { Thread } from '../api/threads.ts'
import type { DocumentSession } from '../live/session.ts'
import { oncePer } from '../platform/once-per.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { nobody } from '../platform/this-browser.ts'
import {
  firstMarks,
  isUnread,
  keepMarks,
  type ReadMarks,
  readMarks,
  withRead,
} from './read-marks.ts'
import { threadsOf } from './thread-store.ts'

export interface Unread {
  readonly ids: Readable<ReadonlySet<string>>
  read(thread: Thread): void
}

export const unreadOf = oncePer(makeUnread)

function makeUnread(session: DocumentSession): Unread {
  const threads = threadsOf(session)
  const ids = createStore<ReadonlySet<string>>(new Set())
  let marks: ReadMarks | undefined
  const which = () => ({
    actor: session.account.get()?.actor_id ?? nobody,
    slug: session.slug,
  })
  const look = () => {
    if (!threads.isRead.get()) return
    if (marks?.actor !== which().actor) {
      marks = readMarks(which()) ?? firstMarks(which(), threads.all.get())
      keepMarks(marks)
    }
    const now = marks
    const unread = threads.all.get().filter((thread) => isUnread(thread, now))
    const next = new Set(unread.map(({ id }) => id))
    const before = ids.get()
    const isSame = next.size === before.size && [...next].every((id) => before.has(id))
    if (!isSame) ids.set(next)
  }
  for (const store of [threads.all, threads.isRead, session.account]) store.subscribe(look)
  look()
  return {
    ids,
    read(thread) {
      if (marks === undefined) return
      const next = withRead(marks, thread)
      if (next === marks) return
      marks = next
      keepMarks(next)
      look()
    },
  }
}
