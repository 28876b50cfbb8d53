/**
 * Writes a plan of pieces into the Y.Doc. What stays with its parent is not touched; Yjs cannot
 * move, so what changes its parent or its name is cloned, each character with its formats, and
 * reported, so that its author keeps it. All reading comes before all deleting. Knows nothing of
 * the schema.
 */
import * as Y from 'yjs'
import { type Child, childrenOf } from '../../../schema/yjs/children.ts'
import { idOf } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { textRuns } from '../../yjs/text-runs.ts'
import { deleteType } from '../../yjs/transactions.ts'
import { setAttribute } from './build.ts'
import { contentsOf, type ElementPiece, type FittedPiece, type SpelledLeaf } from './fit.ts'

/** `length` structs from `copy` on repeat those from `original` on: the same author's. */
export type Cloned = (original: StructId, copy: StructId, length: number) => void

interface InsertionPoint {
  readonly left: Child | undefined
  readonly old: readonly Child[]
}

export class PieceWriter {
  readonly #transaction: Y.Transaction
  readonly #cloned: Cloned
  readonly #copies: (() => void)[] = []
  readonly #gone: Child[] = []

  constructor(transaction: Y.Transaction, cloned: Cloned) {
    this.#transaction = transaction
    this.#cloned = cloned
  }

  /** Makes the neighbouring children `old` of `parent`, which stand after `left`, into `pieces`. */
  replace(
    parent: Y.XmlFragment,
    { left, old }: InsertionPoint,
    pieces: readonly FittedPiece[],
  ): void {
    const kept = new Set<Child>()
    let last = left ?? null
    for (const piece of pieces) {
      const standing = standingIn(parent, piece)
      if (standing === undefined) {
        const made = this.#make(piece)
        parent.insertAfter(last, [made])
        last = made
        continue
      }
      kept.add(standing)
      last = standing
      const inner = 'name' in piece ? piece.children : undefined
      if (inner !== undefined && standing instanceof Y.XmlElement) {
        this.replace(standing, { left: undefined, old: childrenOf(standing) }, inner)
      }
    }
    for (const child of old) if (!kept.has(child)) this.#gone.push(child)
  }

  /** Reports the clones, then deletes what they were made from and what was left out. */
  finish(): void {
    for (const report of this.#copies) report()
    for (const child of this.#gone) deleteType(this.#transaction, child)
  }

  #make(piece: FittedPiece): Child {
    if ('text' in piece) return this.#copyText(piece.text)
    if ('leaf' in piece) return this.#spell(piece)
    const element = new Y.XmlElement(piece.name)
    for (const [name, value] of Object.entries(attributesOf(piece))) {
      setAttribute(element, name, value)
    }
    element.insert(
      0,
      contentsOf(piece).map((child) => this.#make(child)),
    )
    const original = piece.source
    if (original !== undefined) {
      this.#copies.push(() => this.#cloned(structId(original), structId(element), 1))
    }
    return element
  }

  #copyText(original: Y.XmlText): Y.XmlText {
    const delta: { insert: string; attributes: object }[] = []
    let current: ReadonlyMap<string, unknown> | undefined
    for (const { text, formats } of textRuns(original)) {
      const last = delta.at(-1)
      if (last !== undefined && formats === current) last.insert += text
      else delta.push({ insert: text, attributes: Object.fromEntries(formats) })
      current = formats
    }
    const copy = new Y.XmlText()
    copy.applyDelta(delta)
    this.#copies.push(() => this.#reportText(original, copy))
    return copy
  }

  #reportText(original: Y.XmlText, copy: Y.XmlText): void {
    const copies = [...textRuns(copy)]
    let [index, used] = [0, 0]
    for (const { item, text } of textRuns(original)) {
      for (let done = 0; done < text.length; ) {
        const into = copies[index]
        if (into === undefined) throw new TypeError('a copy is shorter than its original')
        const length = Math.min(text.length - done, into.text.length - used)
        this.#cloned(shifted(item.id, done), shifted(into.item.id, used), length)
        done += length
        used += length
        if (used === into.text.length) [index, used] = [index + 1, 0]
      }
    }
  }

  /** Every character of the spelling is its leaf's author's. */
  #spell({ leaf, spelling, formats }: SpelledLeaf): Y.XmlText {
    const text = new Y.XmlText()
    text.insert(0, spelling, { ...formats })
    this.#copies.push(() => {
      for (const run of textRuns(text)) {
        for (let at = 0; at < run.text.length; at++) {
          this.#cloned(structId(leaf), shifted(run.item.id, at), 1)
        }
      }
    })
    return text
  }
}

/** The type that a piece leaves where it is. */
function standingIn(parent: Y.XmlFragment, piece: FittedPiece): Child | undefined {
  if ('leaf' in piece) return undefined
  if ('text' in piece) return piece.text.parent === parent ? piece.text : undefined
  const { source } = piece
  return source?.parent === parent && source.nodeName === piece.name ? source : undefined
}

/** A clone has all attributes of its original; under a new name only the id goes with it. */
function attributesOf({ name, source, attributes }: ElementPiece): Record<string, unknown> {
  if (source === undefined) return { ...attributes }
  const own: Record<string, unknown> = source.getAttributes()
  return source.nodeName === name ? own : { id: own['id'], ...attributes }
}

function structId(type: Child): StructId {
  const id = idOf(type)
  if (id === undefined) throw new TypeError('only types that stand in the document are reported')
  return id
}

const shifted = ({ client, clock }: StructId, by: number): StructId => ({
  client,
  clock: clock + by,
})
