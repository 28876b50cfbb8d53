/** The sheet of all shortcuts, drawn from the table that the keymap is built from. */
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { PageActions } from '../editor/commands/page-actions.ts'
import { shortcutGroups, shortcutsWith } from '../editor/commands/shortcuts.ts'
import { keyCaps } from '../platform/key-names.ts'
import { useFocusBefore } from '../platform/writers-place.ts'
import { usePortalContainer } from './portal-container.ts'
import { slashItems } from './slash-items.ts'

interface ShortcutsSheetProps {
  readonly actions: PageActions
  readonly close: () => void
}

export function ShortcutsSheet({ actions, close }: ShortcutsSheetProps) {
  const container = usePortalContainer()
  const goBack = useFocusBefore(true)
  const shortcuts = shortcutsWith(actions)
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal container={container}>
        <div className="dialog-scrim" />
        <Dialog.Content
          className="dialog sheet"
          aria-modal="true"
          aria-describedby={undefined}
          onCloseAutoFocus={goBack}
        >
          <div className="sheet-head">
            <Dialog.Title>Keyboard shortcuts</Dialog.Title>
            <Dialog.Close className="button button-icon" aria-label="Close">
              <X aria-hidden />
            </Dialog.Close>
          </div>
          <div className="sheet-groups">
            {shortcutGroups.map((group) => (
              <section key={group}>
                <h3>{group}</h3>
                <dl>
                  {shortcuts
                    .filter((row) => row.group === group)
                    .map(({ label, keys }) => (
                      <Row key={label} label={label} caps={keyCaps(keys[0] ?? '')} />
                    ))}
                </dl>
              </section>
            ))}
            <section>
              <h3>While typing</h3>
              <dl>
                <Row label="Block menu" caps={['/']} />
                {slashItems.map(({ label, typed }) =>
                  typed === undefined ? null : <Row key={label} label={label} caps={[typed]} />,
                )}
                {inline.map(([label, typed]) => (
                  <Row key={label} label={label} caps={[typed]} />
                ))}
              </dl>
            </section>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const inline: readonly (readonly [label: string, typed: string])[] = [
  ['Bold', '**bold**'],
  ['Italic', '*italic*'],
  ['Strikethrough', '~~gone~~'],
  ['Code', '`code`'],
  ['Link', '[text](address)'],
]

function Row({ label, caps }: { readonly label: string; readonly caps: readonly string[] }) {
  return (
    <div className="sheet-row">
      <dt>{label}</dt>
      <dd>
        {caps.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
      </dd>
    </div>
  )
}
