/**
 * What a key opens in the chrome. Commands knock; the part of the page that is behind a door
 * answers. Where nobody does, the key keeps its meaning in the browser.
 */
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
  /** Answers from now on, until the returned function is called. */
  answer(door: Door, open: () => void): () => void
}

export function createDoors(): Doors {
  const answers = new Map<Door, () => void>()
  return {
    knock(door) {
      const open = answers.get(door)
      open?.()
      return open !== undefined
    },
    answer(door, open) {
      answers.set(door, open)
      return () => {
        if (answers.get(door) === open) answers.delete(door)
      }
    },
  }
}
