/**
 * A bundle (interface §2.7, §4.11): what an agent has in its library as files, written one after
 * the other, so that one document is in memory at a time however many there are. The index comes
 * behind them, for it names what could be read.
 */
import type { ContextDocument, ContextKind, ContextScope } from '../../core/access/agent-context.ts'
import type { AgentCredential } from '../../core/access/credentials.ts'
import type { DocumentView } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { okfFile } from '../../schema/okf.ts'
import { writeWikilinks } from '../../schema/wikilinks.ts'
import type { Admitted } from '../admission/admitted.ts'
import { labelsOf, readMember } from '../agents/member-text.ts'
import { exportedText } from '../documents/exported-text.ts'
import type { Services } from '../services.ts'
import { FileNames, fileName, folderName } from './file-names.ts'

export type BundleFormat = 'okf' | 'obsidian'

interface Member {
  readonly document: ContextDocument
  readonly path: string
}

interface Scope {
  readonly handle: string
  readonly kind: ContextKind
  readonly label: string
  documents: number
}

export interface BundleRequest {
  readonly format: BundleFormat
  /** Of one grant alone. */
  readonly scope: ContextScope | undefined
}

/** The JSON of it in pieces. */
export async function* bundlePieces(
  input: Admitted,
  agent: AgentCredential,
  { format, scope }: BundleRequest,
  services: Services,
): AsyncGenerator<Uint8Array> {
  input.room.take(limits.bundleHeldBytes)
  yield* pieces(input, agent, { format, scope }, services)
}

async function* pieces(
  input: Admitted,
  agent: AgentCredential,
  { format, scope }: BundleRequest,
  services: Services,
): AsyncGenerator<Uint8Array> {
  const { documents, isWhole } = await membersOf(agent, scope, services)
  const members = await placed(documents, format, services)
  const noteOf = notes(members, input.addresses.baseUrl)
  const named: Member[] = []
  let left = limits.bundleMaxBytes
  let partial = !isWhole
  let misses = 0
  yield Buffer.from('{"files":{')
  for (const member of members) {
    if (misses === limits.bundleMissesMax) break
    // The secret may have ended since, and then nothing is whole.
    await input.stillPermitted()
    const asked = { document: member.document, wish: okfParts }
    const text = await readMember({ input, agent, services }, asked, async (view) => {
      const file = await okfOf(view, input, services)
      if (format === 'okf') return file
      // Front matter is no text of the note.
      const body = file.indexOf('\n---\n', 3) + '\n---\n'.length
      const written = writeWikilinks(file.slice(body), noteOf)
      return file.slice(0, body) + written
    }).catch(unreadable)
    // Its grant was revoked meanwhile.
    if (text === undefined) continue
    const bytes = Buffer.byteLength(text ?? '')
    if (text === null || bytes > left) {
      partial = true
      misses += text === null ? 0 : 1
      continue
    }
    left -= bytes
    named.push(member)
    yield Buffer.from(`${JSON.stringify(member.path)}:"`)
    yield* jsonOf(text)
    yield Buffer.from('",')
  }
  const index = JSON.stringify(indexOf(named, format))
  const scopes = await scopesOf(agent, named, scope, services)
  const rest = JSON.stringify({ scopes, partial }).slice(1)
  yield Buffer.from(`"index.md":${index}},${rest}`)
}

/** What stands between the quotes of a JSON string, piece by piece. */
function* jsonOf(text: string): Generator<Uint8Array> {
  for (let from = 0; from < text.length; ) {
    const end = from + charsInPiece
    const isAmid = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
    const to = isAmid ? end - 1 : end
    yield Buffer.from(JSON.stringify(text.slice(from, to)).slice(1, -1))
    from = to
  }
}

const charsInPiece = 16 * 1024

/** One that cannot be read now leaves the others as they are. */
function unreadable(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

/** As many as a bundle may have. */
async function membersOf(
  agent: AgentCredential,
  scope: ContextScope | undefined,
  { people }: Services,
): Promise<{ readonly documents: readonly ContextDocument[]; readonly isWhole: boolean }> {
  const documents: ContextDocument[] = []
  let after: string | undefined
  for (;;) {
    const limit = Math.min(limits.pageMax, limits.bundleDocumentsMax - documents.length)
    const page = await people.access.agentContext(agent, { limit, after, scope })
    documents.push(...page.documents)
    if (page.next === undefined) return { documents, isWhole: true }
    if (documents.length >= limits.bundleDocumentsMax) return { documents, isWhole: false }
    after = page.next
  }
}

const roots: Readonly<Record<ContextKind, string>> = {
  share: 'shared/',
  team: 'team/',
  brain: 'brain/',
}

/** Each with a path of its own: by its id, or by its title for people to read. */
async function placed(
  documents: readonly ContextDocument[],
  format: BundleFormat,
  services: Services,
): Promise<readonly Member[]> {
  const names = new FileNames()
  names.take('', 'index')
  const folders = new Map<string, string>()
  const paths = new Map<ContextDocument, string>()
  // By age, so that a name stays with its document from one bundle to the next.
  for (const document of documents.toSorted(byCreation)) {
    const { slug, title = '', scope, folderId } = document
    const known = folderId === undefined ? '' : folders.get(folderId)
    const inner = known ?? (await folderPath(folderId ?? '', services))
    if (folderId !== undefined) folders.set(folderId, inner)
    const name = format === 'okf' ? slug : fileName(title, slug)
    paths.set(document, names.take(roots[scope.kind] + inner, name))
  }
  return documents.map((document) => ({ document, path: paths.get(document) ?? '' }))
}

const byCreation = (one: ContextDocument, other: ContextDocument): number =>
  one.facts.createdAt - other.facts.createdAt || (one.slug < other.slug ? -1 : 1)

async function folderPath(folderId: string, { people }: Services): Promise<string> {
  const folders = await people.library.folderPath(folderId)
  return folders.map(({ name, folderId: id }) => `${folderName(name, id)}/`).join('')
}

const okfParts = { markdown: true, frontMatter: true, contentHash: true }

async function okfOf(
  view: DocumentView,
  { addresses }: Admitted,
  services: Services,
): Promise<string> {
  const { slug, title, revision, changedAt, markdown } = view
  const front = view.frontMatter()
  const text = await exportedText({ markdown, front }, addresses.baseUrl, services)
  return okfFile(text, front, {
    ...{ slug, title, revision, changedAt },
    contentHash: view.contentHash(),
    liveEtag: view.liveEtag(),
    liveUrl: `${addresses.baseUrl}/docs/${slug}`,
  })
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length)

/** A note that is alone of its name is called by it, any other by its path. */
function notes(members: readonly Member[], baseUrl: string): (href: string) => string | undefined {
  const counts = new Map([['index', 1]])
  for (const { path } of members) {
    const name = nameIn(path).toLowerCase()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const notes = new Map<Slug, string>()
  for (const { document, path } of members) {
    const name = nameIn(path)
    const isAlone = counts.get(name.toLowerCase()) === 1
    notes.set(document.slug, isAlone ? name : path.slice(0, -'.md'.length))
  }
  return (href) => {
    const own = href.startsWith(`${baseUrl}/`) ? href.slice(baseUrl.length) : href
    const [, slug = '', fragment = ''] = ownLink.exec(own) ?? []
    const note = isSlug(slug) ? notes.get(slug) : undefined
    const heading = note && headingIn(fragment)
    return heading ? `${note}#${heading}` : note
  }
}

const ownLink = /^\/(?:docs|d)\/([^/?#]+)(?:\?[^#]*)?(?:#(.*))?$/s

/** A block's id is the name of nothing in a note. */
function headingIn(fragment: string): string {
  if (fragment.startsWith('bid_') || fragment.startsWith('comment-')) return ''
  try {
    return decodeURIComponent(fragment)
      .replace(/[[\]|#^\n]+/g, ' ')
      .trim()
  } catch (error) {
    // Escaped as no text is.
    if (error instanceof URIError) return ''
    throw error
  }
}

/** Of which no sign ends an inline link. */
const addressIn = (path: string): string =>
  encodeURI(path).replaceAll('(', '%28').replaceAll(')', '%29')

const headings: Readonly<Record<ContextKind, string>> = {
  share: 'Shared',
  team: 'Team',
  brain: 'Brain',
}

function indexOf(members: readonly Member[], format: BundleFormat): string {
  const parts = ['# Library']
  let kind: ContextKind | undefined
  for (const { document, path } of members) {
    if (document.scope.kind !== kind) {
      kind = document.scope.kind
      parts.push(`\n## ${headings[kind]}\n`)
    }
    const title = (document.title ?? '') === '' ? nameIn(path) : (document.title ?? '')
    const escaped = title.replace(/[\\`*_[\]<>&|]/g, '\\$&')
    const target = format === 'okf' ? addressIn(path) : path.slice(0, -'.md'.length)
    parts.push(format === 'okf' ? `* [${escaped}](${target})` : `* [[${target}|${escaped}]]`)
  }
  return `${parts.join('\n')}\n`
}

/** One for each grant by which something is there; of the one that was asked for in any case. */
async function scopesOf(
  agent: AgentCredential,
  members: readonly Member[],
  asked: ContextScope | undefined,
  services: Services,
): Promise<readonly Scope[]> {
  const labelOf = await labelsOf(
    agent,
    members.map(({ document }) => document),
    services,
  )
  const scopes = new Map<string, Scope>()
  const add = (scope: ContextScope, label: string, documents: number) => {
    const handle = services.people.access.bundleHandle(agent, scope)
    const known = scopes.get(handle) ?? { handle, kind: scope.kind, label, documents: 0 }
    known.documents += documents
    scopes.set(handle, known)
  }
  for (const { document } of members) add(document.scope, labelOf(document), 1)
  if (asked !== undefined && scopes.size === 0) add(asked, headings[asked.kind], 0)
  return [...scopes.values()]
}
