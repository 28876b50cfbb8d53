/**
 * What a key asks of the page around the text. Commands run an action by its name; the part of the
 * page that is there handles it. Where none does, the key keeps its meaning in the browser.
 */
import { createStore, type Readable } from '../../platform/store.ts'

export type PageAction =
  | 'find'
  | 'replace'
  | 'shortcuts'
  | 'link'
  | 'image'
  | 'toolbar'
  | 'block-menu'
  | 'landmark'
  | 'landmark-back'
  | 'history'
  | 'next-change'
  | 'previous-change'
  | 'comment'
  | 'comments'
  | 'next-thread'
  | 'previous-thread'
  | 'mode-editing'
  | 'mode-suggesting'
  | 'mode-viewing'
  | 'next-suggestion'
  | 'previous-suggestion'
  | 'accept-suggestion'
  | 'reject-suggestion'

export interface PageActions {
  /** False where nobody handles it. */
  run(action: PageAction): boolean
  isHandled(action: PageAction): boolean
  /**
   * Handles the action from now on, until the returned function is called; of several handlers the
   * last to come does.
   */
  handle(action: PageAction, handler: () => void): () => void
  /** Tells who cannot see it what a key did. */
  announce(text: string): void
  /** What was announced last; another object each time. */
  readonly announced: Readable<{ readonly text: string }>
}

export function createPageActions(): PageActions {
  const handlers = new Map<PageAction, readonly (() => void)[]>()
  const handlersOf = (action: PageAction) => handlers.get(action) ?? []
  const announced = createStore({ text: '' })
  return {
    announced,
    isHandled: (action) => handlersOf(action).length > 0,
    announce: (text) => announced.set({ text }),
    run(action) {
      const handler = handlersOf(action).at(-1)
      handler?.()
      return handler !== undefined
    },
    handle(action, handler) {
      handlers.set(action, [...handlersOf(action), handler])
      return () => {
        handlers.set(
          action,
          handlersOf(action).filter((other) => other !== handler),
        )
      }
    },
  }
}
