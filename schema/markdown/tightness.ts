/**
 * Which lists are tight. A list's `tight` attribute is a wish: it is false where two neighbours in
 * an item need a blank line between them, and true where no blank line could show. The parser and
 * the printer both use the effective value, so that what is printed reads back the same.
 */
import type { Node } from 'prosemirror-model'
import { isEmptyTextblock } from './elision.ts'
import { checkedOf, isList, isTight, orderOf } from './node-attributes.ts'

export function isEmptyParagraph(node: Node): boolean {
  return node.type.name === 'paragraph' && isEmptyTextblock(node)
}

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
  let blankCouldShow = list.childCount > 1
  let hasParagraph = false
  for (const item of list.children) {
    // Nothing that an item of one block could still say.
    if (hasParagraph && item.childCount === 1) continue
    const own = spacingOf(item)
    if (own.needsBlank) return false
    if (own.hasSeveral) blankCouldShow = true
    if (own.hasParagraph) hasParagraph = true
  }
  return !blankCouldShow || !hasParagraph || isTight(list)
}

/** What an item says about its list. */
interface Spacing {
  readonly needsBlank: boolean
  readonly hasSeveral: boolean
  readonly hasParagraph: boolean
}

const spacings = new WeakMap<Node, Spacing>()

/** Remembered: a long list is asked anew whenever one of its items changes. */
function spacingOf(item: Node): Spacing {
  let spacing = spacings.get(item)
  if (spacing === undefined) {
    const { children } = item
    const isBare = children.length === 1 && checkedOf(item) === null
    spacing = {
      needsBlank: children.some(
        (block, index) => index > 0 && !canFollowTight(item.child(index - 1), block),
      ),
      hasSeveral: children.length > 1,
      hasParagraph: children.some(
        (block) => block.type.name === 'paragraph' && !(isBare && isEmptyParagraph(block)),
      ),
    }
    spacings.set(item, spacing)
  }
  return spacing
}
