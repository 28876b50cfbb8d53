/** A mark on many ranges of text at once: mark by mark each would be a step. */
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import type { DocRange } from '../model/doc-range.ts'

/** `doc` with `mark` on the text in `ranges`; what holds none of it is the very same. */
export function stamped(doc: Node, ranges: readonly DocRange[], mark: Mark): Node {
  const rows = [...ranges].sort((a, b) => a.from - b.from)
  let next = 0
  const visit = (parent: Node, start: number): Node => {
    const children: Node[] = []
    let end = start
    for (const child of parent.children) {
      const pos = end
      end += child.nodeSize
      while ((rows[next]?.to ?? end) <= pos) next++
      const isOutside = (rows[next]?.from ?? end) >= end
      if (isOutside || (child.isLeaf && !child.isText)) children.push(child)
      else if (child.isText) children.push(...stampedText(child, within(rows, next, pos), mark))
      else children.push(visit(child, pos + 1))
    }
    return parent.copy(Fragment.fromArray(children))
  }
  return visit(doc, 0)
}

/** The ranges from `next` on as far as the text at `pos` may need them, counted from there. */
function* within(rows: readonly DocRange[], next: number, pos: number): Iterable<DocRange> {
  for (let row = next; row < rows.length; row++) {
    const { from, to } = rows[row] as DocRange
    yield { from: from - pos, to: to - pos }
  }
}

function stampedText(text: Node, ranges: Iterable<DocRange>, mark: Mark): readonly Node[] {
  const pieces: Node[] = []
  const size = text.nodeSize
  let done = 0
  for (const { from, to } of ranges) {
    if (from >= size) break
    const [start, end] = [Math.max(from, done), Math.min(to, size)]
    if (start >= end) continue
    if (start > done) pieces.push(text.cut(done, start))
    pieces.push(text.cut(start, end).mark(mark.addToSet(text.marks)))
    done = end
  }
  if (done < size) pieces.push(text.cut(done, size))
  return pieces
}
