/**
 * GET /docs/:slug (interface §2.2, §4.4): the document with what the caller asked for beside it, as
 * JSON or as an OKF file. The text is not serialised again: the view has it as JSON already.
 */
import type { Static } from '@sinclair/typebox'
import type { TokenCredential } from '../../core/access/credentials.ts'
import type { DocumentView, ReadWish } from '../../core/documents/contract.ts'
import type { ActorId } from '../../schema/ids.ts'
import {
  type FrontMatter,
  manifestOf,
  type OkfFacts,
  okfFile,
  readFrontMatter,
} from '../../schema/okf.ts'
import { type readDocumentQuery, readFilters } from '../../schema/wire/read-document.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import {
  type Answer,
  bytesOf,
  jsonObject,
  jsonType,
  notModified,
  partsOf,
  textOf,
} from '../answers/answer.ts'
import { entityTag, matchesTag } from '../answers/entity-tag.ts'
import { commentPage, focusedComment, threadPage, threadsFor } from '../comments/thread-pages.ts'
import { documentRoute } from '../route.ts'
import { quickstartFor } from '../service/quickstart.ts'
import type { Services } from '../services.ts'
import { exportedText } from './exported-text.ts'
import { inTurn } from './history.ts'
import { filledPage, type ShownActors, shownActors } from './shown-actors.ts'

type Query = Static<typeof readDocumentQuery>
type Input = Pick<Admitted, 'method' | 'sources' | 'addresses' | 'credential' | 'header'> & {
  readonly query: Query
  readonly document: DocumentContext
}

const markdownType = 'text/markdown; charset=utf-8'

export const readDocument = documentRoute(
  'GET /docs/:slug',
  {
    bodyLimit: 'none',
    answer: 'document',
    summary: 'Read a document',
    description:
      'A document whose general access is anyone-with-link can be read without a ' +
      'credential. Offsets are UTF-16 code units into `markdown`.',
    access: 'read',
    // An earlier revision is for those who may see the history.
    actionOf: (_, search) => (search.has('revision') ? 'review' : undefined),
    headers: {
      'X-Service-Share-Ingress': '`1` on the first read with a share token. Mints `your_token`.',
      'If-None-Match':
        'The ETag of an earlier answer. 304 when nothing visible to the caller has changed.',
    },
    filters: readFilters,
    success: {
      otherTypes: [markdownType],
      otherStatuses: [304],
    },
    errors: ['THREAD_NOT_FOUND', 'NOT_FOUND', 'BUSY'],
  },
  async (input, services) => {
    if (input.query.revision !== undefined) return readFormer(input, services)
    return readAs(input, services)
  },
)

/** As it was (extensions §12); for those who may see the history. */
async function readFormer(input: Admitted & Input, services: Services): Promise<Answer<never>> {
  const { document, query } = input
  const authors = wishesOf(query).authorship
  const former = await inTurn(input, services, (sources) =>
    services.documents.past.at(document.slug, Number(query.revision), { authors, sources }),
  )
  const { row, title, markdown, contentHash, liveEtag, authorship } = former
  const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' }
  if (query.format === 'okf') {
    const { slug } = document
    const { revision, at: changedAt } = row
    const moment = { slug, title, revision, changedAt, contentHash, liveEtag }
    const text = { markdown, front: readFrontMatter(markdown) }
    return textOf(await okfOf(input, text, moment, services), markdownType, headers)
  }
  const fields = {
    id: document.slug,
    revision: row.revision,
    title,
    content_hash: contentHash,
    at: new Date(row.at).toISOString(),
    actor_id: row.actors[0],
    ...(authorship !== undefined && { authorship }),
  }
  return partsOf(jsonObject(fields, { markdown: [JSON.stringify(markdown)] }), jsonType, headers)
}

/** The document as this caller reads it. */
export async function readAs(input: Input, services: Services): Promise<Answer<never>> {
  const { query, document, sources } = input
  const wish = wishFor(query, document.access.actor)
  const read = (parts: ReadWish) => services.documents.read(document.slug, parts, sources)
  if (isDiscussion(query)) return discussionAnswer(input, await read(wish), services)
  // A caller that knows the text may not need it again.
  if (input.header('if-none-match') !== undefined) {
    const view = await read({ ...wish, ...withoutText })
    const { headers } =
      query.format === 'okf'
        ? { headers: okfHeaders(input, view) }
        : await shownIn(input, view, services)
    if (headers !== undefined && matchesTag(input.header('if-none-match'), headers.ETag)) {
      return notModified(headers)
    }
  }
  const view = await read(wish)
  if (query.format !== 'okf') return jsonAnswer(input, view, services)
  // The text is encoded anew: some milliseconds a megabyte.
  return services.fair.run({ slug: document.slug, ...sources }, () =>
    okfAnswer(input, view, services),
  )
}

const withoutText: ReadWish = {
  markdown: false,
  markdownJson: false,
  contentBlocks: false,
  quotedBlocks: false,
  authorship: false,
  frontMatter: false,
}

/** Only threads or comments are asked for, not the text. */
const isDiscussion = ({ thread_id: thread, cursor }: Query): boolean =>
  thread !== undefined || cursor !== undefined

/** What is read of the document for an answer to this. */
function wishFor(query: Query, me: ActorId | undefined): ReadWish {
  if (isDiscussion(query)) return { threads: threadsFor(query, me), hues: true }
  if (query.format === 'okf') return { markdown: true, frontMatter: true, contentHash: true }
  const { authorship, blockQuotes, manifest } = wishesOf(query)
  return {
    markdownJson: true,
    contentHash: true,
    threads: threadsFor(query, me),
    hues: true,
    frontMatter: manifest,
    authorship,
    authors: authorship,
    ...(blockQuotes ? { quotedBlocks: true } : { contentBlocks: true }),
  }
}

/** What the caller asked for beside the text. */
interface Wishes {
  readonly authorship: boolean
  readonly blockQuotes: boolean
  readonly manifest: boolean
  readonly quickstart: boolean
}

function wishesOf({ include, docs }: Query): Wishes {
  const parts = new Set(include?.split(','))
  return {
    authorship: parts.has('authorship'),
    blockQuotes: parts.has('block_quotes'),
    manifest: parts.has('manifest'),
    quickstart: docs !== undefined,
  }
}

/** Everything that can change between two reads of one revision by one name of the service. */
function tagParts(input: Input, view: DocumentView, actors: ShownActors): unknown[] {
  const { role, actor, displayName } = input.document.access
  const { facts, revision } = view
  const query = Object.entries(input.query).sort(([a], [b]) => (a < b ? -1 : 1))
  return [revision, view.liveEtag(), facts, role, actor, displayName, query, actors]
}

async function okfAnswer(
  input: Input,
  view: DocumentView,
  services: Services,
): Promise<Answer<never>> {
  const { slug, title, revision, changedAt } = view
  const hashes = { contentHash: view.contentHash(), liveEtag: view.liveEtag() }
  const moment = { slug, title, revision, changedAt, ...hashes }
  const { markdown } = view
  const text = await okfOf(input, { markdown, front: view.frontMatter() }, moment, services)
  return textOf(text, markdownType, okfHeaders(input, view))
}

const okfHeaders = (input: Input, view: DocumentView) =>
  validators(entityTag(tagParts(input, view, {}), 'weak'))

async function okfOf(
  { addresses: { baseUrl } }: Input,
  text: { readonly markdown: string; readonly front: FrontMatter },
  moment: Omit<OkfFacts, 'liveUrl'>,
  services: Services,
): Promise<string> {
  const facts = { ...moment, liveUrl: `${baseUrl}/docs/${moment.slug}` }
  return okfFile(await exportedText(text, baseUrl, services), text.front, facts)
}

/** What an answer shows beside the text, and its validators: none where it mints a token. */
async function shownIn(input: Input, view: DocumentView, services: Services) {
  const { query, document } = input
  const { actor: me } = document.access
  const told = view.wishedThreads()
  const { page } = await filledPage(view, services, (budget) => {
    const page = threadPage(view.slug, told, { asked: query, budget })
    return me === undefined ? page : { ...page, actors: new Set([...page.actors, me]) }
  })
  const credited = [...actorsIn(input, view), ...page.actors]
  const actors = await shownActors(new Set(credited), view, services)
  const mints = mintsFor(input, wishesOf(query))
  const headers = mints === undefined ? validators(jsonTag(input, view, actors)) : undefined
  return { told, page, actors, mints, headers }
}

async function jsonAnswer(
  input: Input,
  view: DocumentView,
  services: Services,
): Promise<Answer<never>> {
  const { query } = input
  const wishes = wishesOf(query)
  const { told, page, actors, mints, headers } = await shownIn(input, view, services)
  const isAsked = mints !== undefined && input.method === 'GET'
  const token = isAsked
    ? await services.people.links.mintPersonal(mints, input.sources.address)
    : undefined
  const fields = { ...fieldsOf(input, view), threads: page.threads, threads_info: page.info }
  const { access } = input.document
  const extra = {
    actors,
    ...(token !== undefined && { your_token: token }),
    ...(wishes.quickstart && {
      quickstart: quickstartFor({
        baseUrl: input.addresses.baseUrl,
        slug: view.slug,
        revision: view.revision,
        access,
        newToken: token !== undefined,
      }),
    }),
    ...(wishes.manifest && { manifest: manifestOf(view.frontMatter(), view) }),
    ...(input.query.focus !== undefined && { focused: focusedComment(told, query) }),
  }
  const authorship = wishes.authorship ? { authorship: view.authorshipJson() } : {}
  const parts = jsonObject(
    { ...fields, ...extra },
    {
      ...authorship,
      markdown: view.markdownJson(),
      content_blocks: wishes.blockQuotes ? view.quotedBlocksJson() : view.contentBlocksJson(),
    },
  )
  return partsOf(parts, jsonType, headers ?? {})
}

/** A further page of threads, or comments of one (interface §2.4). */
async function discussionAnswer(
  { query }: Input,
  view: DocumentView,
  services: Services,
): Promise<Answer<never>> {
  const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' }
  if (query.thread_id !== undefined) {
    const make = (budget: number) => commentPage(view, query, budget)
    const { page, actors } = await filledPage(view, services, make)
    return bytesOf(Buffer.from(JSON.stringify({ ...page, actors })), jsonType, headers)
  }
  const told = view.wishedThreads()
  const make = (budget: number) => threadPage(view.slug, told, { asked: query, budget })
  const { page, actors } = await filledPage(view, services, make)
  const { revision } = view
  const body = { revision, threads: page.threads, threads_info: page.info, actors }
  return bytesOf(Buffer.from(JSON.stringify(body)), jsonType, headers)
}

function jsonTag(input: Input, view: DocumentView, actors: ShownActors): string {
  return entityTag(tagParts(input, view, actors), 'strong')
}

const validators = (tag: string) =>
  ({ ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' }) as const

/** The caller, and everybody the answer credits with something. */
function actorsIn({ document, query }: Input, view: DocumentView): Set<ActorId> {
  const { actor } = document.access
  const actors = new Set<ActorId>(actor === undefined ? [] : [actor])
  if (wishesOf(query).authorship) for (const author of view.authors()) actors.add(author)
  return actors
}

/**
 * The shared credential in whose place this read gives a personal one (§4.4); `undefined`: it gives
 * none. A HEAD of such a read mints nothing, and has no more validators than the GET.
 */
function mintsFor(
  { credential, document, header }: Input,
  wishes: Wishes,
): TokenCredential | undefined {
  if (credential?.kind !== 'token' || !document.access.sharedToken) return undefined
  const ingress = header('x-service-share-ingress') === '1'
  return ingress || wishes.quickstart ? credential : undefined
}

function fieldsOf(input: Input, view: DocumentView) {
  const { role, displayName } = input.document.access
  const { facts } = view
  return {
    id: view.slug,
    title: view.title,
    revision: view.revision,
    your_role: role,
    read_only: facts.readOnly,
    comments_disabled: facts.commentsDisabled,
    suggestions_info: view.wishedThreads().totals?.suggestions,
    link_access: facts.linkAccess,
    ...(displayName !== undefined && { display_name: displayName }),
    api_reference_url: `${input.addresses.baseUrl}/reference`,
    content_hash: view.contentHash(),
    live_etag: view.liveEtag(),
  }
}
