/** Short sentences that come and go: what a click did. Read out politely, never in the way. */
import { createStore, type Readable } from './store.ts'

export interface Notice {
  readonly key: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
}

const shownForMs = 4000
/** Older ones give way. */
const shownMax = 3
const notices = createStore<readonly Notice[]>([])
let made = 0

/** The notices that are shown now, the oldest first. */
export const currentNotices: Readable<readonly Notice[]> = notices

/** Shows `text` until it has been read. */
export function notify(text: string, tone: Notice['tone'] = 'plain'): void {
  const shown: Notice = { key: ++made, text, tone }
  notices.set([...notices.get(), shown].slice(-shownMax))
  setTimeout(() => notices.set(notices.get().filter((other) => other !== shown)), shownForMs)
}
