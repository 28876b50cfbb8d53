/** The way to sharing: a button of the bar. */
import { UserPlus } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { DocumentSession } from '../live/session.ts'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { keepWritersPlace } from '../platform/writers-place.ts'

const { Dialog: ShareDialog, preload } = lazyDialog(
  async () => (await import('../share/share-dialog.tsx')).ShareDialog,
)

export interface ShareButtonProps {
  readonly session: DocumentSession
  readonly title: string
}

export function ShareButton({ session, title }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      <button
        type="button"
        className="button button-primary share-button"
        aria-label="Share"
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onMouseDown={keepWritersPlace}
        onClick={() => setOpen(true)}
      >
        <UserPlus aria-hidden />
        <span className="share-word">Share</span>
      </button>
      {isOpen ? <ShareDialog session={session} title={title} onClose={close} /> : null}
    </>
  )
}
