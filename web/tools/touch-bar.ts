/**
 * Where fingers write: whether the page is used by touch, what the bar above the keyboard shows,
 * and how much room the caret keeps to the bars at the top and at the bottom.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type BlockKindName, selectedKind } from '../editor/commands/selected-blocks.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { hasEditingFocus } from './perform.ts'
import { marksOf, type SelectionLook } from './selection-toolbar.ts'

export interface CaretLook {
  readonly kind: BlockKindName | undefined
  readonly marks: SelectionLook['marks']
}

export interface TouchBar {
  readonly plugin: Plugin
  /** Undefined while nobody writes by touch. */
  readonly state: Readable<CaretLook | undefined>
}

const coarse = '(pointer: coarse)'

export const isTouch = (): boolean => matchMedia(coarse).matches

const room = { top: 64, bottom: 72, left: 5, right: 5 }

export function createTouchBar(): TouchBar {
  const shown = createStore<CaretLook | undefined>(undefined)
  const consider = (view: EditorView) => {
    const isWriting = isTouch() && view.editable && hasEditingFocus(view, document.activeElement)
    const look = isWriting
      ? { kind: selectedKind(view.state), marks: marksOf(view.state) }
      : undefined
    if (JSON.stringify(look) !== JSON.stringify(shown.get())) shown.set(look)
  }
  const later = (view: EditorView) => {
    setTimeout(() => !view.isDestroyed && consider(view))
    return false
  }
  const plugin = new Plugin({
    props: {
      scrollMargin: room,
      scrollThreshold: room,
      handleDOMEvents: { focus: later, blur: later },
    },
    view: () => ({ update: consider, destroy: () => shown.set(undefined) }),
  })
  return { plugin, state: shown }
}
