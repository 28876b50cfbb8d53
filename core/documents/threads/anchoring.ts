/**
 * Where the characters of anchors stand after a write (interface §2.5). In this order: the structs
 * that hold them, through the table of what was written again elsewhere; their words again where
 * the write itself put them (an undo, a split, a join, a move by an editor); else they are lost.
 * Words that stood there before the write are others, however alike: when in doubt an anchor is
 * lost. One object for each write; what it finds of a block it finds once.
 */
import type * as Y from 'yjs'
import type { BlockId } from '../../../schema/ids.ts'
import { occurrences, someOccurrences } from '../../../schema/occurrences.ts'
import { plainText } from '../../../schema/plain-text.ts'
import { shortened } from '../../../schema/shortened.ts'
import { idOf, isGone, itemAround, parentOf, typeIn } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { itemAt } from '../../../schema/yjs/structs.ts'
import type { InsertedContent } from '../../commit/participant.ts'
import type { Redirects } from '../redirects/redirects.ts'
import {
  type Anchor,
  type BlockAnchor,
  blockWordsChars,
  contextChars,
  type RangeAnchor,
} from './anchor.ts'
import {
  AnchoredBlocks,
  type AnchoredBlocksHost,
  type Block,
  isElement,
} from './anchored-blocks.ts'
import { nodeOf } from './placed.ts'

export interface AnchoringHost extends AnchoredBlocksHost {
  readonly ydoc: Y.Doc
  readonly redirects: Redirects
}

/** An end where it stands, or stood: then it says how far the living words reach. */
interface AnchorEnd {
  readonly block: Block
  readonly offset: number
  readonly isAlive: boolean
}

interface Reach {
  readonly from: AnchorEnd
  readonly to: AnchorEnd
}

export class Anchoring {
  readonly #host: AnchoringHost
  readonly #came: InsertedContent
  readonly #blocks: AnchoredBlocks

  constructor(host: AnchoringHost, came: InsertedContent) {
    this.#host = host
    this.#came = came
    this.#blocks = new AnchoredBlocks(host)
  }

  /** The anchor as it is now. `since`: the clocks before its words were lost. */
  follow(anchor: Anchor, since = this.#came.before): Anchor {
    if (anchor.scope === 'block') return this.#followBlock(anchor, since)
    const reach = anchor.isLost ? undefined : this.#reachOf(anchor)
    const found = reach && this.#grown(anchor, this.#mended(anchor, reach))
    if (found !== undefined) return this.#anchored(anchor, found)
    const again = this.#broughtAgain(anchor, since)
    if (again !== undefined) return this.#anchored(anchor, again)
    return anchor.isLost ? anchor : { ...anchor, isLost: true }
  }

  #followBlock(anchor: BlockAnchor, since: InsertedContent['before']): BlockAnchor {
    if (this.#host.blockIds.elementOf(anchor.block) !== undefined) {
      return anchor.isLost ? { ...anchor, isLost: false } : anchor
    }
    const lost = anchor.isLost ? anchor : this.#lostBlock(anchor)
    const again = this.#blockAgain(lost, since)
    return again === undefined ? lost : { ...lost, block: again.id, isLost: false }
  }

  /** It says what the block was in the end. */
  #lostBlock(anchor: BlockAnchor): BlockAnchor {
    const { former } = this.#came
    const block = former?.findBlock(anchor.block)
    if (former === undefined || block === undefined) return { ...anchor, isLost: true }
    const node = nodeOf(former, block)
    const words = shortened(plainText(node), blockWordsChars)
    return { ...anchor, words, kind: node.type.name, isLost: true }
  }

  /** A block that is gone is there again by its id, or as the only new one with all its words. */
  #blockAgain({ words, kind }: BlockAnchor, since: InsertedContent['before']): Block | undefined {
    const { touched, bringsBack, former } = this.#came
    // Few words say which block it was only where what had stood there is put there again.
    if (!bringsBack && words.length < contextChars) return undefined
    const isAgain = (block: Block) => {
      if (kind !== undefined && block.kind !== kind) return false
      if (shortened(block.text, blockWordsChars) !== words) return false
      if (!this.#isNewIn(block, 0, words.length, since)) return false
      const before = former?.findBlock(block.id)
      return !(former && before && plainText(nodeOf(former, before)) === block.text)
    }
    const all = this.#blocks.amongAll(touched, (one) => this.#isNewElement(one), this.#lookedAt)
    const [again, other] = all.filter(isAgain)
    return other === undefined ? again : undefined
  }

  #isNewElement(element: Y.XmlElement): boolean {
    const id = idOf(element)
    return id !== undefined && id.clock >= (this.#came.before.get(id.client) ?? 0)
  }

  /** How many blocks of the write may hold what is sought. */
  get #lookedAt(): number | undefined {
    return this.#came.bringsBack ? broughtBackMax : undefined
  }

  /** What one is anchored to who names characters [from, to) of blocks that stand. */
  range(from: { block: BlockId; offset: number }, to: typeof from): RangeAnchor | undefined {
    const [first, last] = [this.#blocks.named(from.block), this.#blocks.named(to.block)]
    if (first === undefined || last === undefined) return undefined
    const reach = {
      from: { block: first, offset: from.offset, isAlive: true },
      to: { block: last, offset: to.offset, isAlive: true },
    }
    return this.#isEmpty(reach) ? undefined : this.#anchorOf(reach)
  }

  /** Where the structs of its ends lead; undefined: nothing of it is left there. */
  #reachOf(anchor: RangeAnchor): Reach | undefined {
    const { from, to } = anchor
    const [first, last] = together(this.#find(from.id, 'from'), this.#find(to.id, 'to'))
    const both = this.#reaching(anchor, first, last)
    // Blocks that changed places have nothing between them: the words go on from the first alone.
    const reach = both && this.#isEmpty(both) ? this.#reaching(anchor, first, undefined) : both
    if (reach === undefined || this.#isEmpty(reach)) return undefined
    const trimmed = { from: this.#trimmedStart(reach), to: this.#trimmedEnd(reach) }
    return this.#isEmpty(trimmed) ? undefined : trimmed
  }

  /** Where an end was deleted, blanks and what this write put there are not of the words. */
  #trimmedStart({ from, to }: Reach): AnchorEnd {
    const { block, isAlive } = from
    const end = block === to.block ? to.offset : block.text.length
    let { offset } = from
    while (!isAlive && offset < end && this.#isOther(block, offset)) offset += 1
    return { ...from, offset }
  }

  #trimmedEnd({ from, to }: Reach): AnchorEnd {
    const { block, isAlive } = to
    const start = block === from.block ? from.offset : 0
    let { offset } = to
    while (!isAlive && offset > start && this.#isOther(block, offset - 1)) offset -= 1
    return { ...to, offset }
  }

  #isOther(block: Block, at: number): boolean {
    return /\s/.test(block.text[at] ?? '') || this.#isNewIn(block, at, at + 1)
  }

  /** From one end alone the words reach as far as they still read. */
  #reaching(
    { words }: RangeAnchor,
    from: AnchorEnd | undefined,
    to: AnchorEnd | undefined,
  ): Reach | undefined {
    if (from && to) return { from, to }
    if (from?.isAlive) {
      const { block, offset } = from
      const length = sharedStart(words, block.text.slice(offset, offset + words.length))
      return { from, to: { block, offset: offset + length, isAlive: false } }
    }
    if (to?.isAlive) {
      const { block, offset } = to
      const length = sharedEnd(words, block.text.slice(Math.max(0, offset - words.length), offset))
      return { from: { block, offset: offset - length, isAlive: false }, to }
    }
    return undefined
  }

  #isEmpty({ from, to }: Reach): boolean {
    if (from.block === to.block) return from.offset >= to.offset
    const order = this.#blocks.order(from.block.element, to.block.element)
    return order > 0
  }

  #find(id: StructId, end: 'from' | 'to'): AnchorEnd | undefined {
    const here = this.#place(id, end)
    if (here?.isAlive) return here
    const { redirects } = this.#host
    const elsewhere = redirects.copyOf(id)
    const there = elsewhere && this.#place(elsewhere, end)
    return there?.isAlive ? there : here
  }

  #place(id: StructId, end: 'from' | 'to'): AnchorEnd | undefined {
    const item = itemAt(this.#host.ydoc, id)
    const parent = item && parentOf(item)
    if (item === undefined || parent === undefined || isGone(parent)) return undefined
    // A leaf stands in its text block itself, a character in a text in it.
    const around = typeIn(item) === undefined ? itemAround(item) : undefined
    const textblock = around ? parentOf(around) : parent
    const block = isElement(textblock) ? this.#blocks.around(textblock) : undefined
    const place = block?.units.placeOf(id)
    if (block === undefined || place === undefined) return undefined
    const { offset, isAlive } = place
    return { block, offset: isAlive && end === 'to' ? offset + 1 : offset, isAlive }
  }

  /** Where one end was deleted, the rest of the words may have come again, here or elsewhere. */
  #mended(anchor: RangeAnchor, reach: Reach): Reach {
    if (reach.from.isAlive && reach.to.isAlive) return reach
    const left = this.#wordsOf(reach)
    let { from, to } = reach
    if (from.isAlive && anchor.words.startsWith(left)) {
      to = this.#rest(anchor.words.slice(left.length).replace(/^\n/, ''), to, 'to') ?? to
    } else if (to.isAlive && anchor.words.endsWith(left)) {
      const lost = anchor.words.slice(0, anchor.words.length - left.length).replace(/\n$/, '')
      from = this.#rest(lost, from, 'from') ?? from
    }
    const mended = { from, to }
    return this.#isEmpty(mended) ? reach : mended
  }

  /** Where the lost rest of the words stands now, at the edge of what is left or of a new block. */
  #rest(words: string, edge: AnchorEnd, end: 'from' | 'to'): AnchorEnd | undefined {
    if (words === '') return undefined
    const { length } = words
    const { block, offset } = edge
    const at = end === 'to' ? offset : offset - length
    if (at >= 0 && block.text.startsWith(words, at) && this.#isNewIn(block, at, at + length)) {
      return { block, offset: end === 'to' ? at + length : at, isAlive: true }
    }
    // A blank that the words were divided at may have stayed where it stood.
    const bare = end === 'to' ? words.trimStart() : words.trimEnd()
    return this.#restElsewhere(words, block, end) ?? this.#restElsewhere(bare, block, end)
  }

  #restElsewhere(words: string, apart: Block, end: 'from' | 'to'): AnchorEnd | undefined {
    const { length } = words
    if (length === 0) return undefined
    const others = this.#blocks.among(this.#came.touched).filter((other) => {
      if (other === apart) return false
      const start = end === 'to' ? 0 : other.text.length - length
      return other.text.startsWith(words, start) && this.#isNewIn(other, start, start + length)
    })
    const [only] = others
    if (only === undefined || others.length > 1) return undefined
    return { block: only, offset: end === 'to' ? length : only.text.length - length, isAlive: true }
  }

  #isNewIn({ units }: Block, from: number, to: number, since = this.#came.before): boolean {
    return units.every(from, to, ({ client, clock }) => clock >= (since.get(client) ?? 0))
  }

  /** Words that had lost a part are whole again when the part stands where it stood. */
  #grown({ whole }: RangeAnchor, reach: Reach): Reach {
    const { from, to } = reach
    if (whole === undefined || from.block !== to.block) return reach
    const { block } = from
    const left = block.text.slice(from.offset, to.offset)
    for (const at of someOccurrences(whole, left, candidatesMax)) {
      const start = from.offset - at
      if (start >= 0 && block.text.startsWith(whole, start)) {
        return {
          from: { block, offset: start, isAlive: true },
          to: { block, offset: start + whole.length, isAlive: true },
        }
      }
    }
    return reach
  }

  /** All words again, where they were put since: in the block that they were in, or another. */
  #broughtAgain(anchor: RangeAnchor, since: InsertedContent['before']): Reach | undefined {
    const words = anchor.whole ?? anchor.words
    const own = this.#blocks.named(anchor.from.block)
    const homes = new Set(own === undefined ? [] : [own])
    for (const block of this.#blocks.among(this.#came.touched, this.#lookedAt)) homes.add(block)
    const found: { readonly block: Block; readonly at: number; readonly likeness: number }[] = []
    let looked = 0
    for (const block of homes) {
      const { text } = block
      for (const at of occurrences(text, words)) {
        looked += 1
        if (looked > candidatesMax) return undefined
        if (!this.#isNewIn(block, at, at + words.length, since)) continue
        const isNew = (from: number) => this.#isNewIn(block, from, from + 1, since)
        const beside = contextOf(anchor, text, { at, length: words.length, isNew })
        // Of words that had lost a part, what stood beside the rest says less.
        const isTold =
          block === own || anchor.whole !== undefined
            ? beside.isLikely
            : this.#isTold(anchor, beside)
        if (isTold || words.length >= contextChars) {
          found.push({ block, at, likeness: beside.likeness })
        }
      }
    }
    found.sort((a, b) => b.likeness - a.likeness)
    const [best, next] = found
    if (best === undefined || best.likeness === next?.likeness) return undefined
    const { block, at } = best
    return {
      from: { block, offset: at, isAlive: true },
      to: { block, offset: at + words.length, isAlive: true },
    }
  }

  /** Elsewhere, words that went in this very write may stand at an edge that was not there. */
  #isTold({ isLost }: RangeAnchor, { isAlike, likeness }: AnchorContext): boolean {
    return isAlike && (!isLost || likeness >= tellingChars)
  }

  #wordsOf({ from, to }: Reach): string {
    if (from.block === to.block) return from.block.text.slice(from.offset, to.offset)
    const between = this.#blocks.textBetween(from.block, to.block)
    const head = from.block.text.slice(from.offset)
    return [head, ...between, to.block.text.slice(0, to.offset)].join('\n')
  }

  #anchored(before: RangeAnchor, reach: Reach): RangeAnchor {
    const now = this.#anchorOf(reach) ?? before
    const isIntact = reach.from.isAlive && reach.to.isAlive
    const isDivided = before.from.block === before.to.block && now.from.block !== now.to.block
    const whole = before.whole ?? (isIntact && !isDivided ? undefined : before.words)
    return whole === undefined || whole === now.words ? now : { ...now, whole }
  }

  #anchorOf(reach: Reach): RangeAnchor | undefined {
    const { from, to } = reach
    const first = from.block.units.idAt(from.offset) ?? from.block.units.idAt(from.offset + 1)
    const last = to.block.units.idAt(to.offset - 1) ?? to.block.units.idAt(to.offset - 2)
    if (first === undefined || last === undefined) return undefined
    return {
      scope: 'range',
      block: this.#blocks.holding(from.block, to.block),
      from: { block: from.block.id, offset: from.offset, id: first },
      to: { block: to.block.id, offset: to.offset, id: last },
      words: this.#wordsOf(reach),
      before: from.block.text.slice(Math.max(0, from.offset - contextChars), from.offset),
      after: to.block.text.slice(to.offset, to.offset + contextChars),
      isLost: false,
    }
  }
}

/** Where one stood says nothing of what is between it and an end in another block. */
function together(
  from: AnchorEnd | undefined,
  to: AnchorEnd | undefined,
): readonly [AnchorEnd | undefined, AnchorEnd | undefined] {
  if (!from || !to || from.block === to.block) return [from, to]
  return [from.isAlive ? from : undefined, to.isAlive ? to : undefined]
}

/** Blocks that are looked at, of a revert that brings more. */
const broughtBackMax = 1_000

/** Places that read alike, among which none is chosen when there are more. */
const candidatesMax = 256

function sharedStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function sharedEnd(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) {
    length += 1
  }
  return length
}

/** Whether words stand where an anchor's did, told by what stands beside them. Knows no structs. */
interface AnchorContext {
  /** How many characters beside the words are those that stood there. */
  readonly likeness: number
  /** One side reads as it did. */
  readonly isLikely: boolean
  /** Both do, up to where what was put there ends. */
  readonly isAlike: boolean
}

/** Read alike by so many, a side is the same. */
const tellingChars = 8

interface Occurrence {
  readonly at: number
  readonly length: number
  readonly isNew: (at: number) => boolean
}

export function contextOf(
  { before, after }: RangeAnchor,
  text: string,
  { at, length, isNew }: Occurrence,
): AnchorContext {
  const end = at + length
  let [left, right] = [0, 0]
  while (left < before.length && text[at - left - 1] === before.at(-left - 1)) left += 1
  while (right < after.length && text[end + right] === after[right]) right += 1
  const isLeft = before === '' ? at === 0 : left >= Math.min(tellingChars, before.length)
  const isRight = after === '' ? end === text.length : right >= Math.min(tellingChars, after.length)
  const isLeftAlike = isLeft || left === at || !isNew(at - left - 1)
  const isRightAlike = isRight || end + right === text.length || !isNew(end + right)
  return {
    likeness: left + right,
    isLikely: isLeft || isRight,
    isAlike: isLeftAlike && isRightAlike,
  }
}
