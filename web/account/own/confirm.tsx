/** Asks before something that cannot be taken back, in words of what will be true after it. */
import { AlertDialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { focusFirst } from '../../platform/writers-place.ts'
import { FormProblem } from '../form.tsx'
import { type Problem, problemOf } from '../problems.ts'

export interface ConfirmProps {
  /** Of the button that asks. */
  readonly button: string
  readonly label: string
  readonly title: string
  readonly text: ReactNode
  /** Of the button that does it. */
  readonly action: string
  readonly act: () => Promise<void>
}

export function Confirm({ button, label, title, text, action, act }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const turn = (open: boolean) => {
    setProblem(undefined)
    setOpen(open)
  }
  const confirm = async () => {
    setBusy(true)
    try {
      await act()
      setOpen(false)
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={turn}>
      <AlertDialog.Trigger className="button button-line" aria-label={label}>
        {button}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-scrim" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className="dialog-lead">{text}</AlertDialog.Description>
          <FormProblem problem={problem} />
          <div className="dialog-actions">
            <AlertDialog.Cancel className="button" ref={focusFirst}>
              Cancel
            </AlertDialog.Cancel>
            <button
              type="button"
              className="button button-destroy"
              disabled={isBusy}
              onClick={confirm}
            >
              {action}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
