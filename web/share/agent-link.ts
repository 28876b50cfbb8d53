/** The link that goes with an agent's prompt: one of its own for each role and maker. */
import { type GivenRole, type ListedLink, listLinks, makeLink } from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { asSomebody } from './as-somebody.ts'

export async function agentLink(session: DocumentSession, role: GivenRole): Promise<string> {
  const { slug } = session
  const { links } = await listLinks(slug)
  return asSomebody(session, async () => {
    const own = session.account.get()?.actor_id
    const isSuch = (link: ListedLink) =>
      link.audience === 'agent' &&
      link.role === role &&
      link.current_role === role &&
      link.expires_at === null &&
      link.created_by === own
    const known = own === undefined ? undefined : links.find(isSuch)
    return (known ?? (await makeLink(slug, { role, audience: 'agent' }))).url
  })
}
