/** A choice of one thing: its words on a button, what each option means in a menu behind it. */
import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { MenuPortal } from './menu-portal.tsx'
import { MenuWords, menuItemClass } from './menu-words.tsx'
import { leavesWriter } from './writers-place.ts'

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly more?: string
}

export interface OptionMenuProps<T extends string> {
  /** What is chosen here, as who cannot see the place hears it. */
  readonly label: string
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onChoose: (value: T) => void
  /** Stands last, behind a line. */
  readonly last?: { readonly label: string; readonly onChoose: () => void }
}

export function OptionMenu<T extends string>(props: OptionMenuProps<T>) {
  const { label, value, options, onChoose, last } = props
  const wanted = useRef<() => void>(undefined)
  const chosen = options.find((option) => option.value === value)
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="button option-button"
        aria-label={`${label}: ${chosen?.label ?? value}`}
      >
        {chosen?.label ?? value}
        <ChevronDown aria-hidden />
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          className="menu float option-menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          // The menu holds the focus until then, and what was asked for takes it.
          onCloseAutoFocus={(event) => {
            const act = wanted.current
            if (act === undefined) {
              leavesWriter(event)
              return
            }
            event.preventDefault()
            wanted.current = undefined
            act()
          }}
        >
          <DropdownMenu.RadioGroup
            aria-label={label}
            value={value}
            onValueChange={(next) => onChoose(next as T)}
          >
            {options.map((option) => (
              <DropdownMenu.RadioItem
                key={option.value}
                className={menuItemClass(option.more)}
                value={option.value}
              >
                <MenuWords label={option.label} more={option.more} />
                <DropdownMenu.ItemIndicator className="menu-check" aria-hidden>
                  ✓
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          {last === undefined ? null : (
            <>
              <DropdownMenu.Separator className="menu-rule" />
              <DropdownMenu.Item
                className="menu-item menu-item-danger"
                onSelect={() => {
                  wanted.current = last.onChoose
                }}
              >
                {last.label}
              </DropdownMenu.Item>
            </>
          )}
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}
