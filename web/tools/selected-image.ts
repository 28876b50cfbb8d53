/** The image that is selected by a person who writes, for what stands beside it. */
import { Plugin, type PluginView } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { selectedPicture } from '../images/opening.ts'
import { createStore, type Readable } from '../platform/store.ts'

export interface SelectedImage {
  readonly picture: HTMLImageElement
  readonly pos: number
  readonly alt: string
}

export interface SelectedImageTool {
  readonly plugin: Plugin
  readonly state: Readable<SelectedImage | undefined>
  /** Puts the focus into the description, once there is one. */
  onDescribe: (() => void) | undefined
}

export function selectedImage(): SelectedImageTool {
  const shown = createStore<SelectedImage | undefined>(undefined)
  const consider = (view: EditorView) => {
    const picture = view.editable ? selectedPicture(view) : undefined
    const { from: pos } = view.state.selection
    const old = shown.get()
    if (picture === undefined) return shown.set(undefined)
    const alt = view.state.doc.nodeAt(pos)?.attrs['alt'] as string
    if (old?.picture === picture && old.pos === pos && old.alt === alt) return
    shown.set({ picture, pos, alt })
  }
  const tool: SelectedImageTool = {
    state: shown,
    onDescribe: undefined,
    plugin: new Plugin({
      props: {
        handleKeyDown(_, { key, shiftKey }) {
          if (key !== 'Tab' || shiftKey || shown.get() === undefined) return false
          tool.onDescribe?.()
          return tool.onDescribe !== undefined
        },
      },
      view: (): PluginView => ({ update: consider, destroy: () => shown.set(undefined) }),
    }),
  }
  return tool
}
