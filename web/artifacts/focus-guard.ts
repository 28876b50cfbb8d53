/**
 * Nothing keeps the scripts of a frame from taking the focus, `inert` and its sandbox neither, and
 * with it each key that somebody types beside it. So who takes what nobody gave is told of at once,
 * for the frame to be ended: at most the key of that moment is lost.
 */

/** Whoever has typed while the pointer rested on the frame has not clicked into it since. */
const typingMs = 1_000
/** A page that is in the background is told of nothing. */
const lookEveryMs = 250

export interface Guarded {
  readonly frame: HTMLElement
  /** What is around the frame: whoever was there may go on into it. */
  readonly around: HTMLElement
  /** Nobody has asked for it so far: whatever focus it has is taken. */
  readonly isResting: () => boolean
  /** `before` had the focus. */
  readonly onTaken: (before: HTMLElement | undefined) => void
}

export interface FocusGuard {
  /** The focus that comes next is given. */
  give(): void
  end(): void
}

export function guardFocus({ frame, around, isResting, onTaken }: Guarded): FocusGuard {
  const ended = new AbortController()
  const { signal } = ended
  let before = focused()
  let typedAt = Number.NEGATIVE_INFINITY
  let enteredAt = Number.NEGATIVE_INFINITY
  const isGiven = (): boolean => {
    if (isResting()) return false
    if (before === undefined || before === frame || around.contains(before)) return true
    // Nothing is typed there.
    if (!before.matches('input, textarea, [contenteditable="true"]')) return true
    const isOver = around.matches(':hover') || matchMedia('(hover: none)').matches
    return isOver && (enteredAt > typedAt || performance.now() - typedAt > typingMs)
  }
  const look = () => {
    const now = focused()
    if (signal.aborted) return
    if (now === frame && !isGiven()) onTaken(before)
    else before = now
  }
  const timer = setInterval(look, lookEveryMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  const hears = { capture: true, signal }
  document.addEventListener('focusin', look, hears)
  document.addEventListener('keydown', () => (typedAt = performance.now()), hears)
  around.addEventListener('pointerenter', () => (enteredAt = performance.now()), { signal })
  const onBlur = () => {
    look()
    // Not every browser has moved the focus by now.
    setTimeout(look)
  }
  window.addEventListener('blur', onBlur, { signal })
  return {
    give: () => {
      before = frame
    },
    end: () => ended.abort(),
  }
}

const focused = (): HTMLElement | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement : undefined
