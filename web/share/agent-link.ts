/**
 * The link that goes with an agent's prompt: general access where that lets write, else a link that
 * can edit, made once by each who asks for one, and listed among the others.
 */
import { shareLink } from '../api/documents.ts'
import { type ListedLink, listLinks, makeLink } from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { asSomebody } from './as-somebody.ts'

export async function agentLink(session: DocumentSession): Promise<string> {
  const { slug } = session
  const general = await shareLink(slug)
  if (general.role === 'editor') return general.url
  return asSomebody(session, async () => {
    const { links } = await listLinks(slug)
    const own = session.account.get()?.actor_id
    const isSuch = ({ general, role, name, expires_at, created_by }: ListedLink) =>
      !general && role === 'editor' && name === null && expires_at === null && created_by === own
    const known = own === undefined ? undefined : links.find(isSuch)
    return (known ?? (await makeLink(slug, { role: 'editor' }))).url
  })
}
