/** A dialog over the page. Escape and a click beside it close it. */
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useFocusBefore } from './writers-place.ts'

export interface ModalProps {
  /** Undefined: the children have a `Dialog.Title`. */
  readonly title?: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function Modal({ title, className = '', onClose, children }: ModalProps) {
  const back = useFocusBefore(true)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-scrim" />
        <Dialog.Content className={`dialog ${className}`} onCloseAutoFocus={back}>
          {title === undefined ? null : <Dialog.Title>{title}</Dialog.Title>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
