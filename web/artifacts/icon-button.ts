/** A button that is an icon, without React: what it does is its name and is shown on hover. */
import { element } from '../platform/element.ts'

/** Lines on a grid of 24, in the manner of the page's other icons. */
const lines = {
  stop: 'M5 5h14v14H5z',
  fill: 'M8 3H5a2 2 0 0 0-2 2v3M16 3h3a2 2 0 0 1 2 2v3M8 21H5a2 2 0 0 1-2-2v-3M16 21h3a2 2 0 0 0 2-2v-3',
  source: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
} as const

export function iconButton(
  icon: keyof typeof lines,
  label: string,
  act: () => void,
): HTMLButtonElement {
  const made = element('button', 'button button-icon')
  made.type = 'button'
  made.title = label
  made.setAttribute('aria-label', label)
  made.innerHTML =
    '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 24 24" fill="none" ' +
    `stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${lines[icon]}"/></svg>`
  made.addEventListener('click', act)
  return made
}
