/** Sharing a document from home: its session is open for as long as the dialog is. */
import { useEffect, useState } from 'react'
import { openSession } from '../live/open-session.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { ShareDialog } from '../share/share-dialog.tsx'

export interface ShareFromHomeProps {
  readonly slug: string
  readonly title: string
  readonly onClose: () => void
}

export function ShareFromHome({ slug, title, onClose }: ShareFromHomeProps) {
  const [session] = useState(() => openSession(slug))
  const role = useStore(session.role)
  const { kind } = useStore(session.saveState)
  useEffect(() => () => session.close(), [session])
  const isOut = kind === 'ended' || (kind === 'offline' && role === undefined)
  useEffect(() => {
    if (!isOut) return
    notify('This document could not be opened.', 'problem')
    onClose()
  }, [isOut, onClose])
  if (role === undefined) return null
  return <ShareDialog session={session} title={title} onClose={onClose} />
}
