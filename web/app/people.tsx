/**
 * Who is here: the others' pictures in the bar, everybody in a menu, and this person's own name.
 * People are round, agents have a badge.
 */
import { LogOut, PenLine, Users } from 'lucide-react'
import { Dialog, DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { authorship, follow, visit } from '../authors/authorship.ts'
import { isAgent, nameOf, Picture } from '../authors/picture.tsx'
import type { DocumentSession, Peer } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { type DialogProps, focusFirst, Rename } from './name-dialog.tsx'
import { disownDocuments, recentDocuments } from './recent-documents.ts'

/** More than these stand behind a number. */
const picturesMax = 5

export function People({ session }: { readonly session: DocumentSession }) {
  const account = useStore(session.account)
  const [renames, setRenames] = useState(false)
  const [leaves, setLeaves] = useState(false)
  const { hueOf } = authorship(session).book
  const peers = [...useAgents(session), ...useStore(session.peers)]
  const hidden = useStore(session.hidden)
  const shown = peers.slice(0, picturesMax)
  const others = peers.length + hidden
  const more = others - shown.length
  const label = others === 0 ? 'You' : `You and ${others} more, ${others + 1} in all`
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button people" aria-label={`People here: ${label}`}>
          {shown.map((peer) => (
            <Picture key={peer.actor} peer={peer} hue={hueOf(peer.actor)} />
          ))}
          {more > 0 ? (
            <span className="people-more" aria-hidden>
              +{more} more
            </span>
          ) : null}
          {others === 0 ? (
            <Users aria-hidden />
          ) : (
            <span className="people-narrow">
              <Users aria-hidden />
              {others + 1}
            </span>
          )}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu float people-menu" align="end" sideOffset={4}>
            <DropdownMenu.Label className="menu-label">Here now</DropdownMenu.Label>
            <Oneself session={session} />
            {peers.map((peer) => (
              <DropdownMenu.Item
                key={peer.actor}
                className="menu-item people-one"
                title={whatClickDoes(peer)}
                onSelect={() =>
                  peer.client === pageless ? visit(session, peer.actor) : follow(session, peer)
                }
              >
                <Picture peer={peer} hue={hueOf(peer.actor)} />
                <span>{nameOf(peer)}</span>
                {isAgent(peer) ? <span className="kbd">agent</span> : null}
              </DropdownMenu.Item>
            ))}
            {hidden > 0 ? <div className="people-hidden">+{hidden} more</div> : null}
            <DropdownMenu.Separator className="menu-rule" />
            <DropdownMenu.Item className="menu-item" onSelect={() => setRenames(true)}>
              <PenLine aria-hidden />
              {account === undefined ? 'Choose your name' : 'Change your name'}
            </DropdownMenu.Item>
            {account === undefined ? null : (
              <SignOut session={session} ask={() => setLeaves(true)} />
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Rename session={session} open={renames} onClose={() => setRenames(false)} />
      <LastWarning session={session} open={leaves} onClose={() => setLeaves(false)} />
    </>
  )
}

function Oneself({ session }: { readonly session: DocumentSession }) {
  const account = useStore(session.account)
  const { hueOf } = authorship(session).book
  const actor = account?.actor_id ?? ''
  return (
    <div className="people-one">
      <Picture peer={{ actor, name: account?.name }} hue={hueOf(actor)} />
      <span>{account?.name ?? 'You, without a name yet'}</span>
      {account === undefined ? null : <span className="kbd">you</span>}
    </div>
  )
}

/** Instead of a clientID: it writes over REST. */
const pageless = -1

/** Agents that have just written, which no page of theirs announces. */
function useAgents(session: DocumentSession): readonly Peer[] {
  const { book, visitors } = authorship(session)
  useStore(book.changes)
  return useStore(visitors.here).map((actor) => {
    const { name } = book.author(actor)
    return { client: pageless, actor, name }
  })
}

function SignOut({
  session,
  ask,
}: {
  readonly session: DocumentSession
  readonly ask: () => void
}) {
  const account = useStore(session.account)
  const state = useStore(session.saveState)
  const changes = 'changes' in state ? state.changes : 0
  const isSafe = state.kind === 'saved' || changes === 0
  const losesDocuments = account?.guest === true && ownDocuments().length > 0
  return (
    <DropdownMenu.Item
      className="menu-item"
      disabled={!isSafe}
      onSelect={losesDocuments ? ask : () => signOut(session)}
    >
      <LogOut aria-hidden />
      {isSafe ? 'Sign out' : 'Sign out (once everything is saved)'}
    </DropdownMenu.Item>
  )
}

function signOut(session: DocumentSession): void {
  disownDocuments()
  session.signOut().catch(() => notify('Signing out did not work.', 'problem'))
}

/** Those that were opened in this browser; newest first. */
const ownDocuments = () => recentDocuments().filter(({ isOwn }) => isOwn === true)

/** So many of them are named. */
const namedMax = 5

/** A guest has no way back: what goes with the name is said before. */
function LastWarning({ session, open, onClose }: DialogProps) {
  const own = open ? ownDocuments() : []
  const more = own.length - namedMax
  return (
    <Dialog.Root open={open} onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-scrim" />
        <Dialog.Content className="dialog name-dialog">
          <Dialog.Title>Sign out and give up your documents?</Dialog.Title>
          <Dialog.Description>
            You are here as a guest, and nobody can come back as one. These stay, but they will not
            be yours any more. Copy their links first to find them again.
          </Dialog.Description>
          <ul className="dialog-list">
            {own.slice(0, namedMax).map(({ slug, title }) => (
              <li key={slug}>{title === '' ? 'Untitled' : title}</li>
            ))}
            {more > 0 ? <li>and {more} more</li> : null}
          </ul>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => signOut(session)}>
              Sign out
            </button>
            <button
              type="button"
              className="button button-primary"
              onClick={onClose}
              ref={focusFirst}
            >
              Stay
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** One follows who has a caret, and goes where who has none last wrote. */
const whatClickDoes = (peer: Peer): string =>
  peer.client === pageless ? `Go to where ${nameOf(peer)} last wrote` : `Follow ${nameOf(peer)}`
