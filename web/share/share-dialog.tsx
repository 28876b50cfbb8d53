/**
 * Sharing: who may open the document, and letting others in. Editors and the owner change it here,
 * each what their role allows; who only reads is told how things stand. Loaded with its first use.
 */
import { Bot, Link, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { openingLink, pageAddress } from '../api/documents.ts'
import type { DocumentSession } from '../live/session.ts'
import { isCoarse } from '../platform/media.ts'
import { useStore } from '../platform/store.ts'
import { useFocusBefore } from '../platform/writers-place.ts'
import { copyWith } from './copying.ts'
import { GeneralAccess } from './general-access.tsx'
import { HandOver } from './hand-over.tsx'
import { InviteAgentDialog } from './invite-agent.tsx'
import { InviteRow } from './invite-row.tsx'
import { LinksFold } from './links-fold.tsx'
import { InnerEscapes } from './parts.tsx'
import { PeopleList } from './people-list.tsx'
import { ReaderView, useStanding } from './reader-view.tsx'
import { Sharing } from './sharing.ts'
import { TokensFold } from './tokens-fold.tsx'
import { copiedWords } from './words.ts'

export interface ShareDialogProps {
  readonly session: DocumentSession
  readonly title: string
  readonly onClose: () => void
}

export function ShareDialog({ session, title, onClose }: ShareDialogProps) {
  const role = useStore(session.role)
  const escapes = useMemo(() => new Set<() => void>(), [])
  const back = useFocusBefore(true)
  const content = useRef<HTMLDivElement>(null)
  const mayShare = role === 'owner' || role === 'editor'
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-scrim" />
        <Dialog.Content
          ref={content}
          className="dialog dialog-sheet share"
          aria-describedby={undefined}
          onCloseAutoFocus={back}
          onOpenAutoFocus={(event) => {
            // A field that takes the focus brings up a phone's keyboard.
            if (content.current?.contains(document.activeElement) !== true) {
              event.preventDefault()
              content.current?.focus()
            }
          }}
          onEscapeKeyDown={(event) => {
            const inner = [...escapes].at(-1)
            if (inner === undefined) return
            event.preventDefault()
            inner()
          }}
        >
          <header className="dialog-head">
            <Dialog.Title>Share {title === '' ? 'this document' : `“${title}”`}</Dialog.Title>
            <Dialog.Close className="button button-icon" aria-label="Close">
              <X aria-hidden />
            </Dialog.Close>
          </header>
          <InnerEscapes.Provider value={escapes}>
            {mayShare ? <Sharer session={session} title={title} /> : <Reader session={session} />}
          </InnerEscapes.Provider>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useSharing(session: DocumentSession): Sharing | undefined {
  const [sharing, setSharing] = useState<Sharing>()
  useEffect(() => {
    const opened = new Sharing(session)
    setSharing(opened)
    return () => opened.close()
  }, [session])
  return sharing
}

interface SharerProps {
  readonly session: DocumentSession
  readonly title: string
}

function Sharer({ session, title }: SharerProps) {
  const sharing = useSharing(session)
  const [isInviting, setInviting] = useState(false)
  const close = useCallback(() => setInviting(false), [])
  return (
    <>
      <div className="dialog-body">
        {sharing === undefined ? null : <Parts session={session} sharing={sharing} />}
      </div>
      <footer className="dialog-foot">
        <button type="button" className="button button-line" onClick={() => copyLink(session)}>
          <Link aria-hidden />
          Copy link
        </button>
        <button
          type="button"
          className="button button-line"
          title="Get a prompt that gives your agent access to this document"
          onClick={() => setInviting(true)}
        >
          <Bot aria-hidden />
          Invite an agent
        </button>
        <Dialog.Close className="button button-primary dialog-done">Done</Dialog.Close>
      </footer>
      {isInviting ? <InviteAgentDialog session={session} title={title} onClose={close} /> : null}
    </>
  )
}

function Parts({ session, sharing }: { session: DocumentSession; sharing: Sharing }) {
  const shared = useStore(sharing.shared)
  const problem = useStore(sharing.problem)
  return (
    <>
      <InviteRow sharing={sharing} isFirst={!isCoarse.get()} />
      <p className="problem" role="status">
        {problem}
      </p>
      {shared === undefined ? (
        <div className="share-waits" aria-busy={problem === undefined} />
      ) : (
        <>
          <PeopleList {...{ session, sharing, shared }} />
          <GeneralAccess {...{ session, sharing, shared }} />
          <div className="share-folds">
            <LinksFold {...{ session, sharing, shared }} />
            <TokensFold {...{ session, sharing, shared }} />
            <HandOver {...{ session, sharing, shared }} />
          </div>
        </>
      )}
    </>
  )
}

/** What it is good for is told with it, as it is at this moment. */
async function copyLink({ slug }: DocumentSession): Promise<void> {
  const link = openingLink(slug)
  const role = link.then(({ role }) => role).catch(() => null)
  await copyWith(
    link.then(({ url }) => url),
    async () => copiedWords(await role),
  )
}

function Reader({ session }: { readonly session: DocumentSession }) {
  const standing = useStanding(session)
  return (
    <>
      <div className="dialog-body">
        <ReaderView session={session} {...standing} />
      </div>
      <footer className="dialog-foot">
        {standing.isOpen === true ? (
          <button
            type="button"
            className="button button-line"
            onClick={() =>
              copyWith(
                pageAddress(session.slug),
                'Link copied. Anyone with it can read this document.',
              )
            }
          >
            <Link aria-hidden />
            Copy link
          </button>
        ) : null}
        <Dialog.Close className="button button-primary dialog-done">Done</Dialog.Close>
      </footer>
    </>
  )
}
