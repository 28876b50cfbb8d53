/**
 * A menu's button before the menu's code is here: it is fetched when a hand comes near, and the
 * first press opens the menu that takes the button's place.
 */
import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react'

export interface MenuButton {
  readonly className: string
  readonly label: string
  readonly face: ReactNode
}

export interface OnFirstUseProps extends MenuButton {
  readonly load: () => Promise<unknown>
  /** The menu with its own button; drawn on the first press, and open. */
  readonly children: ReactNode
}

export function OnFirstUse({ className, label, face, load, children }: OnFirstUseProps) {
  const [isWanted, setWanted] = useState(false)
  const prepare = () => void load().catch(() => undefined)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    event.stopPropagation()
    setWanted(true)
  }
  const button = (
    <button
      type="button"
      className={className}
      aria-haspopup="menu"
      onPointerEnter={prepare}
      onFocus={prepare}
      onKeyDown={onKeyDown}
      onClick={() => setWanted(true)}
    >
      {face}
      <span className="visually-hidden">{label}</span>
    </button>
  )
  return isWanted ? <Suspense fallback={button}>{children}</Suspense> : button
}
