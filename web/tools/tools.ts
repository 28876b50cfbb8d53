/**
 * The editor's tools: what stands beside the text to change it with. Each has its state in a plugin
 * and a store that the chrome draws from; no tool knows React.
 */
import type { Plugin } from 'prosemirror-state'
import { createPageActions, type PageActions } from '../editor/commands/page-actions.ts'
import { type ActiveBlocksTool, createActiveBlocks } from './active-blocks.ts'
import { bareUrls } from './bare-urls.ts'
import { BlockHandle } from './block-handle.ts'
import { createEmojiMenu, type EmojiMenu } from './emoji-menu.ts'
import { LinkTools } from './link-card.ts'
import { marginSelection } from './margin-selection.ts'
import { type SelectedImageTool, selectedImage } from './selected-image.ts'
import { createSelectionToolbar, type SelectionToolbar } from './selection-toolbar.ts'
import { createSlashMenu, type SlashMenu } from './slash-menu.ts'
import { createTouchBar, isTouch, type TouchBar } from './touch-bar.ts'

export interface Tools {
  readonly actions: PageActions
  readonly slash: SlashMenu
  readonly emoji: EmojiMenu
  readonly links: LinkTools
  readonly selection: SelectionToolbar
  readonly handle: BlockHandle
  readonly active: ActiveBlocksTool
  readonly image: SelectedImageTool
  readonly touch: TouchBar
  /** In the order in which they answer keys, ahead of the keymap of the text. */
  readonly plugins: readonly Plugin[]
}

export function createTools(): Tools {
  const actions = createPageActions()
  const slash = createSlashMenu(actions)
  const emoji = createEmojiMenu()
  const links = new LinkTools(actions)
  const hasForm = () => ['form', 'image'].includes(links.card.get()?.kind ?? '')
  const selection = createSelectionToolbar({
    isCovered: () => isTouch() || hasForm(),
    mayComment: () => actions.isHandled('comment'),
  })
  const handle = new BlockHandle(actions)
  const active = createActiveBlocks()
  const image = selectedImage()
  const touch = createTouchBar()
  return {
    actions,
    slash,
    emoji,
    links,
    selection,
    handle,
    active,
    image,
    touch,
    plugins: [
      slash.plugin,
      emoji.plugin,
      links.plugin,
      selection.plugin,
      handle.plugin,
      active.plugin,
      image.plugin,
      touch.plugin,
      bareUrls(),
      marginSelection(),
    ],
  }
}
