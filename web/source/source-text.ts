/**
 * The source that somebody edits beside the document it stands for. Invariant: it is the canonical
 * markdown but for one stretch, the `draft`, which is kept as it was typed until it is settled; the
 * document already says what the draft says. It knows neither CodeMirror nor Yjs.
 */
import type { Node } from 'prosemirror-model'
import type { TextSplice } from '../../schema/markdown/textblock-splice.ts'
import { matchBlocks } from './block-matching.ts'
import { CanonicalText, diffStrings } from './canonical-text.ts'
import { readSplice } from './read-splice.ts'

/** The text that an editor of the source holds. */
export interface HeldText {
  readonly length: number
  slice(from: number, to: number): string
}

/** Canonical [from, to) is held as [from, heldTo). */
interface Draft {
  readonly from: number
  readonly to: number
  readonly heldTo: number
}

const none: Draft = { from: 0, to: 0, heldTo: 0 }

export class SourceText {
  readonly #canonical: CanonicalText
  #draft = none
  /** The blocks that stood where the draft is, when it was begun. */
  #earlier: readonly Node[] = []
  /** An edit that is under way: from where to where the held text is to be compared. */
  #editing: Draft | undefined

  constructor(doc: Node) {
    this.#canonical = new CanonicalText(doc)
  }

  get markdown(): string {
    return this.#canonical.text.toString()
  }

  /** Where the held text is not canonical; undefined where it all is. */
  get draft(): { readonly from: number; readonly to: number } | undefined {
    const { from, to, heldTo } = this.#draft
    return from === to && from === heldTo ? undefined : { from, to: heldTo }
  }

  /**
   * The held range [from, to) has given way to the text that `held` now has up to `end`. Returns the
   * document that this means; whoever calls makes the editor's document that one, and `follow` is
   * told of it. Throws INVALID_MARKDOWN over a limit of the parser's; the text is a draft then.
   */
  edit(
    range: { readonly from: number; readonly to: number; readonly end: number },
    held: HeldText,
  ) {
    const at = range.from
    const draft = this.draft === undefined ? { from: at, to: at, heldTo: at } : this.#draft
    const from = Math.min(range.from, draft.from)
    const to = draft.to + Math.max(0, range.to - draft.heldTo)
    const heldTo = Math.max(range.to, draft.heldTo) + range.end - range.to
    this.#editing = { from, to, heldTo }
    this.#draft = this.#editing
    const insert = held.slice(from, heldTo)
    const { text, doc } = this.#canonical
    const { from: first, to: last, nodes } = readSplice(text, { from, to, insert })
    const old = doc.children.slice(first, last)
    if (draft.from === draft.heldTo && draft.from === draft.to) this.#earlier = old
    const fresh = matchBlocks(old, nodes, this.#earlier)
    const children = [...doc.children.slice(0, first), ...fresh]
    for (let index = last; index < doc.childCount; index++) children.push(doc.child(index))
    return doc.type.create(doc.attrs, children)
  }

  /** The document became `doc` by an edit of the source: what is held and differs is the draft. */
  followEdit(doc: Node, held: HeldText): void {
    let { from, to, heldTo } = this.#editing ?? this.#draft
    this.#editing = undefined
    for (const splice of this.#canonical.follow(doc)) {
      const delta = splice.insert.length - (splice.to - splice.from)
      if (splice.from < from) from = splice.from
      if (splice.to > to) {
        heldTo += splice.to - to
        to = splice.to
      }
      to += delta
    }
    const canonical = this.#canonical.text.slice(from, to)
    const rest = diffStrings(canonical, held.slice(from, heldTo), from)
    this.#draft = rest
      ? { from: rest.from, to: rest.to, heldTo: rest.from + rest.insert.length }
      : none
  }

  /**
   * The document became `doc` otherwise. Returns what the held text is to become, each splice in
   * what those before it left. A draft that was not touched stays.
   */
  follow(doc: Node): readonly TextSplice[] {
    const changes: TextSplice[] = []
    let isOverrun = false
    for (const splice of this.#canonical.follow(doc)) {
      const { from, to, heldTo } = this.#draft
      const delta = splice.insert.length - (splice.to - splice.from)
      if (this.draft === undefined) changes.push(splice)
      else if (splice.from >= to) {
        const shift = heldTo - to
        changes.push({ ...splice, from: splice.from + shift, to: splice.to + shift })
      } else if (splice.to <= from) {
        changes.push(splice)
        this.#draft = { from: from + delta, to: to + delta, heldTo: heldTo + delta }
      } else {
        const start = Math.min(from, splice.from)
        const behind = Math.max(0, splice.to - to)
        changes.push({ from: start, to: heldTo + behind, insert: '' })
        this.#draft = { from: start, to: Math.max(to, splice.to) + delta, heldTo: start }
        isOverrun = true
      }
    }
    const settled = isOverrun ? this.settle() : undefined
    return settled === undefined ? changes : [...changes, settled]
  }

  /** What makes the held text canonical; undefined when it is. */
  settle(): TextSplice | undefined {
    if (this.draft === undefined) return undefined
    const { from, to, heldTo } = this.#draft
    this.#draft = none
    return { from, to: heldTo, insert: this.#canonical.text.slice(from, to) }
  }

  /** The position in the document of an offset in the held text. */
  positionAt(offset: number): number {
    const { from, to, heldTo } = this.#draft
    const isBehind = this.draft !== undefined && offset >= heldTo
    const isWithin = this.draft !== undefined && offset > from && offset < heldTo
    const canonical = isBehind ? offset + to - heldTo : isWithin ? Math.min(offset, to) : offset
    const { text } = this.#canonical
    const behind = text.positionAt(canonical, 'end')
    const isExact = text.offsetAt(behind.index, behind.pos, 'end') === canonical
    const { index, pos } = isExact ? behind : text.positionAt(canonical, 'start')
    return this.#startOf(index) + pos
  }

  /** The offset in the held text of a position in the document. */
  offsetAt(pos: number): number {
    const { doc, text } = this.#canonical
    const at = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)))
    const index = Math.min(at.index(0), doc.childCount - 1)
    const offset = text.offsetAt(index, pos - this.#startOf(index), 'end')
    const { to, heldTo } = this.#draft
    return this.draft !== undefined && offset >= to ? offset + heldTo - to : offset
  }

  get blockCount(): number {
    return this.#canonical.doc.childCount
  }

  /** Where a top-level block begins in the held text; of the index behind the last, its end. */
  blockStart(index: number): number {
    const { text } = this.#canonical
    const offset = index < this.blockCount ? text.start(index) : text.length
    const { to, heldTo } = this.#draft
    return this.draft !== undefined && offset >= to ? offset + heldTo - to : offset
  }

  /** The last top-level block that begins at an offset of the held text or before. */
  blockAt(offset: number): number {
    let [low, high] = [0, this.blockCount - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.blockStart(middle) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  #startOf(index: number): number {
    let pos = 0
    for (let before = 0; before < index; before++) pos += this.#canonical.doc.child(before).nodeSize
    return pos
  }
}
