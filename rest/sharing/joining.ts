/**
 * How a registered agent takes a document's link (extensions §3): it has the link's role under its
 * own name, so that it can be mentioned and has an inbox, for as long as the link is good.
 */
import { requireLife, tokenRole } from '../../core/access/roles.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug } from '../../schema/ids.ts'
import { agentOf } from '../admission/credential-kinds.ts'
import { countWrongSecret } from '../admission/wrong-secrets.ts'
import { json } from '../answers/answer.ts'
import { route } from '../route.ts'

export const joinDocument = route(
  'POST /agents/me/join',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Join a document by its link as a registered agent',
    description:
      'Gives the agent the role of the link whose `token` it sends, under its own name. It ' +
      'can then be mentioned and has an inbox. Its access ends when the link is revoked or ' +
      'expires.',
    extension: true,
    access: 'agent',
    quota: 'identify',
    errors: ['DOC_NOT_FOUND', 'DOC_ARCHIVED', 'FORBIDDEN', 'LIMIT_REACHED'],
  },
  async (input, services) => {
    const { documents, people } = services
    const agent = agentOf(input.credential)
    const { slug, token } = input.body
    if (!isSlug(slug)) throw new Refusal('DOC_NOT_FOUND')
    const facts = await documents.facts(slug)
    const link = await people.access.authenticate(token)
    if (link === undefined) countWrongSecret(input, services)
    const role = link?.kind === 'token' ? tokenRole(link, facts) : undefined
    if (link?.kind !== 'token' || role === undefined) throw new Refusal('FORBIDDEN')
    requireLife('read', facts)
    await people.access.joinByLink(slug, { agent, link })
    const { actor, handle } = agent
    return json({ id: slug, actor_id: actor, handle, your_role: role })
  },
)
