/**
 * A document to canonical markdown. A block's text is a function of the block and its context
 * alone; ids and authorship never show. Printed blocks are remembered per node, nodes being
 * immutable.
 */
import type { Node } from 'prosemirror-model'
import { BlockPrinter } from './block-printer.ts'
import { contextKey, contextOf, type PrintedNeighbour, soleBlock } from './context.ts'
import { plainBlock } from './plain-block.ts'
import type { PrintContext, PrintedBlock } from './printed.ts'

/** Kept on the node: a WeakMap of every block typed in costs about as much as printing them. */
const remembered = Symbol('printed')

interface Remembering {
  /** One that is the same in every context, or one for each. */
  [remembered]?: PrintedBlock | PrintedBlock[]
}

/** A top-level block, without a final newline. The same node and context give the same object. */
export function printBlock(node: Node & Remembering, context: PrintContext): PrintedBlock {
  const key = contextKey(context)
  const known = node[remembered]
  const again = Array.isArray(known) ? known[key] : known
  if (again !== undefined) return again
  const plain = plainBlock(node)
  if (plain !== undefined) {
    node[remembered] = plain
    return plain
  }
  const printer = new BlockPrinter()
  printer.block(node, 0, { ...context, dashes: 0, itemFirst: false })
  const printed = printer.finish()
  const all = Array.isArray(known) ? known : new Array<PrintedBlock>(key + 1)
  all[key] = printed
  node[remembered] = all
  return printed
}

/**
 * Blocks joined by one blank line, one final newline; '' for the empty document. A sole empty block
 * behind front matter adds nothing.
 */
export function canonicalMarkdown(doc: Node): string {
  const sole = soleBlock(doc.children)
  const texts: string[] = []
  let previous: PrintedNeighbour | undefined
  for (const node of doc.children) {
    const context = contextOf(previous, node, node === sole)
    const { md } = printBlock(node, context)
    if (md !== '') texts.push(md)
    previous = { node, alternate: context.alternate }
  }
  return texts.length === 0 ? '' : `${texts.join('\n\n')}\n`
}
