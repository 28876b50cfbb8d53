/** Where somebody writes, while they use something beside the text. */
import { type MouseEvent, useRef } from 'react'

/** For `onMouseDown` of a button: who writes, clicks and goes on writes where the caret was. */
export function keepWritersPlace(event: MouseEvent): void {
  if (document.activeElement?.closest('[contenteditable="true"]') != null) event.preventDefault()
}

/** What has the focus, in the page or in a part of it that has a tree of its own. */
export function focusedElement(): HTMLElement | undefined {
  let focused = document.activeElement
  for (let inner = focused; inner; inner = inner.shadowRoot?.activeElement ?? null) focused = inner
  return focused instanceof HTMLElement ? focused : undefined
}

/** The text that somebody's caret is in; undefined where the focus is elsewhere. */
export const writersPlace = (): HTMLElement | undefined =>
  focusedElement()?.closest<HTMLElement>('[contenteditable]') ?? undefined

/** For `ref` of what a dialog begins with. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()

/** For `ref` of what took the place of what had the focus: keys and screen readers go on there. */
export function focusUnlessElsewhere(element: HTMLElement | null): void {
  if (element !== null && focusedElement() === document.body) focusOn(element)
}

/**
 * For `onCloseAutoFocus`, which comes a moment after what closed is gone: who has begun to write
 * somewhere since then stays there. False: nobody has.
 */
export function leavesWriter(event: Event): boolean {
  const isWriting = focusedElement()?.matches('textarea, input, [contenteditable]') === true
  if (isWriting) event.preventDefault()
  return isWriting
}

/** For `onCloseAutoFocus` of what opened over the text. */
export const backToText = (view: { focus(): void }) => (event: Event) => {
  if (leavesWriter(event)) return
  event.preventDefault()
  view.focus()
}

/** For `onCloseAutoFocus` of a dialog: goes back to where somebody was when it opened. */
export function useFocusBefore(isOpen: boolean): (event: Event) => void {
  const wasOpen = useRef(false)
  const focused = useRef<HTMLElement>(undefined)
  // What is in the dialog takes the focus when it is drawn, before any effect.
  if (isOpen && !wasOpen.current) focused.current = focusedElement()
  wasOpen.current = isOpen
  return (event) => {
    if (leavesWriter(event)) return
    event.preventDefault()
    const element = presentOf(focused.current)
    if (element) focusOn(element)
  }
}

/** A text that is read-only for a moment takes the focus too: who waits in it writes on there. */
function focusOn(element: HTMLElement): void {
  element.focus()
  if (focusedElement() === element || element.hasAttribute('tabindex')) return
  element.tabIndex = -1
  element.focus()
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
}

/** Where it is gone, as an entry of a menu or a text that was drawn anew: the text or the title. */
function presentOf(element: HTMLElement | undefined): HTMLElement | null | undefined {
  const isThere = element?.isConnected === true && element !== document.body
  return isThere ? element : document.querySelector<HTMLElement>('.text, main h1[tabindex]')
}
