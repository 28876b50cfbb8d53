/**
 * What has the focus may go away, as a button that did its work, or be disabled. The browser then
 * leaves the focus on nothing: words that are typed vanish and single keys act as shortcuts.
 */

interface FocusGuard {
  readonly area: HTMLElement
  /** What around the focused element may take the focus in its place, as a selector. */
  readonly holder?: string
  /** Called where that has gone too. */
  readonly elsewhere: () => void
}

/** Passes on a focus that is lost within `area`, until the returned function is called. */
export function guardFocus({ area, holder, elsewhere }: FocusGuard): () => void {
  let last: HTMLElement | undefined
  let around: HTMLElement | undefined
  const isLost = () =>
    last !== undefined && (!area.isConnected || !area.contains(last) || last.matches(':disabled'))
  const look = () => {
    if (!isLost()) return
    const [place, isNowhere] = [around, (document.activeElement ?? document.body) === document.body]
    last = undefined
    if (!isNowhere) return
    if (place?.isConnected === true) place.focus({ preventScroll: true })
    else elsewhere()
  }
  const onFocusIn = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement ? target : undefined
    around = holder === undefined ? undefined : (last?.closest<HTMLElement>(holder) ?? undefined)
  }
  const onFocusOut = () => {
    // Some browsers say so of an element that is on its way out.
    queueMicrotask(() => {
      if (!isLost() && !area.contains(document.activeElement)) last = undefined
    })
  }
  const observer = new MutationObserver(look)
  const attributeFilter = ['disabled']
  observer.observe(area, { subtree: true, childList: true, attributes: true, attributeFilter })
  area.addEventListener('focusin', onFocusIn)
  area.addEventListener('focusout', onFocusOut)
  return () => {
    observer.disconnect()
    area.removeEventListener('focusin', onFocusIn)
    area.removeEventListener('focusout', onFocusOut)
    queueMicrotask(look)
  }
}

/** For `ref` of what stands beside the text: a focus that is lost in it goes to the text. */
export const passFocusToText = (area: HTMLElement | null): (() => void) | undefined => {
  if (area === null) return undefined
  const elsewhere = () => document.querySelector<HTMLElement>('.text')?.focus()
  return guardFocus({ area, elsewhere })
}
