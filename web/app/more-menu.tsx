/** The bar's last menu: what is needed now and then, and on a phone what has no place beside it. */
import { Bot, Ellipsis, Link, Monitor, Moon, Plus, Printer, Sun } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { useStore } from '../platform/store.ts'
import { copyLink, copyPrompt, type Shared } from './share-buttons.tsx'
import { chooseTheme, currentTheme, type Theme } from './theme.ts'

export interface MoreMenuProps {
  readonly shared: Shared
  /** Whether this person may hand out links. */
  readonly mayShare: boolean
  /** Further entries, such as the shortcuts sheet. */
  readonly children?: ReactNode
}

const themes: readonly {
  readonly theme: Theme
  readonly label: string
  readonly icon: ReactNode
}[] = [
  { theme: 'system', label: 'As the system', icon: <Monitor /> },
  { theme: 'light', label: 'Light', icon: <Sun /> },
  { theme: 'dark', label: 'Dark', icon: <Moon /> },
]

export function MoreMenu({ shared, mayShare, children }: MoreMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button button-icon" aria-label="More">
        <Ellipsis aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu float" align="end" sideOffset={4}>
          {mayShare ? <ShareItems shared={shared} /> : null}
          <DropdownMenu.Item className="menu-item" onSelect={() => location.assign('/')}>
            <Plus aria-hidden />
            All documents
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => window.print()}>
            <Printer aria-hidden />
            Print
          </DropdownMenu.Item>
          {children}
          <DropdownMenu.Separator className="menu-rule" />
          <ThemeChoice />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function ShareItems({ shared }: { readonly shared: Shared }) {
  return (
    <div className="only-narrow">
      <DropdownMenu.Item className="menu-item" onSelect={() => copyLink(shared)}>
        <Link aria-hidden />
        Copy link
      </DropdownMenu.Item>
      <DropdownMenu.Item className="menu-item" onSelect={() => copyPrompt(shared)}>
        <Bot aria-hidden />
        Copy a prompt for your agent
      </DropdownMenu.Item>
      <DropdownMenu.Separator className="menu-rule" />
    </div>
  )
}

function ThemeChoice() {
  const theme = useStore(currentTheme)
  return (
    <DropdownMenu.RadioGroup
      value={theme}
      onValueChange={(value) => chooseTheme(value as Theme)}
      aria-label="Appearance"
    >
      {themes.map(({ theme: offered, label, icon }) => (
        <DropdownMenu.RadioItem key={offered} className="menu-item" value={offered}>
          {icon}
          {label}
          <DropdownMenu.ItemIndicator className="menu-check">✓</DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
