/** How a key of the keymap is written for a person at this machine: ⌘⇧X, Ctrl+Shift+X. */

export const isMac: boolean =
  typeof navigator !== 'undefined' && /Mac|iP(hone|[oa]d)/.test(navigator.platform)

const mac: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Alt: '⌥',
  Shift: '⇧',
  Enter: '↩',
  Backspace: '⌫',
  Tab: '⇥',
}
const other: Readonly<Record<string, string>> = { Mod: 'Ctrl' }
const both: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' }

/** The parts of a key, one for each cap. */
export function keyCaps(key: string, forMac = isMac): readonly string[] {
  const names = { ...both, ...(forMac ? mac : other) }
  return key
    .split('-')
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
}

export const keyName = (key: string, forMac = isMac): string =>
  keyCaps(key, forMac).join(forMac ? '' : '+')

/** The same as `aria-keyshortcuts` has it. */
export const ariaKey = (key: string): string =>
  key.replace('Mod', isMac ? 'Meta' : 'Control').replaceAll('-', '+')
