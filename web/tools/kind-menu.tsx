/** The kinds that a block can be turned into, as the items of a menu. */
import type { EditorView } from 'prosemirror-view'
import { DropdownMenu } from 'radix-ui'
import { blockKinds } from '../editor/commands/block-kinds.ts'
import type { BlockKindName } from '../editor/commands/selected-blocks.ts'
import { KindIcon } from './kind-icon.tsx'
import { perform } from './perform.ts'

interface KindItemsProps {
  readonly view: EditorView
  readonly current: BlockKindName | undefined
}

export function KindItems({ view, current }: KindItemsProps) {
  return (
    <DropdownMenu.RadioGroup value={current ?? ''} aria-label="Turn into">
      {blockKinds.map(({ name, label, turnInto }) => (
        <DropdownMenu.RadioItem
          key={name}
          value={name}
          className="menu-item"
          onSelect={() => perform(view, turnInto)}
        >
          <KindIcon name={name} />
          {label}
          <DropdownMenu.ItemIndicator className="menu-check" aria-hidden>
            ✓
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export const kindLabel = (kind: BlockKindName | undefined): string =>
  blockKinds.find(({ name }) => name === kind)?.label ?? 'Blocks'
