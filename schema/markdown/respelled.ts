/** The spelling of a textblock whose content may have changed since it was written. */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import type { InlineText } from './inline-output.ts'
import type { LeafPlace } from './spelled-leaf.ts'
import type { TextblockSource } from './read-source.ts'
import { contentKey } from '../diff/content.ts'

export function respelled(node: Node, source: TextblockSource, place: LeafPlace): InlineText | undefined {
  if (sameInline(node, source.node)) return { md: source.md, segments: source.segments }
  return undefined
}

const { paragraph } = documentSchema.nodes

function sameInline(a: Node, b: Node): boolean {
  if (a.content.size !== b.content.size) return false
  const [one, other] = [a, b].map(({ content }) => contentKey(paragraph.create(null, content)))
  return one === other
}
