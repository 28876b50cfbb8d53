/** What an agent has in its library (interface §2.7, §4.12). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { pageQuery } from './pages.ts'
import { nullable, roleShape } from './primitives.ts'

const untrusted = 'Untrusted text.'

const row = {
  id: Type.String(),
  kind: Type.Literal('doc'),
  apiUrl: Type.String({ description: 'Read the document here with the same secret.' }),
  yourRole: roleShape,
  authHint: Type.Literal('agent-secret'),
  name: Type.String({ description: `The title. ${untrusted}` }),
  sourceLabel: Type.String({ description: `Why it is there. ${untrusted}` }),
  sharedByActorId: Type.String({ description: `Who shared it, or whose it is. ${untrusted}` }),
  updatedAt: Type.String(),
}

const pageInfo = Type.Object({
  nextCursor: nullable(Type.String()),
  partial: Type.Boolean({ description: 'True when more rows follow `nextCursor`.' }),
})

export const contextQuery = pageQuery

export const contextSuccess = Type.Object({ rows: Type.Array(Type.Object(row)), pageInfo })

const flag = Type.Union([Type.Literal('1'), Type.Literal('0')])

export const searchQuery = Type.Object(
  {
    ...pageQuery.properties,
    q: Type.String({ minLength: 1, maxLength: limits.searchQueryMaxChars }),
    mode: Type.Optional(
      Type.Union([Type.Literal('literal'), Type.Literal('bm25')], {
        description:
          '`literal`: a substring of a line. `bm25`: whole words, case-insensitive. Documents ' +
          'of a page are ordered by relevance.',
      }),
    ),
    context: Type.Optional(
      Type.String({
        pattern: '^(?:[0-9]|10)$',
        description: 'Lines of context before and after each match, 0 to 10.',
      }),
    ),
    ignoreCase: Type.Optional(flag),
    matchesPerDoc: Type.Optional(
      Type.String({ pattern: '^(?:[1-9]|1[0-9]|20)$', description: '1 to 20.' }),
    ),
  },
  { additionalProperties: false },
)

const searchMatch = Type.Object({
  line: Type.Integer({ description: 'Counted from 1.' }),
  column: Type.Integer({ description: 'Counted from 1, in UTF-16 code units.' }),
  text: Type.String({ description: 'The line, or 500 characters around the match.' }),
  before: Type.Array(Type.String()),
  after: Type.Array(Type.String()),
})

export const searchSuccess = Type.Object({
  mode: Type.Union([Type.Literal('literal'), Type.Literal('bm25')]),
  caseSensitive: Type.Boolean(),
  rows: Type.Array(Type.Object({ ...row, searchMatches: Type.Array(searchMatch) })),
  pageInfo,
})

export const bundleQuery = Type.Object(
  {
    format: Type.Optional(Type.Union([Type.Literal('okf'), Type.Literal('obsidian')])),
  },
  { additionalProperties: false },
)

export const bundleSuccess = Type.Object({
  files: Type.Record(Type.String(), Type.String(), {
    description: 'Paths to file contents. `index.md` links to the others.',
  }),
  scopes: Type.Array(
    Type.Object({
      handle: Type.String({
        description: 'For `GET /bundles/:handle`. Only this agent can use it.',
      }),
      kind: Type.Union([Type.Literal('share'), Type.Literal('team'), Type.Literal('brain')]),
      label: Type.String({ description: untrusted }),
      documents: Type.Integer(),
    }),
  ),
  partial: Type.Boolean({ description: 'True when documents were left out.' }),
})
