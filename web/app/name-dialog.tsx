/** Under which name somebody writes, and changing it: Enter takes the name that stands there. */
import { Dialog } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { troubleWords } from '../api/trouble.ts'
import { newGuestName } from '../live/guest-name.ts'
import type { DocumentSession } from '../live/session.ts'
import { Modal } from '../platform/modal.tsx'
import { ProblemLine } from '../platform/problem-line.tsx'
import { useStore } from '../platform/store.ts'
import { focusFirst } from '../platform/writers-place.ts'

export interface DialogProps {
  readonly session: DocumentSession
  readonly onClose: () => void
}

export function Rename({ session, onClose }: DialogProps) {
  const account = useStore(session.account)
  const give = async (name: string) => {
    await session.giveName(name)
    onClose()
  }
  return (
    <Modal title="Your name" className="name-dialog" onClose={onClose}>
      <Dialog.Description>
        Shown next to everything you write, including what you have already written.
      </Dialog.Description>
      <NameForm
        initial={account?.name ?? newGuestName()}
        action="Change"
        onName={give}
        onCancel={onClose}
      />
    </Modal>
  )
}

export interface NameFormProps {
  /** Of what; one's own unless said. */
  readonly label?: string
  readonly initial: string
  readonly action: string
  readonly onName: (name: string) => Promise<void>
  readonly onCancel: () => void
  /** What codes mean here. */
  readonly messages?: Readonly<Record<string, string>>
}

/** The field with its two buttons; also for changing a name later. */
export function NameForm({
  label,
  initial,
  action,
  onName,
  onCancel,
  messages = kept,
}: NameFormProps) {
  const isOwn = label === undefined
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    try {
      await onName(name.trim())
    } catch (error) {
      setProblem(troubleWords(error, messages))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="name-form" onSubmit={submit}>
      <input
        className="field"
        aria-label={label ?? 'Your name'}
        autoComplete={isOwn ? 'nickname' : 'off'}
        maxLength={isOwn ? 80 : 200}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onFocus={(event) => event.target.select()}
        ref={focusFirst}
      />
      <ProblemLine text={problem} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  )
}

const kept = { OFFLINE: 'Could not reach the server. Try again when you are online.' }
