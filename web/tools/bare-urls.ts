/**
 * Bare URLs are drawn as links. In the document they are text: that is how the dialect has them.
 * A link that says so by a mark is none of these.
 */
import type { Node } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { Decoration } from 'prosemirror-view'
import { bareUrlsIn } from '../editor/commands/links.ts'
import { ViewportDecorations } from '../editor/viewport/viewport-decorations.ts'

function links(doc: Node, from: number, to: number): Decoration[] {
  const found: Decoration[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    if (!node.inlineContent) return !node.isTextblock
    if (node.type.spec.code) return false
    for (const { from: start, to: end } of bareUrlsIn(node)) {
      const href = node.textBetween(start, end)
      found.push(
        Decoration.inline(pos + 1 + start, pos + 1 + end, {
          nodeName: 'a',
          class: 'bare-url',
          href,
          rel: 'noopener noreferrer nofollow',
          target: '_blank',
        }),
      )
    }
    return false
  })
  return found
}

export const bareUrls = (): Plugin => new ViewportDecorations('bare-urls', links).plugin
