/**
 * Quotes that begin with `[!NOTE]` and the like, drawn as what they are called. They stay the
 * quotes they are, in the text and for everybody who reads it elsewhere.
 */
import type { Node } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { Decoration } from 'prosemirror-view'
import { ViewportDecorations } from './viewport/viewport-decorations.ts'

/** On a line of its own. */
const marker = /^\[!(note|tip|important|warning|caution)\](?=\s*(?:\n|$))/i

/** `note`, `tip` … of a quote that is one. */
export function calloutOf(quote: Node): string | undefined {
  const first = quote.type.name === 'blockquote' ? quote.firstChild : null
  if (first?.type.name !== 'paragraph') return undefined
  return marker.exec(first.textBetween(0, Math.min(first.content.size, 40), '', '\n'))?.[1]
}

function draw(doc: Node, from: number, to: number): Decoration[] {
  const drawn: Decoration[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    const kind = calloutOf(node)
    if (kind === undefined) return !node.inlineContent
    const [start, end] = [pos + 2, pos + 2 + '[!'.length + kind.length]
    drawn.push(
      Decoration.node(pos, pos + node.nodeSize, { 'data-callout': kind.toLowerCase() }),
      Decoration.inline(start, start + 2, { class: 'callout-bracket' }),
      Decoration.inline(start + 2, end, { class: 'callout-kind' }),
      Decoration.inline(end, end + 1, { class: 'callout-bracket' }),
    )
    return true
  })
  return drawn
}

export const callouts = (): Plugin => new ViewportDecorations('callouts', draw).plugin
