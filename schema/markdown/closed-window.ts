/**
 * Parses some blocks that end before others: only where nothing in them reaches on (an open fence,
 * HTML). What stands behind them is not known here; lists join over a blank line all the same.
 */
import type { Node } from 'prosemirror-model'
import type { ParseOptions } from './parse-env.ts'
import { parseMarkdown } from './parser.ts'

const sentinel = 'Zq0SentinelqZ'

/**
 * The blocks of `md`; undefined if they would swallow what follows: a block behind a blank line, or a
 * heading right below. `lead` is what stands before it: a fence that is left open in a container
 * takes the blank lines behind it.
 */
export function parseClosed(
  md: string,
  options: ParseOptions,
  lead: string,
): readonly Node[] | undefined {
  const isBelow = !/\n[ \t]*\n/.test(lead)
  const behind = isBelow ? `\n# ${sentinel}` : `${lead}${sentinel}`
  const { children: nodes } = parseMarkdown(`${md}${behind}\n`, options)
  const last = nodes.at(-1)
  const closed = last?.type.name === (isBelow ? 'heading' : 'paragraph') && last.childCount === 1
  const plain = closed && last.textContent === sentinel && last.firstChild?.marks.length === 0
  return plain ? nodes.slice(0, -1) : undefined
}
