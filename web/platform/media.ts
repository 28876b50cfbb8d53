/** What the style sheets ask of the window, for what is drawn otherwise and not only looks so. */
import type { Readable } from './store.ts'

function matching(query: string): Readable<boolean> {
  const list = window.matchMedia(query)
  return {
    get: () => list.matches,
    subscribe(listener) {
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
  }
}

/** A phone's window, as the style sheets have it. */
export const isNarrow: Readable<boolean> = matching('(max-width: 719px)')

/** The outline has room at the left of the text. */
export const hasRoomForOutline: Readable<boolean> = matching('(min-width: 1280px)')

/** Beside the text there is a margin for what is said of it. */
export const hasMargin: Readable<boolean> = matching('(min-width: 1100px)')

/** Page and source have room beside each other. */
export const hasRoomForTwo: Readable<boolean> = matching('(min-width: 900px)')

/** The finger is what is pointed with. */
export const isCoarse: Readable<boolean> = matching('(pointer: coarse)')
