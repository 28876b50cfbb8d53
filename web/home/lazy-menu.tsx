/** A menu with its button, open from the first: drawn once somebody pressed the button. */
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { MenuWords, menuItemClass } from '../platform/menu-words.tsx'
import { leavesWriter } from '../platform/writers-place.ts'
import type { MenuButton } from './on-first-use.tsx'

export interface LazyMenuProps extends MenuButton {
  readonly children: ReactNode
}

export const LazyMenu = ({ className, label, face, children }: LazyMenuProps) => (
  <DropdownMenu.Root modal={false} defaultOpen>
    <DropdownMenu.Trigger className={className}>
      {face}
      <span className="visually-hidden">{label}</span>
    </DropdownMenu.Trigger>
    <MenuPortal>
      <DropdownMenu.Content
        className="menu float bar-menu"
        align="end"
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={leavesWriter}
      >
        {children}
      </DropdownMenu.Content>
    </MenuPortal>
  </DropdownMenu.Root>
)

export interface EntryProps {
  readonly icon: ReactNode
  readonly label: string
  /** A line under the label that says what will be true. */
  readonly more?: string
  readonly isDanger?: boolean
  readonly onChoose: () => void
}

export const Entry = ({ icon, label, more, isDanger = false, onChoose }: EntryProps) => (
  <DropdownMenu.Item
    className={menuItemClass(more)}
    data-danger={isDanger || undefined}
    onSelect={onChoose}
  >
    {icon}
    <MenuWords label={label} more={more} />
  </DropdownMenu.Item>
)

export const Rule = () => <DropdownMenu.Separator className="menu-rule" />
