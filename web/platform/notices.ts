/** Short sentences that come and go: what a click did. Read out politely, never in the way. */
import { reportOffer } from './report-offer.ts'
import { createStore, type Readable } from './store.ts'

export interface Notice {
  readonly key: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
  /** What can be done about it, such as taking it back. */
  readonly action?: NoticeAction
}

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
}

const shownForMs = 4000
const withActionForMs = 10_000
/** Older ones give way. */
const shownMax = 2
const notices = createStore<readonly Notice[]>([])
let made = 0

/** The notices that are shown now, the oldest first. */
export const currentNotices: Readable<readonly Notice[]> = notices

/**
 * Shows `text` until it has been read, or the returned function is called. A problem with nothing
 * else to do about it can be reported, if the service wants to hear of it.
 */
export function notify(
  text: string,
  tone: Notice['tone'] = 'plain',
  given?: NoticeAction,
): () => void {
  const action = given ?? (tone === 'problem' ? reportOffer() : undefined)
  const shown: Notice = { key: ++made, text, tone, ...(action && { action }) }
  notices.set([...notices.get(), shown].slice(-shownMax))
  const dismiss = () => dismissNotice(shown.key)
  setTimeout(dismiss, action ? withActionForMs : shownForMs)
  return dismiss
}

/** As `notify`, but the notice goes as soon as it is not true any more. */
export function notifyWhile(
  { isTrue, changes }: { readonly isTrue: () => boolean; readonly changes: Readable<unknown> },
  ...notice: Parameters<typeof notify>
): void {
  const dismiss = notify(...notice)
  const stop = changes.subscribe(() => {
    if (isTrue()) return
    stop()
    dismiss()
  })
  setTimeout(stop, withActionForMs)
}

/** What they were about is not shown any more. */
export const dismissAllNotices = (): void => notices.set([])

export function dismissNotice(key: number): void {
  notices.set(notices.get().filter((other) => other.key !== key))
}
