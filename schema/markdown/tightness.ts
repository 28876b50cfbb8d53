/**
 * Which lists are tight. A list's `tight` attribute is a wish: it is false where two neighbours in
 * an item need a blank line between them, and true where no blank line could show. The parser and
 * the printer both use the effective value, so that what is printed reads back the same.
 */
import type { Node } from 'prosemirror-model'
import { remembered } from '../remembered.ts'
import { isEmptyParagraph } from './elision.ts'
import { canTouch, writtenGap } from './gaps.ts'
import { checkedOf, isList, isTight, orderOf } from './node-attributes.ts'
import { isLongContainer } from './part-memory.ts'

/** Whether `next` may stand right under `previous` and still be read as a block of its own. */
export function canFollowTight(previous: Node, next: Node): boolean {
  const before = previous.type.name
  const after = next.type.name
  const closes = after === 'code_block' || after === 'heading'
  if (before === 'blockquote') return closes
  if (before === 'table') return closes || after === 'blockquote'
  const single = before === 'heading' || before === 'code_block'
  const solid = single || (before === 'paragraph' && !isEmptyParagraph(previous))
  if (after === 'paragraph') return single && !isEmptyParagraph(next)
  if (closes || after === 'blockquote') return solid
  if (!isList(next) || !(solid || before === 'horizontal_rule')) return false
  const first = next.firstChild?.firstChild
  if (!first || isEmptyParagraph(first)) return false
  return after === 'bullet_list' || orderOf(next) === 1
}

export function effectiveTight(list: Node): boolean {
  const { needsBlank, hasSeveral, hasParagraph } = listSpacing(list)
  return !needsBlank && (!hasSeveral || !hasParagraph || isTight(list))
}

/**
 * Whether blank lines between and in the items may be as they were written: in a tight list they
 * must not show, in a loose one there must be one.
 */
export function keepsGaps(list: Node): boolean {
  const { hasParagraph, isLoose } = listSpacing(list)
  return effectiveTight(list) ? !hasParagraph : isLoose
}

/** What an item, or all items, say about their list. */
interface Spacing {
  /** Two neighbours need a blank line between them. */
  readonly needsBlank: boolean
  /** A blank line could show. */
  readonly hasSeveral: boolean
  readonly hasParagraph: boolean
  /** A blank line stands somewhere, in a loose list. */
  readonly isLoose: boolean
}

const lists = new WeakMap<Node, Spacing>()

function listSpacing(list: Node): Spacing {
  const known = lists.get(list)
  if (known !== undefined) return known
  const all = { needsBlank: false, hasSeveral: list.childCount > 1, hasParagraph: false }
  const isLong = isLongContainer(list)
  let isLoose = false
  for (const [index, item] of list.children.entries()) {
    const own = isLong ? rememberedSpacing(item) : spacingOf(item)
    all.needsBlank ||= own.needsBlank
    all.hasSeveral ||= own.hasSeveral
    all.hasParagraph ||= own.hasParagraph
    isLoose ||= own.isLoose || (index > 0 && writtenGap(item) !== '')
  }
  const spacing = { ...all, isLoose }
  if (isLong) lists.set(list, spacing)
  return spacing
}

/** A long list is asked anew whenever one of its items changes. */
const rememberedSpacing = remembered(spacingOf)

function spacingOf(item: Node): Spacing {
  const { children } = item
  const isBare = children.length === 1 && checkedOf(item) === null
  return {
    needsBlank: children.some((block, index) => index > 0 && isApart(item.child(index - 1), block)),
    hasSeveral: children.length > 1,
    hasParagraph: children.some(
      (block) => block.type.name === 'paragraph' && !(isBare && isEmptyParagraph(block)),
    ),
    isLoose: children.some((block, index) => index > 0 && writtenGap(block) !== ''),
  }
}

const isApart = (previous: Node, block: Node): boolean =>
  !canFollowTight(previous, block) && !(writtenGap(block) === '' && canTouch(previous, block))

/** Has the last of these blocks, if it is a list, say whether it is printed tight. */
export function settleList(blocks: Node[]): void {
  const list = blocks.at(-1)
  if (list === undefined || !isList(list)) return
  const tight = effectiveTight(list)
  if (tight === isTight(list)) return
  blocks[blocks.length - 1] = list.type.create({ ...list.attrs, tight }, list.content)
}
