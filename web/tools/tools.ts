/**
 * The editor's tools: what stands beside the text to change it with. Each has its state in a plugin
 * and a store that the chrome draws from; no tool knows React.
 */
import type { Plugin } from 'prosemirror-state'
import { createDoors, type Doors } from '../editor/commands/doors.ts'
import { createSlashMenu, type SlashMenu } from './slash-menu.ts'

export interface Tools {
  readonly doors: Doors
  readonly slash: SlashMenu
  /** In the order in which they answer keys, ahead of the keymap of the text. */
  readonly plugins: readonly Plugin[]
}

export function createTools(): Tools {
  const doors = createDoors()
  const slash = createSlashMenu(doors)
  return { doors, slash, plugins: [slash.plugin] }
}
