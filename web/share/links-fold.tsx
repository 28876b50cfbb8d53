/** Links of their own: each with a role, and a name and an end where it has them. */
import { type ListedLink, revokeLink, takeAccess } from '../api/sharing.ts'
import { copyWith } from './copying.ts'
import { LinkRow } from './link-row.tsx'
import { NewLinkForm } from './new-link.tsx'
import { Fold, type SharingProps } from './parts.tsx'
import type { Shared, Sharing } from './sharing.ts'
import { canDo, canWords, endWords, isMore, usedWords } from './words.ts'

export function LinksFold({ session, sharing, shared }: SharingProps) {
  const links = shared.links.filter(({ general }) => !general)
  const address = shared.access.share_address
  return (
    <Fold title="More links" count={links.length + (address === null ? 0 : 1)}>
      <p className="share-soft">
        Each link gives its own role until it expires or is revoked, even while general access is
        restricted.
      </p>
      <ul className="share-list">
        {links.map((link) => (
          <LinkLine key={link.code} {...{ sharing, shared, link }} />
        ))}
        {address === null ? null : (
          <LinkRow
            sharing={sharing}
            title="Original share link"
            more={`Anyone with it ${canDo[address.role]}`}
            action="Revoke link"
            onEnd={() => takeAccess(sharing.slug, address.token_id)}
          />
        )}
      </ul>
      <NewLinkForm session={session} sharing={sharing} />
    </Fold>
  )
}

interface LinkLineProps {
  readonly sharing: Sharing
  readonly shared: Shared
  readonly link: ListedLink
}

function LinkLine({ sharing, shared, link }: LinkLineProps) {
  const { code, url, role, expires_at: end, uses, current_role: current, audience } = link
  const address = url.replace(/^https?:\/\//, '')
  const title = audience === 'agent' ? `Agent link: ${address}` : address
  const isOver = current === null
  const said = [
    role === null || isOver ? undefined : canWords[current],
    endWords(end),
    isPast(end) ? undefined : makersLimit(link),
    uses === 0 ? 'not used yet' : `${timesWords(uses)}, ${usedWords(link.last_used_at)}`,
    makerWords(shared, link),
  ]
  return (
    <LinkRow
      sharing={sharing}
      title={title}
      more={said.filter((words) => words !== undefined).join(' · ')}
      action={isOver ? 'Remove link' : 'Revoke link'}
      onEnd={() => revokeLink(sharing.slug, code)}
      onCopy={isOver ? undefined : () => copyWith(url, 'Link copied.')}
    />
  )
}

const isPast = (end: string | null): boolean => end !== null && Date.parse(end) <= Date.now()

/** A link is worth at most what its maker is worth now. */
function makersLimit({ role, current_role: current }: ListedLink): string | undefined {
  if (current === null) return 'disabled: its creator lost access'
  return role !== null && isMore(role, current) ? 'limited to its creator’s role' : undefined
}

const timesWords = (uses: number): string => (uses === 1 ? 'opened once' : `opened ${uses} times`)

function makerWords({ access }: Shared, { created_by: by }: ListedLink): string | undefined {
  const people = access.owner === null ? access.grants : [access.owner, ...access.grants]
  const maker = people.find(({ actor_id }) => actor_id === by)
  return maker && `by ${maker.name}`
}
