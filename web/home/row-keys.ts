/** Going through the rows by the keyboard: up and down, and to a row's menu and back. */
import type { KeyboardEvent } from 'react'

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('a.row-link')]

/** Counted from the first, or from the last where negative. Whether there is one. */
export function focusRow(index: number): boolean {
  const row = links().at(index)
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  return row !== undefined
}

/** For the list; `onEnd`: somebody wants to go beyond the last row. */
export function goThroughRows(event: KeyboardEvent<HTMLElement>, onEnd: () => void): void {
  const { key, target } = event
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return
  const row = target.closest('li')
  const at = links().findIndex((link) => row?.contains(link) === true)
  if (at < 0) return
  const isMenu = target.matches('button')
  const to: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      if (!focusRow(at + 1)) onEnd()
    },
    ArrowUp: () => {
      if (at > 0) focusRow(at - 1)
      else document.querySelector<HTMLElement>('.home-search input')?.focus()
    },
    Home: () => focusRow(0),
    End: () => focusRow(-1),
    ArrowRight: () => row?.querySelector<HTMLElement>('button')?.focus(),
    ArrowLeft: () => focusRow(at),
  }
  // Up and down on the menu's button are the menu's.
  const go = isMenu && !['ArrowLeft', 'Home', 'End'].includes(key) ? undefined : to[key]
  if (go === undefined) return
  event.preventDefault()
  go()
}
