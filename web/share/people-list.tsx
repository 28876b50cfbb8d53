/** Who has access by name: the owner, who may become it, and everybody who was let in. */
import { useRef, useState } from 'react'
import {
  type AccessGrant,
  type GivenRole,
  invite,
  type ListedLink,
  type Offer,
  type Person,
  takeAccess,
  withdrawOffer,
} from '../api/sharing.ts'
import { authorship } from '../authors/authorship.ts'
import { isAgent, Picture } from '../authors/picture.tsx'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { Confirm, Problem, type SharingProps, useChange } from './parts.tsx'
import { RoleMenu } from './role-menu.tsx'
import type { Shared } from './sharing.ts'
import { canDo, dayWords, handleWords, isKnown, isMore } from './words.ts'

export function PeopleList({ session, sharing, shared }: SharingProps) {
  const { owner, grants, offer, next_cursor: next } = shared.access
  return (
    <section aria-labelledby="share-people">
      <h3 id="share-people">Who has access</h3>
      <ul className="share-list">
        {owner === null ? null : (
          <li>
            <Face session={session} person={owner} more={handleWords(owner.handle)} />
            <span className="share-fixed">Owner</span>
          </li>
        )}
        {offer === null ? null : <OfferLine {...{ session, sharing, offer }} />}
        {grants.map((grant) => (
          <GrantLine key={grant.id} {...{ session, sharing, shared, grant }} />
        ))}
        {owner === null && grants.length === 0 ? (
          <li className="share-none">No one is invited yet.</li>
        ) : null}
      </ul>
      {next === null ? null : (
        <button type="button" className="button" onClick={() => sharing.showMore()}>
          Show more
        </button>
      )}
    </section>
  )
}

interface FaceProps {
  readonly session: DocumentSession
  readonly person: Person
  readonly more: string | undefined
}

function Face({ session, person, more }: FaceProps) {
  const { book } = authorship(session)
  useStore(book.changes)
  const isOneself = useStore(session.account)?.actor_id === person.actor_id
  const peer = { actor: person.actor_id, name: person.name }
  const said = [isAgent(peer) ? 'agent' : undefined, more].filter(Boolean).join(', ')
  return (
    <>
      <Picture peer={peer} hue={book.hueOf(person.actor_id)} />
      <span className="share-who">
        <span className="share-name">
          {person.name}
          {isOneself ? <span className="share-soft"> (you)</span> : null}
        </span>
        <span className="share-soft">{said}</span>
      </span>
    </>
  )
}

interface OfferLineProps extends Omit<SharingProps, 'shared'> {
  readonly offer: Offer
}

function OfferLine({ session, sharing, offer }: OfferLineProps) {
  const change = useChange(sharing)
  const isOwner = useStore(session.role) === 'owner'
  const more = `invited to become the owner, until ${dayWords(offer.expires_at)}`
  return (
    <li>
      <Face session={session} person={offer} more={more} />
      {isOwner ? (
        <button
          type="button"
          className="button"
          aria-disabled={change.isBusy}
          onClick={() => change.run(() => withdrawOffer(sharing.slug))}
        >
          Withdraw
        </button>
      ) : null}
      <Problem text={change.problem} />
    </li>
  )
}

interface GrantLineProps extends SharingProps {
  readonly grant: AccessGrant
}

function GrantLine({ session, sharing, shared, grant }: GrantLineProps) {
  const change = useChange(sharing)
  const [removes, setRemoves] = useState(false)
  const [note, setNote] = useState<string>()
  const line = useRef<HTMLLIElement>(null)
  const isOneself = useStore(session.account)?.actor_id === grant.actor_id
  const { name, handle, role } = grant
  const choose = async (asked: GivenRole) => {
    setNote(undefined)
    const done = await change.run(() => invite(sharing.slug, handle, asked))
    const now = sharing.shared.get()?.access.grants.find(({ id }) => id === grant.id)
    if (done === undefined || now === undefined || !isMore(now.role, asked)) return
    setNote(`${name} still ${canDo[now.role]} through a link. Revoke that link to change it.`)
  }
  const cancel = () => {
    setRemoves(false)
    change.forget()
    line.current?.querySelector('button')?.focus()
  }
  return (
    <li ref={line}>
      <Face session={session} person={grant} more={sourceWords(grant)} />
      <RoleMenu
        label={`Role of ${name}`}
        value={role}
        isFixed={!isKnown(handle)}
        onChoose={choose}
        last={{
          label: isOneself ? 'Leave this document…' : 'Remove access…',
          onChoose: () => setRemoves(true),
        }}
      />
      {removes ? (
        <Removal {...{ session, sharing, shared, grant, change, isOneself }} onCancel={cancel} />
      ) : (
        <Problem text={change.problem} />
      )}
      {note === undefined ? null : (
        <p className="share-note" role="status">
          {note}
        </p>
      )}
    </li>
  )
}

function sourceWords({ handle, source }: AccessGrant): string {
  const how = { invite: undefined, link: 'joined by a link', creator: 'created this document' }[
    source
  ]
  return [handleWords(handle), how].filter((words) => words !== undefined).join(', ')
}

interface RemovalProps extends GrantLineProps {
  readonly change: ReturnType<typeof useChange>
  readonly isOneself: boolean
  readonly onCancel: () => void
}

/** Says what ends with it, and what does not. */
function Removal({ sharing, shared, grant, change, isOneself, onCancel }: RemovalProps) {
  const [keepsLinks, setKeepsLinks] = useState(false)
  const { id, name } = grant
  const isTheirs = ({ created_by: by, current_role: role }: ListedLink) =>
    by === id && role !== null
  const links = shared.links.filter(isTheirs).length
  const invited = shared.access.grants.filter(({ invited_by: by }) => by === id)
  const who = isOneself ? 'You lose' : `${name} loses`
  return (
    <Confirm
      action={isOneself ? 'Leave' : `Remove ${name}`}
      change={change}
      onCancel={onCancel}
      onConfirm={() => change.run(() => takeAccess(sharing.slug, id, keepsLinks))}
    >
      <p>
        {who} access immediately. What {isOneself ? 'you' : name} wrote stays.{' '}
        {isOneself ? '' : waysBack(shared, grant)}
      </p>
      {links > 0 ? (
        <label className="share-check">
          <input
            type="checkbox"
            checked={keepsLinks}
            onChange={(event) => setKeepsLinks(event.target.checked)}
          />
          Keep {links === 1 ? 'the link' : `the ${links} links`} that {isOneself ? 'you' : name}{' '}
          created. Otherwise {links === 1 ? 'it is' : 'they are'} revoked, together with the access
          and links of everyone who joined by {links === 1 ? 'it' : 'them'}.
        </label>
      ) : null}
      {invited.length > 0 ? (
        <p>
          {isOneself ? 'You' : name} invited {invited.map((one) => one.name).join(', ')}. They keep
          access. Remove them too if they should not have it.
        </p>
      ) : null}
    </Confirm>
  )
}

/** Removing somebody closes no link. */
function waysBack({ general }: Shared, { name, source }: AccessGrant): string {
  if (general.mode === 'anyone') {
    return `General access still applies: like anyone with the link, ${name} ${canDo[general.role]}.`
  }
  if (source !== 'link') return ''
  return `${name} joined by a link and can rejoin until that link is revoked.`
}
