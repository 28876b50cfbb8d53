/** What stands where a document cannot be shown, and what to do about it. */
import type { ReactNode } from 'react'
import type { DocumentSession, SaveState } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { cameByBadLink } from './bad-link.ts'
import { forgetDocument } from './recent-documents.ts'

type Because = Extract<SaveState, { kind: 'ended' }>['because']

const told: Readonly<Record<Because, { readonly title: string; readonly text: string }>> = {
  archived: {
    title: 'This document was archived',
    text: 'Its text is kept. Somebody who may edit it can restore it within 30 days.',
  },
  deleted: {
    title: 'There is no such document',
    text: 'It may have been deleted, or the address is not complete.',
  },
  'no-access': {
    title: 'You need a link to open this document',
    text: 'Ask somebody who has it for a link: “Share”, at the top right of the document.',
  },
  reload: {
    title: 'This page is out of date',
    text: 'The service has moved on. Reload the page to go on writing.',
  },
}

const badLink = {
  title: 'This link is not good any more',
  text: 'It may have been ended, or not copied whole. Ask somebody who has the document for a new one: “Share”, at the top right of it.',
}

/** What an address of the form `/s/…` shows when it leads nowhere. */
export const DeadLink = () => (
  <Told {...badLink}>
    <ToAllDocuments />
  </Told>
)

const removed = {
  title: 'Your access was removed',
  text: 'Somebody who owns this document has changed who may open it. This page opens it again by itself as soon as you may; or ask for a new link.',
}

interface UnavailableProps {
  readonly session: DocumentSession
  readonly because: Because
}

export function Unavailable({ session, because }: UnavailableProps) {
  const { slug } = session
  const wasOpen = useStore(session.hasArrived)
  const isBadLink = cameByBadLink && !wasOpen
  const withoutAccess = wasOpen ? removed : isBadLink ? badLink : told[because]
  return (
    <Told {...(because === 'no-access' ? withoutAccess : told[because])}>
      {because === 'reload' ? (
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          Reload
        </button>
      ) : (
        <ToAllDocuments onClick={() => because === 'deleted' && forgetDocument(slug)} />
      )}
    </Told>
  )
}

interface ToldProps {
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

const Told = ({ title, text, children }: ToldProps) => (
  <main className="home" aria-live="polite">
    <h1>{title}</h1>
    <p>{text}</p>
    <p className="home-actions">{children}</p>
  </main>
)

const ToAllDocuments = ({ onClick }: { readonly onClick?: () => void }) => (
  <a className="button button-primary" href="/" onClick={onClick}>
    All documents
  </a>
)
