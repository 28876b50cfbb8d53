/**
 * Drafts of suggestions on this device: they survive a reload, for the account that made them.
 * Where a change stands is kept as Yjs knows it, so that what others wrote meanwhile moves nothing;
 * one whose words are not there any more is told as lost. It knows how a draft is kept
 * (`draft-storage.ts`) and what it is made of.
 */
import { type Node, Slice } from 'prosemirror-model'
import * as Y from 'yjs'
import { documentSchema } from '../../schema/document-schema.ts'
import { positionsOf, relativePositionAt } from '../editor/binding/relative-positions.ts'
import type { Piece } from './changes.ts'
import { type DraftOwner, type KeptChange, keptDraftOf, writeKept } from './draft-storage.ts'
import type { Sent } from './sending.ts'

export interface Place extends DraftOwner {
  readonly fragment: Y.XmlFragment
  /** The shared document. */
  readonly doc: Node
}

export interface Restored {
  readonly key: string
  readonly pieces: readonly Piece[]
  readonly lost: readonly Piece[]
  readonly sent: ReadonlyMap<number, Sent>
}

export function keepDraft(
  { slug, actor, fragment, doc }: Place,
  { key, pieces, lost, sent }: Restored,
): void {
  const place = (pos: number) => Y.relativePositionToJSON(relativePositionAt(fragment, doc, pos))
  const changes = pieces.map(({ id, from, to, slice }): KeptChange => {
    const own = sent.get(id)
    const kept = { id, from: place(from), to: place(to), old: wordsOf(doc, from, to) }
    return { ...kept, slice: slice.toJSON(), ...(own && { sent: own }) }
  })
  const kept = { slug, actor, key, changes, lost: lost.map(({ slice }) => slice.toJSON()) }
  writeKept({ slug, actor }, changes.length + lost.length === 0 ? undefined : kept)
}

/** `markdown`: of the shared document; what was suggested of other words is decided by now. */
export function restoredDraft(
  { slug, actor, fragment, doc }: Place,
  markdown: () => string,
): Restored {
  const found = keptDraftOf({ slug, actor })
  const changes = found?.changes.filter(({ sent }) => isOpen(sent, markdown)) ?? []
  const ends = changes.flatMap(({ from, to }) => [from, to].map(relative))
  const places = positionsOf(fragment, doc, ends)
  const pieces: Piece[] = []
  const lost = (found?.lost ?? []).map(lostPiece)
  const sent = new Map<number, Sent>()
  for (const [index, change] of changes.entries()) {
    const [from, to] = [places[index * 2], places[index * 2 + 1]]
    const slice = sliceOf(change.slice)
    const stands = from !== undefined && to !== undefined && from <= to
    const piece = { id: change.id, from: from ?? 0, to: to ?? 0, slice }
    if (stands && wordsOf(doc, from, to) === change.old) {
      pieces.push(piece)
      // What has lost its place stays with the service as it is.
      if (change.sent !== undefined) sent.set(change.id, change.sent)
    } else if (change.sent === undefined) lost.push(piece)
  }
  const key = found?.key ?? crypto.randomUUID()
  return { key, pieces: pieces.sort((a, b) => a.from - b.from), lost, sent }
}

const isOpen = (sent: Sent | undefined, markdown: () => string): boolean =>
  sent === undefined || markdown().includes(sent.oldString)

const relative = (json: unknown): Y.RelativePosition => Y.createRelativePositionFromJSON(json)

const wordsOf = (doc: Node, from: number, to: number): string =>
  doc.textBetween(from, to, '\n', '\ufffc')

const sliceOf = (json: unknown): Slice => Slice.fromJSON(documentSchema, json)

const lostPiece = (json: unknown): Piece => ({ id: 0, from: 0, to: 0, slice: sliceOf(json) })
