/** The keymap in the text, and the keys that are answered wherever the focus is. */
import { chainCommands } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import type { Command, Plugin } from 'prosemirror-state'
import { fenceOnEnter, leaveCodeOnEnter, uncodeAtStart } from './code.ts'
import { leaveListAtStart, splitItem } from './lists.ts'
import { unquoteAtStart } from './quotes.ts'
import type { Shortcut } from './shortcuts.ts'
import { splitWithGap } from './splitting.ts'

/** What the keys of plain typing do before the base keymap answers them. */
const editingKeys: Readonly<Record<string, Command>> = {
  Enter: chainCommands(fenceOnEnter, leaveCodeOnEnter, splitItem, splitWithGap),
  Backspace: chainCommands(uncodeAtStart, leaveListAtStart, unquoteAtStart),
}

/** Whether a key writes a character, so that in the text it must. */
const isCharacter = (key: string) => key.length === 1

export function textKeymap(shortcuts: readonly Shortcut[]): Plugin {
  const bindings: Record<string, Command> = { ...editingKeys }
  for (const { keys, run } of shortcuts) {
    if (run === undefined) continue
    for (const key of keys) if (!isCharacter(key)) bindings[key] = run
  }
  return keymap(bindings)
}

/** The bindings of the keys that are answered also outside of the text. */
export function pageBindings(shortcuts: readonly Shortcut[]): Record<string, Command> {
  const bindings: Record<string, Command> = {}
  for (const { keys, run, isEverywhere } of shortcuts) {
    if (run === undefined || isEverywhere !== true) continue
    for (const key of keys) bindings[key] = run
  }
  return bindings
}
