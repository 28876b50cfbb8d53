/** Asks for a name. */
import { Dialog } from 'radix-ui'
import { NameForm } from '../app/name-dialog.tsx'
import { useFocusBefore } from '../platform/writers-place.ts'

export interface NameDialogProps {
  readonly title: string
  /** Of the field. */
  readonly label: string
  readonly action: string
  readonly name: string
  /** What codes mean here. */
  readonly told: Readonly<Record<string, string>>
  /** Does it; what it throws is shown. */
  readonly onName: (name: string) => Promise<void>
  readonly onClose: () => void
}

export const NameDialog = (props: NameDialogProps) => {
  const { title, label, action, name, told, onName, onClose } = props
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-scrim" />
        <Dialog.Content
          className="dialog name-dialog"
          aria-describedby={undefined}
          onCloseAutoFocus={useFocusBefore(true)}
        >
          <Dialog.Title>{title}</Dialog.Title>
          <NameForm
            label={label}
            initial={name}
            action={action}
            onName={async (given) => {
              await onName(given)
              onClose()
            }}
            onCancel={onClose}
            told={told}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
