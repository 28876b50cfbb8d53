/**
 * Whether the documents of the guest that one was become one's own: asked once after signing in,
 * since on a shared machine the guest may have been somebody else.
 */
import { Dialog } from 'radix-ui'
import { answerGuestDocuments, type GuestDocuments } from '../api/account.ts'
import { ApiError } from '../api/http.ts'
import { notify } from '../platform/notices.ts'
import { focusFirst } from '../platform/writers-place.ts'
import { FormProblem, useForm } from './form.tsx'

export interface GuestDocumentsQuestionProps {
  readonly left: GuestDocuments
  readonly onAnswered: () => void
}

const counted = (documents: number): string =>
  documents === 1 ? 'one document' : `${documents} documents`

export function GuestDocumentsQuestion({ left, onAnswered }: GuestDocumentsQuestionProps) {
  const { name, documents } = left
  const answer = async (join: boolean) => {
    try {
      await answerGuestDocuments(join)
      if (join)
        notify(
          documents === 1
            ? 'The document was moved to your account.'
            : 'The documents were moved to your account.',
        )
    } catch (error) {
      // Answered already, on another page.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
    }
    onAnswered()
  }
  const joining = useForm({ send: () => answer(true) })
  const leaving = useForm({ send: () => answer(false) })
  const isBusy = joining.isBusy || leaving.isBusy
  return (
    <>
      <Dialog.Title>Move {counted(documents)} to your account?</Dialog.Title>
      <Dialog.Description className="dialog-lead">
        Someone used this browser as the guest “{name}”. If that was you, you can move these
        documents to your account. Otherwise they stay available to anyone who has a link.
      </Dialog.Description>
      <FormProblem problem={joining.problem ?? leaving.problem} />
      <div className="dialog-actions">
        <form {...leaving.attributes}>
          <button type="submit" className="button" disabled={isBusy}>
            That wasn’t me
          </button>
        </form>
        <form {...joining.attributes}>
          <button
            type="submit"
            className="button button-primary"
            disabled={isBusy}
            ref={focusFirst}
          >
            Move
          </button>
        </form>
      </div>
    </>
  )
}
