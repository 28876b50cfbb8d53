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
    for (const [index, block] of item.children.entries()) {
      if (index > 0) {
        blankCouldShow = true
        if (!canFollowTight(item.child(index - 1), block)) return false
      }
      const bare = item.childCount === 1 && checkedOf(item) === null && isEmptyParagraph(block)
      if (block.type.name === 'paragraph' && !bare) hasParagraph = true
    }
  }
  return !blankCouldShow || !hasParagraph || isTight(list)
}
