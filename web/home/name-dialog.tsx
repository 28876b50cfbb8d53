/** Asks for a name. */
import { NameForm } from '../app/name-dialog.tsx'
import { Modal } from '../platform/modal.tsx'

export interface NameDialogProps {
  readonly title: string
  /** Of the field. */
  readonly label: string
  readonly action: string
  readonly name: string
  /** What codes mean here. */
  readonly messages: Readonly<Record<string, string>>
  /** Does it; what it throws is shown. */
  readonly onName: (name: string) => Promise<void>
  readonly onClose: () => void
}

export const NameDialog = (props: NameDialogProps) => {
  const { title, label, action, name, messages, onName, onClose } = props
  return (
    <Modal title={title} className="name-dialog" onClose={onClose}>
      <NameForm
        label={label}
        initial={name}
        action={action}
        onName={async (given) => {
          await onName(given)
          onClose()
        }}
        onCancel={onClose}
        messages={messages}
      />
    </Modal>
  )
}
