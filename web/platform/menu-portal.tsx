/**
 * Where a menu is drawn that opens over all else: at the end of the page, in a landmark of its own,
 * since what stands in none is not found by those who go from landmark to landmark.
 */
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

export const MenuPortal = ({ children }: { readonly children: ReactNode }) => (
  <DropdownMenu.Portal>
    <section aria-label="Menu">{children}</section>
  </DropdownMenu.Portal>
)
