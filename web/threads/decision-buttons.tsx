/** Accept and Reject, as they stand wherever a suggestion is decided. */
import { Check, X } from 'lucide-react'
import type { Decision } from '../api/threads.ts'

interface DecisionButtonsProps {
  readonly mayAccept: boolean
  readonly mayReject: boolean
  /** Said of a key beside the name. */
  readonly titles?: Readonly<Record<Decision, string>>
  /** It is all that there is to do. */
  readonly isPrimary?: boolean
  onDecide(as: Decision): void
}

export function DecisionButtons(props: DecisionButtonsProps) {
  const { mayAccept, mayReject, titles, isPrimary = false, onDecide } = props
  return (
    <>
      <button
        type="button"
        className={`button ${isPrimary ? 'button-primary' : 'button-line'}`}
        disabled={!mayAccept}
        title={titles?.accept}
        onClick={() => onDecide('accept')}
      >
        <Check aria-hidden />
        Accept
      </button>
      <button
        type="button"
        className={`button ${isPrimary ? 'button-line' : ''}`}
        disabled={!mayReject}
        title={titles?.reject}
        onClick={() => onDecide('reject')}
      >
        <X aria-hidden />
        Reject
      </button>
    </>
  )
}
