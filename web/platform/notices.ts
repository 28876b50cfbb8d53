/** Short sentences that come and go: what a click did. Read out politely, never in the way. */
import { createStore, type Readable } from './store.ts'

export interface Notice {
  readonly key: number
  readonly text: string
  readonly tone: 'plain' | 'problem'
}

const shownForMs = 4000
const notice = createStore<Notice | undefined>(undefined)

/** The notice that is shown now. */
export const currentNotice: Readable<Notice | undefined> = notice

/** Shows `text` until it has been read, or another takes its place. */
export function notify(text: string, tone: Notice['tone'] = 'plain'): void {
  const shown: Notice = { key: (notice.get()?.key ?? 0) + 1, text, tone }
  notice.set(shown)
  setTimeout(() => {
    if (notice.get() === shown) notice.set(undefined)
  }, shownForMs)
}
