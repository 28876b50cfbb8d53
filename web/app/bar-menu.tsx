/**
 * A menu of the bar and what stands in it. Who writes, opens one with the mouse and chooses goes on
 * writing where the caret was; who came by the keyboard is at the menu's button again. Enter chooses
 * and closes; the space bar switches what can be switched and leaves the menu open.
 */
import { DropdownMenu } from 'radix-ui'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useMemo,
  useRef,
} from 'react'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { MenuWords, menuItemClass } from '../platform/menu-words.tsx'
import { writersPlace } from '../platform/writers-place.ts'

interface Visit {
  /** Gives the focus back to whom it was taken from. */
  readonly goBack: () => void
  /** The choice was made with the space bar. */
  readonly stays: () => boolean
}

const CurrentVisit = createContext<Visit>({ goBack: () => {}, stays: () => false })

export interface BarMenuProps {
  readonly label: string
  /** Of the button. */
  readonly className: string
  readonly menuClass?: string
  readonly face: ReactNode
  /** Somebody may be about to open it. */
  readonly onPreload?: () => void
  readonly children: ReactNode
}

export function BarMenu({ label, className, menuClass = 'bar-menu', ...shown }: BarMenuProps) {
  const { face, children, onPreload } = shown
  const button = useRef<HTMLButtonElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLElement>(undefined)
  const isSpace = useRef(false)
  const visit = useMemo<Visit>(() => {
    const goBack = () => {
      place.current?.focus({ preventScroll: true })
      if (writersPlace() === undefined) button.current?.focus()
    }
    return { goBack, stays: () => isSpace.current }
  }, [])
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        ref={button}
        className={className}
        onPointerEnter={onPreload}
        onFocus={onPreload}
        onPointerDown={() => {
          if (content.current === null) place.current = writersPlace()
        }}
        // Comes only where the press before it closed the menu.
        onMouseDown={(event) => {
          event.preventDefault()
          visit.goBack()
        }}
        onKeyDown={() => {
          place.current = undefined
        }}
      >
        {/* A name by `aria-label` would have to begin with what the face shows. */}
        <span className="visually-hidden">{label}</span>
        <span className="bar-face" aria-hidden>
          {face}
        </span>
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          ref={content}
          className={`menu float ${menuClass}`}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onKeyDownCapture={({ key }) => {
            isSpace.current = key === ' '
          }}
          onPointerDownCapture={() => {
            isSpace.current = false
          }}
          // The caret stays where it is, too.
          onMouseDown={(event) => event.preventDefault()}
          // At once: the next key is the text's already.
          onEscapeKeyDown={visit.goBack}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const { activeElement: focused, body } = document
            // What was chosen may have taken the focus to where it is needed.
            if (focused === null || focused === body || focused === button.current) visit.goBack()
          }}
        >
          <CurrentVisit.Provider value={visit}>{children}</CurrentVisit.Provider>
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}

/** How an item of a menu that switches something is left. */
function useSwitching() {
  const { goBack, stays } = useContext(CurrentVisit)
  return (event: Event) => {
    if (stays()) event.preventDefault()
    else goBack()
  }
}

export interface MenuActionProps {
  readonly icon: ReactNode
  readonly label: string
  /** A line under the label that says what it does. */
  readonly more?: string
  readonly keys?: string
  readonly isOff?: boolean
  readonly onChoose: () => void
}

export function MenuAction({ icon, label, more, keys, isOff = false, onChoose }: MenuActionProps) {
  const { goBack } = useContext(CurrentVisit)
  const act = () => {
    // First, since what is opened returns to where the focus was.
    goBack()
    onChoose()
  }
  return (
    <DropdownMenu.Item className={menuItemClass(more)} disabled={isOff} onSelect={act}>
      {icon}
      <MenuWords label={label} more={more} />
      {keys === undefined ? null : <span className="kbd">{keys}</span>}
    </DropdownMenu.Item>
  )
}

export interface MenuSwitchProps {
  readonly icon: ReactNode
  readonly label: string
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
}

export function MenuSwitch({ icon, label, isOn, onSwitch }: MenuSwitchProps) {
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item"
      checked={isOn}
      onCheckedChange={onSwitch}
      onSelect={useSwitching()}
    >
      {icon}
      {label}
      <DropdownMenu.ItemIndicator className="menu-check" aria-hidden>
        ✓
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  )
}

export interface Choice<T> {
  readonly value: T
  readonly label: string
  readonly icon?: ReactNode
  /** A line under the label that says what it means. */
  readonly more?: string
  readonly keys?: string
}

export interface MenuChoicesProps<T> {
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChoose: (value: T) => void
}

/** One of several, a line each. */
export function MenuChoices<T extends string>(props: MenuChoicesProps<T>) {
  const { label, value, choices, onChoose } = props
  const leave = useSwitching()
  return (
    <DropdownMenu.RadioGroup
      value={value}
      onValueChange={(chosen) => onChoose(chosen as T)}
      aria-label={label}
    >
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          className={menuItemClass(choice.more)}
          value={choice.value}
          onSelect={leave}
        >
          {choice.icon}
          <MenuWords label={choice.label} more={choice.more} />
          {choice.keys === undefined ? null : <span className="kbd">{choice.keys}</span>}
          <DropdownMenu.ItemIndicator className="menu-check" aria-hidden>
            ✓
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

/** One of several, in one line behind its label. */
export function MenuRow<T extends string>(props: MenuChoicesProps<T>) {
  const { label, value, choices, onChoose } = props
  const leave = useSwitching()
  return (
    <div className="menu-row">
      <span aria-hidden>{label}</span>
      <DropdownMenu.RadioGroup
        className="menu-row-choices"
        value={value}
        onValueChange={(chosen) => onChoose(chosen as T)}
        onKeyDown={goSideways}
        aria-label={label}
      >
        {choices.map((choice) => (
          <DropdownMenu.RadioItem
            key={choice.value}
            className="menu-row-choice"
            value={choice.value}
            onSelect={leave}
          >
            {choice.label}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </div>
  )
}

const sideways: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Up and down go through a row too; along it is what its look promises. */
function goSideways({ key, currentTarget, target }: KeyboardEvent<HTMLElement>): void {
  const choices = [...currentTarget.querySelectorAll<HTMLElement>('[role="menuitemradio"]')]
  const at = choices.indexOf(target as HTMLElement)
  const next = choices[at + (sideways[key] ?? 0)]
  if (at >= 0 && next !== undefined) next.focus()
}

export const MenuRule = () => <DropdownMenu.Separator className="menu-rule" />
