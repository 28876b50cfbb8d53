/** The general access of a document (interface §4.10): who may come by its link, and as what. */
import { Refusal } from '../../schema/errors.ts'
import { linkAccessBody } from '../../schema/wire/links.ts'
import { linkAccessShape } from '../../schema/wire/read-document.ts'
import { noQuery } from '../../schema/wire/service.ts'
import { json } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'

const shared = {
  path: '/docs/:slug/link-access',
  answer: 'bounded',
  query: noQuery,
  success: { status: 200, body: linkAccessShape },
  errors: [],
} as const

export const readLinkAccess = documentRoute(
  { ...shared, method: 'GET', bodyLimit: 'none', summary: 'Get general access', access: 'share' },
  async ({ document }) => json(document.facts.linkAccess),
)

export const setLinkAccess = documentRoute(
  {
    ...shared,
    method: 'PATCH',
    bodyLimit: 'fields',
    summary: 'Set general access',
    description:
      'Requires a browser session of the owner. General-access links get the new role ' +
      'immediately.',
    access: 'configure',
    body: linkAccessBody,
  },
  async ({ body, document, credential, permission, addressHash }, { documents }) => {
    const { slug, access } = document
    if (credential?.kind !== 'browser' || access.writer === undefined)
      throw new Refusal('FORBIDDEN')
    const writer = { ...access.writer, ipHash: addressHash }
    const { facts } = await documents.configure(slug, { linkAccess: body }, { writer, permission })
    return json(facts.linkAccess)
  },
)
