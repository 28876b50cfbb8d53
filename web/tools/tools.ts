/**
 * The editor's tools: what stands beside the text to change it with. Each has its state in a plugin
 * and a store that the chrome draws from; no tool knows React.
 */
import type { Plugin } from 'prosemirror-state'
import { createDoors, type Doors } from '../editor/commands/doors.ts'
import { bareUrls } from './bare-urls.ts'
import { BlockHandle } from './block-handle.ts'
import { LinkTools } from './link-card.ts'
import { createSelectionToolbar, type SelectionToolbar } from './selection-toolbar.ts'
import { createSlashMenu, type SlashMenu } from './slash-menu.ts'
import { createTouchBar, isTouch, type TouchBar } from './touch-bar.ts'
import { createWorkPlaces, type WorkPlaces } from './work-place.ts'

export interface Tools {
  readonly doors: Doors
  readonly slash: SlashMenu
  readonly links: LinkTools
  readonly selection: SelectionToolbar
  readonly handle: BlockHandle
  readonly places: WorkPlaces
  readonly touch: TouchBar
  /** In the order in which they answer keys, ahead of the keymap of the text. */
  readonly plugins: readonly Plugin[]
}

export function createTools(): Tools {
  const doors = createDoors()
  const slash = createSlashMenu(doors)
  const links = new LinkTools(doors)
  const hasForm = () => ['form', 'image'].includes(links.card.get()?.kind ?? '')
  const selection = createSelectionToolbar(() => isTouch() || hasForm())
  const handle = new BlockHandle(doors)
  const places = createWorkPlaces()
  const touch = createTouchBar()
  return {
    doors,
    slash,
    links,
    selection,
    handle,
    places,
    touch,
    plugins: [
      slash.plugin,
      links.plugin,
      selection.plugin,
      handle.plugin,
      places.plugin,
      touch.plugin,
      bareUrls(),
    ],
  }
}
