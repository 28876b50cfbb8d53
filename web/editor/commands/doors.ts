/**
 * What a key opens in the chrome. Commands knock; the part of the page that is behind a door
 * answers. Where nobody does, the key keeps its meaning in the browser.
 */
import { createStore, type Readable } from '../../platform/store.ts'

export type Door =
  | 'find'
  | 'replace'
  | 'shortcuts'
  | 'link'
  | 'image'
  | 'toolbar'
  | 'block-menu'
  | 'landmark'
  | 'landmark-back'

export interface Doors {
  /** False where nobody answers. */
  knock(door: Door): boolean
  /**
   * Answers from now on, until the returned function is called; of several who answer the last to
   * come.
   */
  answer(door: Door, open: () => void): () => void
  /** Tells who cannot see it what a key did. */
  say(what: string): void
  /** What was said last; another object each time. */
  readonly said: Readable<{ readonly what: string }>
}

export function createDoors(): Doors {
  const answers = new Map<Door, readonly (() => void)[]>()
  const at = (door: Door) => answers.get(door) ?? []
  const said = createStore({ what: '' })
  return {
    said,
    say: (what) => said.set({ what }),
    knock(door) {
      const open = at(door).at(-1)
      open?.()
      return open !== undefined
    },
    answer(door, open) {
      answers.set(door, [...at(door), open])
      return () => {
        answers.set(
          door,
          at(door).filter((other) => other !== open),
        )
      }
    },
  }
}
