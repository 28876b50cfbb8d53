/**
 * Bare URLs are drawn as links. In the document they are text: that is how the dialect has them.
 * Only the blocks that a change touched are looked at again.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { bareUrlsIn } from '../editor/commands/links.ts'

const key = new PluginKey<DecorationSet>('bare-urls')

function drawn(doc: Node, from: number, to: number): Decoration[] {
  const found: Decoration[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    if (!node.inlineContent) return !node.isTextblock
    if (node.type.spec.code) return false
    for (const [start, end] of bareUrlsIn(node)) {
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

function redrawn(tr: Transaction, before: DecorationSet): DecorationSet {
  const start = tr.before.content.findDiffStart(tr.doc.content)
  const end = tr.before.content.findDiffEnd(tr.doc.content)
  const set = before.map(tr.mapping, tr.doc)
  if (start === null || end === null) return set
  const from = blockStart(tr.doc, start)
  const to = Math.min(tr.doc.content.size, Math.max(start, end.b) + 1)
  return set.remove(set.find(from, to)).add(tr.doc, drawn(tr.doc, from, to))
}

/** Where the text block that `pos` stands in begins; `pos` itself where it stands in none. */
function blockStart(doc: Node, pos: number): number {
  const $pos = doc.resolve(pos)
  return $pos.parent.inlineContent ? $pos.start() : pos
}

export function bareUrls(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, { doc }) => DecorationSet.create(doc, drawn(doc, 0, doc.content.size)),
      apply: (tr, set) => (tr.docChanged ? redrawn(tr, set) : set),
    },
    props: { decorations: (state) => key.getState(state) },
  })
}
