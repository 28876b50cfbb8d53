/** Where somebody writes, while they click on something beside the text. */
import type { MouseEvent } from 'react'

/** For `onMouseDown` of a button: who writes, clicks and goes on writes where the caret was. */
export function keepWritersPlace(event: MouseEvent): void {
  if (document.activeElement?.closest('[contenteditable="true"]') != null) event.preventDefault()
}
