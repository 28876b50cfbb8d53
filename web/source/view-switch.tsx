/** The bar's choice between the page, its markdown, and both. */
import { Code, Columns2, FileText } from 'lucide-react'
import { ToggleGroup } from 'radix-ui'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { type ViewMode, viewMode } from './view-mode.ts'

const choices = [
  { mode: 'page', label: 'Page', Icon: FileText },
  { mode: 'split', label: 'Page and source', Icon: Columns2 },
  { mode: 'source', label: 'Source (plain text view)', Icon: Code },
] as const

export function ViewSwitch({ session }: { readonly session: DocumentSession }) {
  const store = viewMode(session)
  const mode = useStore(store)
  const choose = (chosen: string) => {
    // An empty choice is a click on what is chosen already.
    if (chosen !== '') store.set(chosen as ViewMode)
  }
  return (
    <ToggleGroup.Root
      type="single"
      className="view-switch"
      value={mode}
      onValueChange={choose}
      onMouseDown={keepWritersPlace}
      aria-label="View"
    >
      {choices.map(({ mode: value, label, Icon }) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          className="button button-icon"
          data-mode={value}
          aria-label={label}
          title={label}
        >
          <Icon aria-hidden />
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
