/** Code in a place that takes one line. */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'

const { nodes, marks } = documentSchema

/** Its lines as inline code, parted by breaks. */
export function codeLines(text: string): Node[] {
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [nodes.hard_break.create()] : []),
      ...(line.trim() === '' ? [] : [documentSchema.text(line, [marks.code.create()])]),
    ])
}
