/** To whom the document is offered, is asked; only people with a full account can be. */
import { useEffect, useState } from 'react'
import { acceptDocument, type Ownership, readOwnership, withdrawOffer } from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { Refresher } from './refresher.ts'
import { problemOf } from './words.ts'

export function OfferNote({ session }: { readonly session: DocumentSession }) {
  const found = useOffer(session)
  const [isBusy, setBusy] = useState(false)
  const [isSettled, setSettled] = useState(false)
  if (found?.offer == null || isSettled) return null
  const { owner } = found
  const settle = async (act: (slug: string) => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await act(session.slug)
      setSettled(true)
    } catch (error) {
      notify(problemOf(error, { FORBIDDEN: 'This offer was withdrawn or has expired.' }), 'problem')
    }
    setBusy(false)
  }
  return (
    <div className="notice float vacated-note">
      {owner?.name ?? 'The owner'} wants to make you the owner of this document.
      <button type="button" className="button" onClick={() => settle(withdrawOffer)}>
        Decline
      </button>
      <button
        type="button"
        className="button button-primary"
        onClick={() => settle(acceptDocument)}
      >
        Accept
      </button>
    </div>
  )
}

/** What is offered to this person; looked up again when access changes. */
function useOffer(session: DocumentSession): Ownership | undefined {
  const account = useStore(session.account)
  const role = useStore(session.role)
  const [found, setFound] = useState<Ownership>()
  const mayGet = account?.guest === false && role !== undefined && role !== 'owner'
  const actor = account?.actor_id
  useEffect(() => {
    setFound(undefined)
    if (!mayGet) return
    const reading = new Refresher(session, async () => {
      // Without an answer what was known stays.
      const now = await readOwnership(session.slug).catch(() => undefined)
      if (now === undefined || reading.isClosed) return
      setFound(now.offer?.actor_id === actor ? now : undefined)
    })
    return () => reading.close()
  }, [session, mayGet, actor])
  return found
}
