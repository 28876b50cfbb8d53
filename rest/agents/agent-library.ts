/** What an agent has in its library, and what it finds there (interface §4.12). */
import type { Static } from '@sinclair/typebox'
import type { ContextDocument } from '../../core/access/agent-context.ts'
import {
  bm25,
  type FoundLines,
  type LineMatch,
  searchText,
  searchWords,
  wordsOf,
} from '../../core/text/line-search.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { searchQuery } from '../../schema/wire/agent-library.ts'
import { agentOf } from '../admission/credential-kinds.ts'
import { json } from '../answers/answer.ts'
import { cursorAfter, pageAsked } from '../answers/cursors.ts'
import { route } from '../route.ts'
import { readMember, rowsOf } from './member-text.ts'

export const readContext = route(
  'GET /agents/me/library/context',
  {
    access: 'agent',
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List the documents in this agent’s library',
    description:
      'Lists documents that were shared with the agent by its handle. For a bot, also its ' +
      'brain, and while it is active the team’s documents. Documents that the agent wrote ' +
      'or reached by a link are not included. A page may have fewer rows than `limit`.',
    errors: [],
  },
  async ({ credential, query }, services) => {
    const agent = agentOf(credential)
    const { documents, next } = await services.people.access.agentContext(agent, pageAsked(query))
    const rowOf = await rowsOf(agent, documents, services)
    return json({ rows: documents.map(rowOf), pageInfo: pageInfo(next) })
  },
)

const pageInfo = (next: string | undefined) => ({
  nextCursor: next === undefined ? null : cursorAfter(next),
  partial: next !== undefined,
})

type Query = Static<typeof searchQuery>

export const searchLibrary = route(
  'GET /agents/me/library/search',
  {
    access: 'agent',
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'Search this agent’s library',
    description:
      'Searches the current text line by line. One page searches `limit` documents, or as ' +
      'many as have 8 MiB together. Documents without a match have no row.',
    errors: ['BUSY'],
  },
  async (input, services) => {
    const { query } = input
    const agent = agentOf(input.credential)
    const find = finder(query)
    const page = await services.people.access.agentContext(agent, pageAsked(query))
    const looked: { document: ContextDocument; found: FoundLines }[] = []
    let chars = 0
    let shown = 0
    let { next } = page
    const wish = { markdown: true }
    const reading = { input, agent, services }
    for (const document of page.documents) {
      const found = await readMember(reading, { document, wish }, ({ markdown }) => {
        chars += markdown.length
        return find(markdown)
      }).catch(passDamaged)
      if (found !== undefined) looked.push({ document, found })
      shown += charsShown(found?.matches ?? [])
      const isEnough = chars >= limits.searchedMaxChars || shown >= limits.searchShownMaxChars
      if (!isEnough || document === page.documents.at(-1)) continue
      next = document.at
      break
    }
    // The secret may have ended since.
    await input.stillPermitted()
    const weights = query.mode === 'bm25' ? bm25(looked.map(({ found }) => found)) : []
    const rows = looked
      .map((one, index) => ({ ...one, weight: weights[index] ?? 0 }))
      .filter(({ found }) => found.matches.length > 0)
      .toSorted((a, b) => b.weight - a.weight)
    const documents = rows.map(({ document }) => document)
    const rowOf = await rowsOf(agent, documents, services)
    return json({
      mode: query.mode ?? 'literal',
      caseSensitive: query.mode !== 'bm25' && query.ignoreCase !== '1',
      rows: rows.map(({ document, found: { matches } }) => ({
        ...rowOf(document),
        searchMatches: matches.map((match) => ({
          ...match,
          before: [...match.before],
          after: [...match.after],
        })),
      })),
      pageInfo: pageInfo(next),
    })
  },
)

const charsShown = (matches: readonly LineMatch[]): number =>
  matches.reduce(
    (sum, { text, before, after }) => sum + [text, ...before, ...after].join('').length,
    0,
  )

/** One that is out of service keeps nobody from finding the others. */
function passDamaged(error: unknown): undefined {
  if (!(error instanceof Refusal && error.code === 'DOC_DAMAGED')) throw error
}

/** Refuses INVALID_REQUEST words that are none. */
function finder(query: Query): (markdown: string) => FoundLines {
  const search = {
    matchesMax: Number(query.matchesPerDoc ?? limits.searchMatchesDefault),
    context: Number(query.context ?? limits.searchContextDefault),
  }
  if (query.mode !== 'bm25') {
    const asked = { text: query.q, ignoreCase: query.ignoreCase === '1' }
    return (markdown) => searchText(markdown, asked, search)
  }
  const words = wordsOf(query.q)
  if (words.size === 0) {
    const issues = [{ path: '?q', message: 'contains no word' }]
    throw new Refusal('INVALID_REQUEST', { issues })
  }
  return (markdown) => searchWords(markdown, words, search)
}
