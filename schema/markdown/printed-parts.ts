/**
 * Printed text that is put together from printed parts, each with places of its own that count
 * from where it begins. Invariant: a part never changes, so that holders share it; the places in
 * a holder are worked out when first asked for, and a large block that changed in one item costs
 * its items, not their contents.
 */
import type { Node } from 'prosemirror-model'
import { lastAtMost } from './bisect.ts'
import { idOf } from './node-attributes.ts'
import type { NestedRange, PrintedBlock, Segment } from './printed.ts'

/** A part in its holder: what is added to its offsets and to its positions. */
export interface Included {
  readonly part: PrintedPart
  readonly md: number
  readonly pos: number
  /** The item whose content the part is, at `pos`, with its marker at `from`. */
  readonly item?: { readonly node: Node; readonly from: number }
}

export interface PartContent {
  readonly md: string
  readonly segments: readonly (Segment | Included)[]
  readonly blocks: readonly (NestedRange | Included)[]
}

const isOwn = <Place extends object>(place: Place | Included): place is Place => !('part' in place)

export class PrintedPart implements PrintedBlock {
  readonly md: string
  readonly #content: PartContent
  #segments: readonly Segment[] | undefined
  #blocks: readonly NestedRange[] | undefined

  constructor(content: PartContent) {
    this.md = content.md
    this.#content = content
    if (content.segments.every(isOwn)) this.#segments = content.segments
    if (content.blocks.every(isOwn)) this.#blocks = content.blocks
  }

  get segments(): readonly Segment[] {
    this.#segments ??= this.#allSegments()
    return this.#segments
  }

  get blocks(): readonly NestedRange[] {
    this.#blocks ??= this.#allBlocks()
    return this.#blocks
  }

  lastBlock(by: 'from' | 'pos', wanted: number): NestedRange | undefined {
    const { blocks } = this.#content
    const startAt = (index: number): number => {
      const own = blocks[index]
      if (own === undefined || isOwn(own)) return own?.[by] ?? 0
      return by === 'pos' ? own.pos : (own.item?.from ?? own.md)
    }
    for (let index = lastAtMost(blocks.length, wanted, startAt); index >= 0; index--) {
      const own = blocks[index]
      if (own === undefined || isOwn(own)) return own
      const { part, md, pos, item } = own
      const inner = part.lastBlock(by, wanted - (by === 'pos' ? pos : md))
      if (inner) {
        return { ...inner, pos: inner.pos + pos, from: inner.from + md, to: inner.to + md }
      }
      if (item) return itemRange(own, item, { md: 0, pos })
    }
    return undefined
  }

  lastSegment(by: 'md' | 'pos', wanted: number): Segment | undefined {
    const { segments } = this.#content
    const startAt = (index: number): number => segments[index]?.[by] ?? 0
    for (let index = lastAtMost(segments.length, wanted, startAt); index >= 0; index--) {
      const own = segments[index]
      if (own === undefined || isOwn(own)) return own
      const inner = own.part.lastSegment(by, wanted - own[by])
      if (inner) return { ...inner, md: inner.md + own.md, pos: inner.pos + own.pos }
    }
    return undefined
  }

  #allSegments(): readonly Segment[] {
    const all: Segment[] = []
    this.#addSegments(all, 0, 0)
    return all
  }

  #addSegments(all: Segment[], md: number, pos: number): void {
    for (const own of this.#content.segments) {
      if ('part' in own) own.part.#addSegments(all, md + own.md, pos + own.pos)
      else {
        const { mdLength, length } = own
        all.push({ md: md + own.md, mdLength, pos: pos + own.pos, length })
      }
    }
  }

  #allBlocks(): readonly NestedRange[] {
    const all: NestedRange[] = []
    this.#addBlocks(all, 0, 0)
    return all
  }

  #addBlocks(all: NestedRange[], md: number, at: number): void {
    for (const own of this.#content.blocks) {
      const pos = at + own.pos
      if ('part' in own) {
        if (own.item !== undefined) all.push(itemRange(own, own.item, { md, pos }))
        own.part.#addBlocks(all, md + own.md, pos)
      } else {
        const { type, id, from, to } = own
        all.push({ type, id, pos, from: md + from, to: md + to })
      }
    }
  }
}

function itemRange(
  { part, md: own }: Included,
  { node, from }: { readonly node: Node; readonly from: number },
  { md, pos }: { readonly md: number; readonly pos: number },
): NestedRange {
  const to = md + own + part.md.length
  return { type: node.type.name, id: idOf(node), pos, from: md + from, to }
}
