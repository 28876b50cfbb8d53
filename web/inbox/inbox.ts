/**
 * This person's inbox in this page: read when it opens, when somebody says something in the document
 * that is open, and when one comes back to it. How far one has seen it is kept on the device; what
 * is done is acknowledged.
 */
import { ApiError } from '../api/http.ts'
import { acknowledge, type InboxEntry, inboxPage } from '../api/inbox.ts'
import { answeredThread } from '../platform/answered.ts'
import { readItem, writeItem } from '../platform/device-storage.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { type Dealt, doneUpTo, isOfSame, waitingOf } from './waiting.ts'

export interface Inbox {
  /** What waits, the newest first. */
  readonly waiting: Readable<readonly InboxEntry[]>
  /** Soon; several wishes are one. */
  refresh(): void
  /** Everything that is there has been looked at. */
  see(): void
  /** It was answered, decided or put aside. */
  settle(entry: InboxEntry): void
  close(): void
}

const key = 'inbox'
const doneMax = 300
const pagesMax = 5
const gatherMs = 400
/** Who looks away for less finds it as it was. */
const awayMinMs = 30_000

export function openInbox(actor: string): Inbox {
  const waiting = createStore<readonly InboxEntry[]>([])
  const leave = new AbortController()
  let entries: readonly InboxEntry[] = []
  let dealt = dealtWith(actor)
  let readAt = 0
  let timer: number | undefined
  const show = () => {
    const next = waitingOf(entries, dealt)
    const before = waiting.get()
    const isSame = next.length === before.length && next.every((one, at) => one === before[at])
    if (!isSame) waiting.set(next)
  }
  const keep = (next: Dealt) => {
    dealt = { ...next, done: next.done.slice(-doneMax) }
    writeItem(key, JSON.stringify({ actor, ...dealt }))
    const upTo = doneUpTo(entries, dealt)
    // What is not acknowledged now is the next time.
    if (upTo !== undefined) void acknowledge(upTo).catch(() => undefined)
  }
  const read = async () => {
    timer = undefined
    readAt = performance.now()
    const found: InboxEntry[] = []
    try {
      let after: string | undefined
      for (let pages = 0; pages < pagesMax; pages++) {
        const page = await inboxPage(leave.signal, after)
        found.push(...page.entries)
        if (page.entries.length === 0) break
        after = page.next
      }
    } catch (error) {
      if (leave.signal.aborted || error instanceof ApiError) return
      throw error
    }
    entries = found
    show()
  }
  const refresh = () => {
    if (!leave.signal.aborted) timer ??= window.setTimeout(() => void read(), gatherMs)
  }
  const comeBack = () => {
    if (!document.hidden && performance.now() - readAt > awayMinMs) refresh()
  }
  document.addEventListener('visibilitychange', comeBack, { signal: leave.signal })
  const settle = (settled: readonly InboxEntry[]) => {
    const isSettled = (entry: InboxEntry) => settled.some((one) => isOfSame(one, entry))
    const ids = entries.filter(isSettled).map(({ id }) => id)
    keep({ ...dealt, done: [...dealt.done, ...ids] })
    show()
  }
  const stopAnswers = answeredThread.subscribe(() => {
    const thread = answeredThread.get()
    const isAnswered = (entry: InboxEntry) =>
      entry.thread_id === thread && ['decision', 'blocked'].includes(entry.notify?.kind ?? '')
    settle(entries.filter(isAnswered))
    answeredThread.set(undefined)
  })
  refresh()
  return {
    waiting,
    refresh,
    see() {
      const newest = entries.at(-1)
      if (newest !== undefined) keep({ ...dealt, seen: Math.max(dealt.seen, Number(newest.id)) })
      show()
    },
    settle: (entry) => settle([entry]),
    close() {
      leave.abort()
      stopAnswers()
      window.clearTimeout(timer)
    },
  }
}

/** By this account, on this device. */
function dealtWith(actor: string): Dealt {
  const nothing = { seen: 0, done: [] }
  try {
    const kept = JSON.parse(readItem(key) ?? '{}') as Partial<Dealt & { actor: string }>
    const isWhole = typeof kept.seen === 'number' && Array.isArray(kept.done)
    return kept.actor === actor && isWhole ? { ...nothing, ...kept } : nothing
  } catch {
    return nothing
  }
}
