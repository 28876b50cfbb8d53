/**
 * Reading along with somebody: the page scrolls with their caret. Whatever this person does to
 * scroll, type or point ends it, and so does Escape. A pill says who is followed.
 */
import type { EditorView } from 'prosemirror-view'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { createStore, type Readable } from '../platform/store.ts'
import type { RemoteCarets } from './remote-carets.ts'

export interface Following {
  /** The clientID of who is followed. */
  readonly client: Readable<number | undefined>
  follow(client: number): void
  stop(): void
}

export function createFollowing(view: EditorView, carets: RemoteCarets): Following {
  const client = createStore<number | undefined>(undefined)
  let shown: number | undefined
  let stopListening: (() => void) | undefined
  const scroll = () => {
    const followed = client.get()
    const pos = followed === undefined ? undefined : carets.positionOf(followed)
    if (pos === undefined || pos === shown) return
    shown = pos
    scrollToPosition(view, pos)
  }
  const stop = () => {
    client.set(undefined)
    stopListening?.()
    stopListening = undefined
  }
  const onKey = (event: KeyboardEvent) => {
    if (!isModifier(event.key)) stop()
  }
  return {
    client,
    follow(followed) {
      stop()
      client.set(followed)
      shown = undefined
      const stopMoved = carets.onMoved(scroll)
      window.addEventListener('wheel', stop, { passive: true })
      window.addEventListener('touchmove', stop, { passive: true })
      window.addEventListener('mousedown', stop)
      window.addEventListener('keydown', onKey, true)
      stopListening = () => {
        stopMoved()
        window.removeEventListener('wheel', stop)
        window.removeEventListener('touchmove', stop)
        window.removeEventListener('mousedown', stop)
        window.removeEventListener('keydown', onKey, true)
      }
      scroll()
    },
    stop,
  }
}

const isModifier = (key: string): boolean => ['Shift', 'Control', 'Alt', 'Meta'].includes(key)
