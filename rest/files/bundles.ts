/** What an agent has in its library as files (interface §4.11). */
import { Refusal } from '../../schema/errors.ts'
import type { Admitted } from '../admission/admitted.ts'
import { agentOf } from '../admission/credential-kinds.ts'
import { type Answer, jsonType } from '../answers/answer.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'
import { type BundleRequest, bundlePieces } from './bundle.ts'

const files =
  'As OKF, or as Obsidian notes (`format=obsidian`) that are named by their titles and ' +
  'linked by wikilinks. At most 500 documents or 32 MiB. `partial` is true when ' +
  'documents were left out.'

export const ownBundle = route(
  'GET /bundles/me',
  {
    access: 'agent',
    bodyLimit: 'none',
    answer: 'streamed',
    summary: 'Export this agent’s whole library',
    description: files,
    errors: ['BUSY'],
  },
  async (input, services) => bundle(input, services, undefined),
)

export const bundleOfGrant = route(
  'GET /bundles/:handle',
  {
    access: 'agent',
    bodyLimit: 'none',
    answer: 'streamed',
    summary: 'Export the documents of one grant',
    description: `By a \`handle\` that an earlier bundle named to the same agent. ${files}`,
    errors: ['NOT_FOUND', 'BUSY'],
  },
  async (input, services) => {
    const handle = input.params['handle'] ?? ''
    const scope = services.people.access.scopeOfHandle(agentOf(input.credential), handle)
    if (scope === undefined) throw new Refusal('NOT_FOUND')
    return bundle(input, services, scope)
  },
)

function bundle(
  input: Admitted & { readonly query: { readonly format?: BundleRequest['format'] } },
  services: Services,
  scope: BundleRequest['scope'],
): Answer<never> {
  const agent = agentOf(input.credential)
  const { format = 'okf' } = input.query
  return {
    headers: { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' },
    body: { pieces: bundlePieces(input, agent, { format, scope }, services), type: jsonType },
  }
}
