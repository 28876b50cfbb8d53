/** What who cannot share sees: what they may do, who else can read it, and what to ask for. */
import { useEffect, useState } from 'react'
import { type Ownership, opensForAnybody, readOwnership } from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { Refresher } from './refresher.ts'

export interface Standing {
  /** Whether the address of the page alone lets read; `undefined` while that is not known. */
  readonly isOpen: boolean | undefined
  readonly owner: Ownership['owner'] | undefined
}

export function useStanding(session: DocumentSession): Standing {
  const [isOpen, setOpen] = useState<boolean>()
  const [owner, setOwner] = useState<Ownership['owner']>()
  useEffect(() => {
    // What is not known is not shown.
    const unknown = () => undefined
    const reading = new Refresher(session, async () => {
      const { slug } = session
      const [opens, ownership] = await Promise.all([
        opensForAnybody(slug).catch(unknown),
        readOwnership(slug).catch(unknown),
      ])
      if (reading.isClosed) return
      setOpen(opens)
      setOwner(ownership?.owner)
    })
    return () => reading.close()
  }, [session])
  return { isOpen, owner }
}

export function ReaderView({ session, isOpen, owner }: Standing & { session: DocumentSession }) {
  const role = useStore(session.role)
  const account = useStore(session.account)
  const ask = owner === undefined || owner === null ? 'the owner' : owner.name
  const isComment = role === 'commenter'
  return (
    <>
      <p>{isComment ? 'You can read and comment here.' : 'You can read this document.'}</p>
      <p className="share-soft">
        To {isComment ? 'edit' : 'edit or comment'}, ask {ask} for a link
        {account === undefined || account.guest
          ? '.'
          : ` or an invitation to your handle, @${account.handle}.`}
      </p>
      {isOpen === undefined ? null : (
        <p className="share-soft">
          {isOpen ? 'Anyone with the link can read it.' : 'Only people with access can open it.'}
        </p>
      )}
    </>
  )
}
