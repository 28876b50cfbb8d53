/** Says when the owner locks the document or turns comments off, or takes that back. */
import { useEffect, useRef } from 'react'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'

export function useFlagNotice(session: DocumentSession): void {
  const flags = useStore(session.flags)
  const last = useRef(flags)
  /** What was said before is not so any more. */
  const untell = useRef({ lock: () => {}, comments: () => {} })
  useEffect(() => {
    const before = last.current
    last.current = flags
    if (before === undefined || flags === undefined) return
    const isOwner = session.role.get() === 'owner'
    if (before.read_only !== flags.read_only) {
      untell.current.lock()
      untell.current.lock = notify(lockWords(flags.read_only, isOwner))
    }
    if (before.comments_disabled !== flags.comments_disabled) {
      untell.current.comments()
      untell.current.comments = notify(
        flags.comments_disabled ? 'Comments turned off.' : 'Comments turned on.',
      )
    }
  }, [session, flags])
}

function lockWords(isLocked: boolean, isOwner: boolean): string {
  if (isOwner)
    return isLocked
      ? 'Document locked. Only you can edit it.'
      : 'Document unlocked. Editors can edit it again.'
  return isLocked
    ? 'The owner locked this document. Only the owner can edit it now.'
    : 'The owner unlocked this document.'
}
