/**
 * The personal quickstart of `?docs` (interface §4.4): the few exact calls an agent needs first,
 * with this document's address in them. Secrets stay out of command lines: curl reads them from a
 * file.
 */
import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../core/access/may.ts'
import type { Access } from '../../core/access/roles.ts'
import type { Slug } from '../../schema/ids.ts'
import type { quickstartShape } from '../../schema/wire/read-document.ts'

type Quickstart = Static<typeof quickstartShape>
type Step = Quickstart['steps'][number]

export interface QuickstartReader {
  readonly baseUrl: string
  readonly slug: Slug
  readonly revision: number
  readonly access: Access
  /** This very answer carries `your_token`. */
  readonly newToken: boolean
}

export function quickstartFor(reader: QuickstartReader): Quickstart {
  const { access, slug, newToken } = reader
  if (access.actor === undefined) return anonymousQuickstart(reader)
  const named = access.identified && !newToken
  return {
    summary:
      `You read document ${slug} as ${access.role}. ` +
      (named ? `Your name is ${access.displayName}. ` : 'You have no name here yet. ') +
      'Send the token only in the Authorization header, never in a URL or a log.',
    steps: [
      keepToken(reader),
      ...(atLeast(access.role, 'commenter') && !named ? [identify(reader)] : []),
      read(reader),
      ...(atLeast(access.role, 'editor') ? [patch(reader)] : []),
      watch(reader),
    ],
  }
}

/** General access lets anyone read; everything else, the change stream too, asks for a token. */
const anonymousQuickstart = ({ baseUrl, slug, access }: QuickstartReader): Quickstart => ({
  summary:
    `You read document ${slug} as ${access.role}, without a token. ` +
    'To do more, ask the owner for a link that contains a token.',
  steps: [
    {
      step: 'Read',
      why:
        'markdown is the text and revision is its number. Read again to see whether it ' +
        'changed.',
      request: `curl -sS ${baseUrl}/docs/${slug}`,
    },
  ],
})

const curl = (...parts: readonly string[]): string => ['curl -sS -H @auth.txt', ...parts].join(' ')

const jsonArgument = (value: unknown): string =>
  `-H 'Content-Type: application/json' -d '${JSON.stringify(value)}'`

const keepToken = ({ newToken }: QuickstartReader): Step => ({
  step: 'Keep your token',
  why: newToken
    ? 'your_token in this answer belongs to you alone. The link that you came by is shared ' +
      'with others.'
    : 'The calls below read the header from a file, so that the secret is not in a command line.',
  request: `umask 077; printf 'Authorization: Bearer %s' "$TOKEN" > auth.txt`,
})

const identify = ({ baseUrl, slug }: QuickstartReader): Step => ({
  step: 'Identify',
  why: 'A token without a name can read but not write (412 IDENTIFY_REQUIRED).',
  request: curl(
    `-X POST ${baseUrl}/agents/identify`,
    jsonArgument({ display_name: 'YOUR NAME', slug }),
  ),
})

const read = ({ baseUrl, slug }: QuickstartReader): Step => ({
  step: 'Read',
  why: 'markdown is the text, revision is its number, and content_blocks lists its blocks.',
  request: curl(`${baseUrl}/docs/${slug}`),
})

const patch = ({ baseUrl, slug, revision }: QuickstartReader): Step => ({
  step: 'Edit',
  why: 'old_string is matched against markdown. 200 means that the edit is stored.',
  request: curl(
    `-X PATCH ${baseUrl}/docs/${slug} -H "Idempotency-Key: $(uuidgen)"`,
    jsonArgument({
      base_revision: revision,
      edits: [{ old_string: 'OLD TEXT', new_string: 'NEW TEXT' }],
    }),
  ),
})

const watch = ({ baseUrl, slug, revision }: QuickstartReader): Step => ({
  step: 'Watch',
  why: 'A WebSocket that announces newer revisions. Then read the document again.',
  request: `${baseUrl.replace(/^http/, 'ws')}/docs/${slug}/changes/connect?since_revision=${revision}`,
})
