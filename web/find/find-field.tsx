/**
 * The field of what is looked for. It is there in the turn of the key that asks for it, before the
 * rest of the bar has been loaded: what is typed from then on is looked for, and not written.
 */
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'

export interface FindFieldProps {
  readonly text: string
  readonly onText: (text: string) => void
  /** What stood in it at first. */
  readonly begun: string
  /** Grows each time somebody asks for it: the text is selected again. */
  readonly asked: number
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

export function FindField({ text, onText, begun, asked, onKeyDown }: FindFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const field = input.current
    field?.focus()
    // The bar's own field goes on where the first one stood.
    const isTyped = isFirst.current && text !== begun
    field?.setSelectionRange(isTyped ? text.length : 0, text.length)
    isFirst.current = false
  }, [asked])
  return (
    <input
      ref={input}
      className="field find-field"
      type="text"
      aria-label="Find"
      placeholder="Find"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
