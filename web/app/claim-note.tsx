/**
 * Tells the first person who came by an agent's share link that the document is theirs now, until
 * they have read it; with the way back. It stands above the text, where it covers nothing.
 */
import { X } from 'lucide-react'
import { useState } from 'react'
import { giveBackDocument } from '../api/documents.ts'
import { ApiError } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import type { DocumentSession } from '../live/session.ts'
import { rememberGivenBack, settleClaim } from '../platform/claims.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { notify } from '../platform/notices.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'

export function ClaimNote({ session: { slug } }: { readonly session: DocumentSession }) {
  const [isBusy, setBusy] = useState(false)
  const giveBack = async () => {
    setBusy(true)
    try {
      await giveBackDocument(slug)
      rememberGivenBack(slug)
      notify('You no longer own this document. You can still edit it.')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notify(troubleWords(error), 'problem')
    }
    setBusy(false)
  }
  return (
    <div ref={passFocusToText} className="claim-note" role="status">
      <span>You now own this document. You can lock, archive and delete it.</span>
      <button
        type="button"
        className="button"
        disabled={isBusy}
        onMouseDown={keepWritersPlace}
        onClick={giveBack}
      >
        Give up ownership
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Got it"
        onMouseDown={keepWritersPlace}
        onClick={() => settleClaim(slug)}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}
