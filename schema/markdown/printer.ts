/**
 * A document to markdown: as it was written where that is known, else in the canonical form. A
 * block's text is a function of the block, its place and the link definitions of the document; ids
 * and authorship never show. Printed blocks are remembered per node, nodes being immutable.
 */
import type { Node } from 'prosemirror-model'
import { BlockPrinter } from './block-printer.ts'
import { contextOf, type PrintedNeighbour, soleBlock } from './context.ts'
import { type Definitions, noDefinitions } from './definitions.ts'
import { definitionsIn } from './document-definitions.ts'
import { gapBefore } from './gaps.ts'
import type { PrintContext, PrintedBlock } from './printed.ts'

/** Kept on the node: a WeakMap of every block typed in costs about as much as printing them. */
const remembered = Symbol('printed')

interface Remembered {
  readonly context: PrintContext
  readonly definitions: Definitions
  readonly printed: PrintedBlock
}

interface Remembering {
  /** The last few. */
  [remembered]?: readonly Remembered[]
}

const rememberedMost = 3

/**
 * A top-level block, without a final newline. The same node in the same place gives the same
 * object.
 */
export function printBlock(
  node: Node & Remembering,
  context: PrintContext,
  definitions: Definitions = noDefinitions,
): PrintedBlock {
  const known = node[remembered]
  const same = known?.find((one) => one.context === context && one.definitions === definitions)
  if (same !== undefined) return same.printed
  const printer = new BlockPrinter({ definitions })
  printer.block(node, 0, { ...context, bullets: '', itemFirst: false })
  const printed = printer.finish()
  const others = known?.slice(0, rememberedMost - 1) ?? []
  node[remembered] = [{ context, definitions, printed }, ...others]
  return printed
}

/**
 * All blocks with the blank lines between them, one final newline; '' for the empty document. A
 * sole empty block behind front matter adds nothing.
 */
export function printDocument(doc: Node): string {
  const sole = soleBlock(doc.children)
  const definitions = definitionsIn(doc.children)
  let text = ''
  let previous: PrintedNeighbour | undefined
  for (const node of doc.children) {
    const context = contextOf(previous, node, node === sole)
    const { md } = printBlock(node, context, definitions)
    if (md !== '') text += gapBefore(previous?.node, node) + md
    previous = { ...context, node }
  }
  return text === '' ? '' : `${text}\n`
}
