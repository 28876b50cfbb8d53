/**
 * Who is here: the others' pictures in the bar, everybody in a menu, and this person's own name.
 * People are round, agents have a badge.
 */
import { PenLine, Users } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useCallback, useState } from 'react'
import { useLeaving } from '../account/leaving.tsx'
import { authorship, follow, visit } from '../authors/authorship.ts'
import { isAgent, nameOf, Picture } from '../authors/picture.tsx'
import type { DocumentSession, Peer } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { BarMenu, MenuAction, MenuRule } from './bar-menu.tsx'
import { OwnAccount } from './own-account.tsx'
import { Rename } from './rename.tsx'

/** More than these stand behind a number. */
const picturesMax = 5

export function People({ session }: { readonly session: DocumentSession }) {
  const account = useStore(session.account)
  const [renames, setRenames] = useState(false)
  const close = useCallback(() => setRenames(false), [])
  const leaving = { isGuest: account?.guest === true, signOut: () => session.signOut() }
  const { leave, dialog } = useLeaving(leaving)
  const { hueOf } = authorship(session).book
  const peers = [...useAgents(session), ...useStore(session.peers)]
  const hidden = useStore(session.hidden)
  const shown = peers.slice(0, picturesMax)
  const others = peers.length + hidden
  const more = others - shown.length
  const label = others === 0 ? 'You' : `You and ${others} more, ${others + 1} in all`
  const face = (
    <>
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
    </>
  )
  return (
    <>
      <BarMenu
        label={`People here: ${label}`}
        className="button people"
        menuClass="people-menu"
        face={face}
      >
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
        <MenuRule />
        <MenuAction
          icon={<PenLine aria-hidden />}
          label={account === undefined ? 'Choose your name' : 'Change your name'}
          onChoose={() => setRenames(true)}
        />
        <OwnAccount session={session} onLeave={leave} />
      </BarMenu>
      {renames ? <Rename session={session} onClose={close} /> : null}
      {dialog}
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

/** One follows who has a caret, and goes where who has none last wrote. */
const whatClickDoes = (peer: Peer): string =>
  peer.client === pageless ? `Go to the last edit by ${nameOf(peer)}` : `Follow ${nameOf(peer)}`
