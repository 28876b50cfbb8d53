/** A page of words in the place of a document, and what to do about it. */
import { type ReactNode, useEffect } from 'react'
import { under } from '../api/base.ts'
import { focusUnlessElsewhere } from '../platform/writers-place.ts'

export interface MessagePageProps {
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

export function MessagePage({ title, text, children }: MessagePageProps) {
  useEffect(() => {
    document.title = `${title} · Scriptorium`
  }, [title])
  return (
    <main className="home" aria-live="polite">
      <h1 ref={focusUnlessElsewhere} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      <p className="home-actions">{children}</p>
    </main>
  )
}

interface ToAllDocumentsProps {
  /** Something else is what one would do first. */
  readonly isSecond?: boolean
  readonly onClick?: () => void
}

export const ToAllDocuments = ({ isSecond = false, onClick }: ToAllDocumentsProps) => (
  <a className={isSecond ? 'button' : 'button button-primary'} href={under('/')} onClick={onClick}>
    All documents
  </a>
)

export const badLink = {
  title: 'This link no longer works',
  text: 'It may have been revoked, or the address is incomplete. Ask someone with access for a new link.',
}
