/** F6: round the parts of the page, as a window goes round its panes. */

const parts = 'header, search, nav, main, aside, footer, [role="region"], [role="complementary"]'
const focusable =
  '[contenteditable="true"], a[href], button:not([disabled]), input, select, textarea, [tabindex="0"]'

const isSeen = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true })

function firstIn(part: Element): HTMLElement | undefined {
  const text = part.querySelector<HTMLElement>('.text')
  if (text !== null && part.tagName === 'MAIN') return text
  return [...part.querySelectorAll<HTMLElement>(focusable)].find(isSeen)
}

/** Focuses the next part that has something to focus, or the one before. */
export function goToLandmark(direction: 1 | -1): void {
  const all = [...document.querySelectorAll(parts)].filter(
    (part) => isSeen(part) && firstIn(part) !== undefined,
  )
  const at = all.findLastIndex((part) => part.contains(document.activeElement))
  const start = at < 0 && direction < 0 ? 0 : at
  const next = all[(start + direction + all.length) % all.length]
  if (next !== undefined) firstIn(next)?.focus()
}
