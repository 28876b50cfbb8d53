/**
 * What the top of the window is covered by: the bar, and what is docked under it while it is open.
 * The page makes room for that, and the lines that are read stay where they are.
 */

const barPx = 48
let dockedPx = 0

/** From where on text can be seen, in the window. */
export const coveredTop = (): number => barPx + dockedPx

/** Keeps room under the bar as high as `element`, until the returned function is called. */
export function dockUnderBar(element: HTMLElement): () => void {
  const measure = () => setDocked(element.offsetHeight)
  const observer = new ResizeObserver(measure)
  observer.observe(element)
  measure()
  return () => {
    observer.disconnect()
    setDocked(0)
  }
}

/** At the top of the document there is nothing to scroll away: there the text makes way. */
function setDocked(px: number): void {
  const more = px - dockedPx
  if (more === 0) return
  const before = window.scrollY
  dockedPx = px
  document.documentElement.style.setProperty('--docked', `${px}px`)
  window.scrollTo({ top: before + Math.min(more, before), behavior: 'instant' })
}

/** Below the notices at the foot of the window, for what is loaded later. */
export const dockFoot = (): Element => document.querySelector('.dock-foot') ?? document.body
