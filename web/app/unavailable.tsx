/** What stands where a document cannot be shown, and what to do about it. */
import { useCallback, useState } from 'react'
import { askForAccount } from '../account/ask.ts'
import type { DocumentSession, SaveState } from '../live/session.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { forgetDocument } from '../platform/recent-documents.ts'
import { useStore } from '../platform/store.ts'
import { cameByBadLink } from './bad-link.ts'
import { badLink, MessagePage, ToAllDocuments } from './message-page.tsx'

const archived = laterPart(async () => (await import('./archived.tsx')).Archived)

/** That it cannot be had is said, and there is no more to do. */
const noMore = () => undefined

type Because = Exclude<Extract<SaveState, { kind: 'ended' }>['because'], 'archived'>

const told: Readonly<Record<Because, { readonly title: string; readonly text: string }>> = {
  deleted: {
    title: 'Document not found',
    text: 'It may have been deleted, or the address is incomplete.',
  },
  'no-access': {
    title: 'You need a link to open this document',
    text: 'Ask someone with access for a link.',
  },
  reload: {
    title: 'This page is out of date',
    text: 'A new version is available. Reload the page to continue editing.',
  },
  address: {
    title: 'Wrong address',
    text: `The server does not accept changes from ${location.origin}. Open the server’s own address, or ask your administrator to set BASE_URL to this one.`,
  },
}

const removed = {
  title: 'Your access was removed',
  text: 'The owner changed who has access to this document. Ask the owner for a new link. The document reopens here when you get access again.',
}

interface UnavailableProps {
  readonly session: DocumentSession
  readonly because: Because | 'archived'
  /** It can be opened again. */
  readonly onBack: () => void
}

export function Unavailable({ session, because, onBack }: UnavailableProps) {
  const [isGone, setGone] = useState(false)
  const onGone = useCallback(() => setGone(true), [])
  if (because !== 'archived') return <Refused session={session} because={because} />
  if (isGone) return <Refused session={session} because="deleted" />
  return <Later part={archived} props={{ session, onBack, onGone }} onMissing={noMore} />
}

interface RefusedProps {
  readonly session: DocumentSession
  readonly because: Because
}

function Refused({ session, because }: RefusedProps) {
  const { slug } = session
  const wasOpen = useStore(session.hasArrived)
  const isBadLink = cameByBadLink && !wasOpen
  const withoutAccess = wasOpen ? removed : isBadLink ? badLink : told[because]
  return (
    <MessagePage {...(because === 'no-access' ? withoutAccess : told[because])}>
      {because === 'reload' ? (
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          Reload
        </button>
      ) : (
        <>
          <ToAllDocuments onClick={() => because === 'deleted' && forgetDocument(slug)} />
          {because === 'no-access' ? <SignIn session={session} /> : null}
        </>
      )}
    </MessagePage>
  )
}

/** Somebody may have been invited under another name than the browser has now. */
function SignIn({ session }: { readonly session: DocumentSession }) {
  if (useStore(session.account)?.guest === false) return null
  return (
    <button type="button" className="button" onClick={() => askForAccount('sign-in')}>
      Sign in
    </button>
  )
}
