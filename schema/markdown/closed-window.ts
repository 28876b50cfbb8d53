/**
 * Parses some blocks that end before others: only where nothing in them reaches on (an open fence,
 * HTML). What stands behind them is not known here; lists join over a blank line all the same.
 */
import type { Node } from 'prosemirror-model'
import { parseMarkdown } from './parser.ts'
import { separator } from './text-chunk.ts'

const sentinel = 'Zq0SentinelqZ'

/** The blocks of `md`; undefined if they would swallow what follows. `start`: of the document. */
export function parseClosed(md: string, start: boolean): readonly Node[] | undefined {
  const { children: nodes } = parseMarkdown(`${md}${separator}${sentinel}\n`, { start })
  const last = nodes.at(-1)
  const closed = last?.type.name === 'paragraph' && last.childCount === 1
  const plain = closed && last.textContent === sentinel && last.firstChild?.marks.length === 0
  return plain ? nodes.slice(0, -1) : undefined
}
