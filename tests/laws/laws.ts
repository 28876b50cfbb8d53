/**
 * The laws, asserted together on a document that has come to rest: everybody has the same
 * document, it is valid, what is served is what a fresh load from the store derives, no revision
 * ever changed, and every character stands as often and under the name that the model says.
 */

import type { Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { AuthorRun } from '../../core/documents/contract.ts'
import { loadDocument } from '../../core/documents/open/load.ts'
import type { DocumentState } from '../../core/documents/state/document-state.ts'
import { verifyDocument } from '../../core/documents/verify.ts'
import { documentSchema, fragmentName, identifiedTypes } from '../../schema/document-schema.ts'
import { isBlockId } from '../../schema/ids.ts'
import { DocumentText } from '../../schema/markdown/document-text.ts'
import { documentRuns } from '../../schema/markdown/runs.ts'
import { observing, silentPeer } from '../silent-peers.ts'
import { until } from '../waiting.ts'
import { type Alphabet, isLetter, withoutReferences } from './alphabet.ts'
import type { LiveEditor } from './live-editor.ts'
import type { ListedBlocks, Served } from './rest-writer.ts'
import type { LawDocument, LawService } from './service.ts'

export interface Rest {
  readonly markdown: string
  readonly revision: number
  readonly authorship: readonly AuthorRun[]
  readonly blocks: ListedBlocks
}

/** Waits until the service and all editors hold the same structs and deletions. */
export async function settled(
  service: LawService,
  { slug, members }: LawDocument,
  editors: readonly LiveEditor[],
): Promise<Rest> {
  for (const editor of editors) editor.goOnline()
  let why = ''
  await until(
    15_000,
    async () => {
      const behind = editors.find((editor) => !editor.isSynced || editor.line.underWay > 0)
      why = `${behind?.member.actor} is behind, closed with ${behind?.closes}`
      if (behind !== undefined) return undefined
      const server = await serverCopy(service, slug)
      const snapshot = Y.snapshot(server)
      const other = editors.find(({ ydoc }) => !Y.equalSnapshots(Y.snapshot(ydoc), snapshot))
      why = `${other?.member.actor} differs, closed with ${other?.closes}`
      server.destroy()
      return other === undefined ? true : undefined
    },
    () => why,
  )
  const [maker] = members
  const path = `/docs/${slug}?include=authorship`
  const { status, body } = await service.call('GET', path, { token: maker?.token ?? '' })
  assert.is(status, 200, JSON.stringify(body))
  return {
    markdown: String(body['markdown']),
    revision: Number(body['revision']),
    authorship: body['authorship'] as AuthorRun[],
    blocks: body['content_blocks'] as ListedBlocks,
  }
}

/** What the service would send to somebody who has nothing. */
async function serverCopy(service: LawService, slug: LawDocument['slug']): Promise<Y.Doc> {
  const stranger = { ...observing, knowsEpoch: false }
  const session = await service.documents.connect(slug, stranger, silentPeer)
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, await session.answerStep1(new Uint8Array([0])))
  session.leave()
  return ydoc
}

/** The document as anybody sees it in Yjs: names, attributes, formatted text. */
export function shapeOf(type: Y.XmlFragment | Y.XmlText): unknown {
  if (type instanceof Y.XmlText) return type.toDelta()
  const children = type.toArray().map((child) => shapeOf(child as Y.XmlElement))
  if (!(type instanceof Y.XmlElement)) return children
  const attributes = Object.entries(type.getAttributes()).sort(([a], [b]) => (a < b ? -1 : 1))
  return [type.nodeName, attributes, ...children]
}

const jsonOf = (type: Y.XmlFragment) => JSON.stringify(shapeOf(type), null, 1)

/** Law 2 on a document at rest. */
export async function assertLawful(world: {
  readonly service: LawService
  readonly document: LawDocument
  readonly editors: readonly LiveEditor[]
  readonly served: Served
  readonly rest: Rest
}): Promise<void> {
  const { service, document, editors, served, rest } = world
  const { slug } = document
  assert.equal(service.errors, [])
  for (const { closes, member } of editors) {
    const bad = closes.filter((code) => code !== 1001 && code !== 1005 && code !== 1006)
    assert.equal(bad, [], `${member.actor} was closed`)
  }
  const server = await serverCopy(service, slug)
  const shape = shapeOf(server.getXmlFragment(fragmentName))
  for (const { fragment, member } of editors) {
    assert.is(
      jsonOf(fragment),
      jsonOf(server.getXmlFragment(fragmentName)),
      `${member.actor} sees something else`,
    )
  }
  const { state } = await loadDocument(service.store, slug, service)
  assert.equal(shapeOf(state.fragment), shape, 'the store holds what is shown')
  assertDerived(state, rest)
  state.destroy()
  server.destroy()
  served.note({ revision: rest.revision, markdown: rest.markdown })
  for (const [revision, text] of served.texts) {
    assert.is(await service.documents.revisionText(slug, revision), text, `revision ${revision}`)
  }
  assert.is(await verifyDocument(service.store, slug, service.runtime), undefined)
}

/** What is served is what a fresh load derives; the document is valid and its ids are unique. */
function assertDerived({ mirror, text }: DocumentState, rest: Rest): void {
  const doc = documentSchema.node('doc', null, [...mirror.nodes])
  doc.check()
  assertIds(doc)
  assert.is(rest.markdown, text.toString())
  assert.is(rest.markdown, DocumentText.of(mirror.load()).toString())
  const fresh = DocumentText.of(mirror.nodes)
  const runs = documentRuns(fresh, (leaf) => mirror.leafAuthor(leaf))
  assert.equal(rest.authorship, runs)
  let next = 0
  for (const block of fresh.blocks()) {
    const served = rest.blocks[next++]
    assert.equal(served?.range, { from: block.from, to: block.to })
    assert.ok(served?.id === null || served?.id === block.id)
  }
  assert.is(next, rest.blocks.length)
  let end = 0
  for (const { from, to } of rest.authorship) {
    assert.ok(from === end && to > from)
    end = to
  }
  assert.is(end, rest.markdown.length)
}

function assertIds(doc: Node): void {
  const seen = new Set<string>()
  doc.descendants((node) => {
    if (!identifiedTypes.has(node.type.name)) return
    const id: unknown = node.attrs['id']
    assert.ok(isBlockId(id), `${node.type.name} has the id ${id}`)
    assert.not.ok(seen.has(id), `${id} is twice`)
    seen.add(id)
  })
}

/**
 * Every character that nobody took out stands once, but for those that may be gone; the others do
 * not stand.
 */
export function assertNothingLost(
  alphabet: Alphabet,
  { markdown }: Pick<Rest, 'markdown'>,
  mayBeGone: (letter: string) => boolean = () => false,
): void {
  const count = new Map<string, number>()
  for (const char of withoutReferences(markdown)) {
    if (isLetter(char)) count.set(char, (count.get(char) ?? 0) + 1)
  }
  const wrong: string[] = []
  for (const char of alphabet.standing()) {
    const isGone = !count.has(char) && mayBeGone(char)
    if (!isGone && count.get(char) !== 1)
      wrong.push(`${char} of ${alphabet.typistOf(char)} stands ${count.get(char) ?? 0} times`)
    count.delete(char)
  }
  assert.equal(wrong, [])
  assert.equal([...count.keys()], [], 'these were taken out')
}

/** How many characters are credited to their typist, and how many to one of `movers`; no third. */
export function assertAuthors(
  alphabet: Alphabet,
  { markdown, authorship }: Pick<Rest, 'markdown' | 'authorship'>,
  movers: ReadonlySet<string>,
): { readonly own: number; readonly moved: number } {
  let own = 0
  let moved = 0
  for (const { from, to, author } of authorship) {
    for (const char of withoutReferences(markdown.slice(from, to))) {
      if (!isLetter(char)) continue
      const typist = alphabet.typistOf(char)
      assert.ok(author === typist || movers.has(author), `${char} of ${typist} is ${author}'s`)
      if (author === typist) own++
      else moved++
    }
  }
  return { own, moved }
}
